// Tests that only regular files from outside are opened, and that no more than requested is read.
#include "algorithms/core/input_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"

using namespace kdscope;
namespace fs = std::filesystem;

TEST_CASE("what is no ordinary file is refused at once, with its place") {
  std::string folder = (fs::temp_directory_path() / "kdscope-input-XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string pipe = folder + "/pipe", loop = folder + "/loop", file = folder + "/file", link = folder + "/link";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink("loop", loop);
  for (const std::string& path :
       {pipe, loop, folder, folder + "/missing", std::string("/dev/zero"), std::string("/dev/full"), std::string()}) {
    INFO(path);
    const auto opened = InputFile::open(path);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == ErrorKind::bad_input);
    CHECK(opened.error().where == path);
  }
  std::ofstream(file) << "0123456789";
  fs::create_symlink("file", link);
  for (const std::string& path : {file, link}) {
    const auto opened = InputFile::open(path);
    REQUIRE(opened);
    CHECK(opened->size() == 10);
    CHECK(*opened->read(4) == "0123");
    CHECK(*opened->read() == "0123456789");
    CHECK(*opened->read(100) == "0123456789");
  }
  {
    const auto opened = InputFile::open(file);
    fs::resize_file(file, 3);
    CHECK_FALSE(opened->read());
  }
  // A sparse file of a terabyte costs only the bytes that are read.
  fs::resize_file(file, std::uintmax_t(1) << 40);
  const auto opened = InputFile::open(file);
  REQUIRE(opened);
  CHECK(opened->read(4096)->size() == 4096);
  fs::remove_all(folder);
}
