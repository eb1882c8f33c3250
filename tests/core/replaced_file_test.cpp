// Tests files that are replaced as a whole: old contents, links, permissions, concurrent writers, and processes that
// end midway.
#include "algorithms/core/replaced_file.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using test::content_of;
using test::put;
namespace fs = std::filesystem;

namespace {

struct Folder : test::TemporaryFolder {
  std::string operator/(const std::string& name) const { return file(name); }
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// Runs `work` in a separate process, waits for its end, and returns its exit code or the negative number of the signal
/// that ended it.
template <class Work>
int apart(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    work();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("a file takes its place as a whole, and only when it is kept") {
  const Folder folder;
  const std::string path = folder / "tree.csv";
  put(path, "old");
  {
    auto file = ReplacedFile::begin(path);
    REQUIRE(file);
    CHECK(file->write("half"));
    CHECK(content_of(path) == "old");
    CHECK(fs::path(file->temporary()).extension() == ".csv");
    CHECK(fs::path(file->temporary()).parent_path() == folder.path);
  }
  CHECK(content_of(path) == "old");
  CHECK(replace_file(path, "new"));
  CHECK(content_of(path) == "new");
  CHECK(replace_file(folder / "fresh", "first"));
  CHECK(content_of(folder / "fresh") == "first");
  CHECK(folder.names() == std::vector<std::string>{"fresh", "tree.csv"});
}

TEST_CASE("an older file keeps its mode, and a link what it points to") {
  const Folder folder;
  const std::string path = folder / "private.npy", link = folder / "link.npy";
  put(path, "old");
  fs::permissions(path, fs::perms(0600));
  fs::create_symlink("private.npy", link);
  auto file = ReplacedFile::begin(link);
  REQUIRE(file);
  CHECK(mode_of(file->temporary()) == 0600);
  CHECK(file->write("new"));
  CHECK(file->keep());
  CHECK(content_of(path) == "new");
  CHECK(mode_of(path) == 0600);
  CHECK(fs::is_symlink(link));
}

TEST_CASE("whatever has a temporary's old name is left alone") {
  const Folder folder;
  const std::string path = folder / "t.npy", victim = folder / "victim";
  put(victim, "mine");
  fs::create_symlink("victim", folder / "t.npy.part");
  put(folder / "t.part.npy", "mine too");
  CHECK(replace_file(path, "tree"));
  CHECK(content_of(victim) == "mine");
  CHECK(content_of(folder / "t.part.npy") == "mine too");
  CHECK(fs::is_symlink(folder / "t.npy.part"));
  CHECK(content_of(path) == "tree");
}

TEST_CASE("two writers of one file both end with a whole one") {
  const Folder folder;
  const std::string path = folder / "t";
  auto first = ReplacedFile::begin(path), second = ReplacedFile::begin(path);
  REQUIRE(first);
  REQUIRE(second);
  const std::string long_text(100000, 'a'), short_text(10, 'b');
  CHECK(first->write(long_text));
  CHECK(second->write(short_text));
  CHECK(second->keep());
  CHECK(content_of(path) == short_text);
  CHECK(first->keep());
  CHECK(content_of(path) == long_text);
  CHECK(folder.names() == std::vector<std::string>{"t"});
}

TEST_CASE("what a killed process left goes away with the next writer, what a living one writes does not") {
  const Folder folder;
  const std::string path = folder / "run.kdtrace";
  put(path, "old");
  CHECK(apart([&] {
          auto file = ReplacedFile::begin(path);
          if (file && file->write("half")) ::raise(SIGKILL);
        }) == -SIGKILL);
  CHECK(folder.names().size() == 2);
  auto living = ReplacedFile::begin(path);
  REQUIRE(living);
  CHECK(folder.names().size() == 2);  // the old file and this one
  put(folder / "run.part-0-1-2.kdtrace", "somebody's");
  CHECK(replace_file(path, "new"));
  CHECK(fs::exists(living->temporary()));
  CHECK(fs::exists(folder / "run.part-0-1-2.kdtrace"));
  CHECK(content_of(path) == "new");
}

TEST_CASE("a file that may not grow is an error that leaves the old one and nothing else") {
  const Folder folder;
  const std::string path = folder / "t";
  put(path, "old");
  CHECK(apart([&] {
          const rlimit limit{4096, 4096};
          ::setrlimit(RLIMIT_FSIZE, &limit);
          const auto saved = replace_file(path, std::string(100000, 'x'));
          ::_exit(!saved && saved.error().kind == ErrorKind::io_failure &&
                          saved.error().message().find("free some room") != std::string::npos
                      ? 7
                      : 1);
        }) == 7);
  CHECK(content_of(path) == "old");
  CHECK(folder.names() == std::vector<std::string>{"t"});
}

TEST_CASE("folders, pipes, missing folders and names without room are refused or fit") {
  const Folder folder;
  fs::create_directory(folder / "d");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const std::string& path : {folder / "d", folder / "pipe", folder / "missing/t", std::string("/dev/null")}) {
    INFO(path);
    const auto saved = replace_file(path, "x");
    REQUIRE_FALSE(saved);
    CHECK(saved.error().kind == ErrorKind::io_failure);
    CHECK(saved.error().where == path);
  }
  const std::string longest = folder / (std::string(251, 'n') + ".csv");
  CHECK(replace_file(longest, "x"));
  CHECK(content_of(longest) == "x");
  CHECK(folder.names().size() == 3);
}
