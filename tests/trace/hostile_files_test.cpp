// Tests malicious traces: files with valid seals, crafted to do harm, must be rejected with a sentence, and this
// process must survive.

#ifdef KDSCOPE_HAS_HDF5
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

#include "algorithms/trace/child_process.hpp"
#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/trace/trace_structure.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/trace/trace_files.hpp"

namespace kdscope::hostile_files_test {
using namespace kdscope::tests;
using namespace std::chrono_literals;

namespace {

/// Replaces a data set by one with these options, without writing values. Closes the options.
void replace(hid_t file, const char* name, hid_t type, hsize_t count, hid_t options) {
  REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT);
  REQUIRE(set >= 0);
  H5Dclose(set);
  H5Pclose(options);
  H5Sclose(space);
}

hid_t options() { return H5Pcreate(H5P_DATASET_CREATE); }

hid_t chunked(hsize_t chunk) {
  const hid_t options = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(options, 1, &chunk);
  return options;
}

/// Returns the error of loading a good trace after `change`: where and what, without the common remedy.
template <class F>
std::string sentence_after(F&& change) {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*ten_point_beginning(), path));
  tampered(path, change);
  const std::string message = refused(path).message();
  const std::string remedy = "; record it again, or ask for another copy.";
  REQUIRE(message.ends_with(remedy));
  return message.substr(path.size(), message.size() - path.size() - remedy.size());
}

constexpr const char* values = "arrays/tags/values";

}  // namespace

TEST_CASE("values outside of the file are refused before they are read") {
  CHECK(sentence_after([](hid_t f) {
          const hid_t external = options();
          REQUIRE(H5Pset_external(external, "/etc/hostname", 0, 80) >= 0);
          replace(f, values, H5T_STD_U32LE, 20, external);
        }) == ", /arrays/tags/values: keeps its values in another file, as no trace does");
  for (const char* source : {"/tmp/other.h5", "."})
    CHECK(sentence_after([&](hid_t f) {
            const hsize_t count = 20;
            const hid_t space = H5Screate_simple(1, &count, nullptr), pieced = options();
            REQUIRE(H5Pset_virtual(pieced, space, source, "/steps/level", space) >= 0);
            H5Sclose(space);
            replace(f, values, H5T_STD_U32LE, 20, pieced);
          }) == ", /arrays/tags/values: takes its values from other data sets, as no trace does");
}

TEST_CASE("links other than one hard link to each object are refused") {
  CHECK(sentence_after([](hid_t f) {
          REQUIRE(H5Lcreate_soft("/steps/level", f, "steps/more", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        }) == ", /steps/more: is a soft link, which no trace has");
  CHECK(sentence_after([](hid_t f) {
          REQUIRE(H5Lcreate_external("/tmp/other.h5", "/", f, "steps/more", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        }) == ", /steps/more: is a link to another file, which no trace has");
  for (const char* object : {"/steps/level", "/steps", "/"})
    CHECK(sentence_after([&](hid_t f) {
            REQUIRE(H5Lcreate_hard(f, object, f, "zz", H5P_DEFAULT, H5P_DEFAULT) >= 0);
          }) == ", /zz: has another name, too, as no object of a trace has");
}

TEST_CASE("objects, types and compression that no trace has are refused") {
  CHECK(sentence_after([](hid_t f) {
          H5Gclose(H5Gcreate2(f, "arrays/tags/below", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        }) == ", /arrays/tags/below: lies deeper than the groups of a trace");
  CHECK(sentence_after([](hid_t f) {
          const hid_t type = H5Tcopy(H5T_NATIVE_INT);
          REQUIRE(H5Tcommit2(f, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
          H5Tclose(type);
        }) == ", /type: is neither a group nor a data set");
  CHECK(sentence_after([](hid_t f) {
          const hid_t lists = H5Tvlen_create(H5T_NATIVE_INT);
          replace(f, values, lists, 20, options());
          H5Tclose(lists);
        }) == ", /arrays/tags/values: is of a type that a trace does not have");
  CHECK(sentence_after([](hid_t f) { replace(f, values, H5T_STD_U32LE, 300'000, chunked(300'000)); }) ==
        ", /arrays/tags/values: has chunks larger than those of a trace");
  CHECK(sentence_after([](hid_t f) {
          const hid_t twice = chunked(20);
          H5Pset_deflate(twice, 9);
          H5Pset_deflate(twice, 9);
          replace(f, values, H5T_STD_U32LE, 20, twice);
        }) == ", /arrays/tags/values: is compressed as no trace is");
  CHECK(sentence_after([](hid_t f) {
          const hid_t summed = chunked(20);
          H5Pset_fletcher32(summed);
          replace(f, values, H5T_STD_U32LE, 20, summed);
        }) == ", /arrays/tags/values: is compressed as no trace is");
}

TEST_CASE("texts of variable length are refused from format 5 on") {
  const auto variable = [] {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  };
  CHECK(sentence_after([&](hid_t f) { replace(f, "steps/title", variable(), 3, options()); }) ==
        ", /steps/title: holds texts of variable length, which no trace has since format 5");
  CHECK(sentence_after([&](hid_t f) {
          const hid_t type = variable(), space = H5Screate(H5S_SCALAR);
          const hid_t attribute = H5Acreate2(f, "more", type, space, H5P_DEFAULT, H5P_DEFAULT);
          const char* text = "text";
          REQUIRE(H5Awrite(attribute, type, &text) >= 0);
          H5Aclose(attribute);
          H5Sclose(space);
          H5Tclose(type);
        }) == ", /, attribute more: holds texts of variable length, which no trace has since format 5");
}

TEST_CASE("sizes that a file claims are bounded before memory is taken for them") {
  CHECK(sentence_after([](hid_t f) { replace(f, values, H5T_STD_U32LE, 1ull << 40, chunked(1024)); }) ==
        ", /arrays/tags/values: is longer than the bytes stored for it");
  CHECK(sentence_after([](hid_t f) { replace(f, values, H5T_STD_U32LE, 1ull << 62, chunked(1024)); }) ==
        ", /arrays/tags/values: is longer than the bytes stored for it");

  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  REQUIRE(save_trace(*random_trace(4, 3, 200'000), path));
  const std::uint64_t bytes = fs::file_size(path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const std::uint64_t claimed = hdf5::check_structure(file, {bytes, ~0ull, false});
  REQUIRE(claimed > 200'000);
  REQUIRE(hdf5::check_structure(file, {bytes, claimed, false}) == claimed);
  const auto sentence = [&](const hdf5::StructureBounds& bounds) -> std::string {
    try {
      hdf5::check_structure(file, bounds);
      return "";
    } catch (const ErrorException& e) {
      return e.what();
    }
  };
  CHECK(sentence({bytes, claimed - 1, false}).find("the trace takes more than") != std::string::npos);
  CHECK(sentence({1000, claimed, false}).find("stores more bytes than the file has left for it") != std::string::npos);
  H5Fclose(file);
}

TEST_CASE("paths deeper than views can show are refused") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  Trace trace = *ten_point_beginning();
  trace.steps[1].path = std::vector<std::string>(64, "x");
  REQUIRE(save_trace(trace, path));
  REQUIRE(load_trace(path));
  trace.steps[1].path = std::vector<std::string>(100'000, "x");
  REQUIRE(save_trace(trace, path));
  REQUIRE(refused(path).message() == path + ", step 1: its path has 100000 phases, at most 64 are possible.");
}

TEST_CASE("a damaged heap of texts ends the process that reads it, not this one") {
  const Folder folder;
  const std::string path = folder.file("a.kdtrace");
  const std::string good = content_of(KDSCOPE_SOURCE_DIR "/tests/trace/format-4.kdtrace");
  // A heap begins with its signature, version and size. The first object's size follows its number and count.
  for (const std::uint64_t size : {~0ull, 1ull << 40, 1ull << 20, 0ull}) {
    std::string bytes = good;
    for (std::size_t heap = 0; (heap = bytes.find("GCOL", heap)) != std::string::npos; ++heap)
      std::memcpy(&bytes[heap + 24], &size, sizeof size);
    put(path, bytes);
    REQUIRE(seal_file(path));
    INFO(refused(path).message());
    CHECK_FALSE(refused(path).what.empty());
  }
}

namespace {

/// Returns the byte that a child process running `work` sends, or the sentence with which it ends.
std::string outcome(const std::function<void()>& work, ChildLimits limits = {}) {
  const Descriptor file(::open("/dev/null", O_RDONLY));
  try {
    ChildProcess child(file.number(), limits, work);
    char sent = 0;
    child.read_some(&sent, 1);
    return {sent};
  } catch (const ErrorException& e) {
    return e.error().what;
  }
}

void send(bool good) {
  trace_stream::Sender out(ChildProcess::pipe_descriptor);
  char answer = good ? 'y' : 'n';
  out(answer);
  out.flush();
}

}  // namespace

TEST_CASE("a child process that crashes, loops, waits or sends nothing gives a sentence") {
  CHECK(outcome([] { send(true); }) == "y");
  CHECK(outcome([] {}) == "cannot be read: HDF5 ended the process that reads it");
  CHECK(outcome([] { std::raise(SIGSEGV); }) == "makes HDF5 crash (Segmentation fault)");
  CHECK(outcome([] { throw 1; }) == "makes HDF5 crash (Aborted)");
  const auto stays = [] {
    ::close(ChildProcess::pipe_descriptor);
    for (;;) ::pause();
  };
  CHECK(outcome(stays) == "makes HDF5 crash (Killed)");
  ChildLimits limits;
  limits.processor_seconds = 1;
  const auto loop = [] {
    for (std::atomic<int> turns = 0;; ++turns) {
    }
  };
  CHECK(outcome(loop, limits) == "takes longer to read than a file of its size can");
  limits.silence = 50ms;
  CHECK(outcome(
            [] {
              for (;;) ::pause();
            },
            limits) == "makes HDF5 hang");
}

TEST_CASE("a child process opens no file, writes none, and has the memory that it is given") {
  CHECK(outcome([] { send(::open("/dev/null", O_RDONLY) < 0); }) == "y");
  CHECK(outcome([] { send(::socket(AF_UNIX, SOCK_STREAM, 0) < 0); }) == "y");
  // The child can write neither to a file nor to the terminal of this process.
  CHECK(outcome([] { send(::write(STDERR_FILENO, "x", 1) < 0 && ::write(3, "x", 1) < 0); }) == "y");
// Sanitizers allocate from address space that is already mapped.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto allocates = [](std::size_t bytes) {
    return [bytes] {
      void* volatile memory = std::malloc(bytes);
      send(memory != nullptr);
    };
  };
  ChildLimits limits;
  limits.memory_bytes = 64 << 20;
  CHECK(outcome(allocates(8 << 20), limits) == "y");
  CHECK(outcome(allocates(128 << 20), limits) == "n");
#endif
}
#endif

}  // namespace kdscope::hostile_files_test
