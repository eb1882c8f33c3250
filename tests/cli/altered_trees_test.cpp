// Tests altered tree files: verify detects the change if it has the tree's data, and reports the place.

#include "algorithms/registry/registry.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Returns the number of leaves made by a bound. The parameters of the run determine it, and a tree file does not
/// contain them.
std::uint32_t bounded_leaves(const std::string& bytes, bool as_csv) {
  const auto file = parse_tree(as_csv ? TreeFormat::csv : TreeFormat::npy, bytes, "f");
  return file && file->tree.is<SplitPlaneTree>() ? file->tree.as<SplitPlaneTree>().depth_bounded : 0;
}

}  // namespace

TEST_CASE("bytes of a tree file are not altered unseen") {
  const Folder folder;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const char* ending : {".csv", ".npy"}) {
      // Use coordinates other than 0, because no tree depends on the sign of 0.
      const std::string data = algorithm.takes_triangles ? folder.file("mesh.obj") : "uniform:n=9,dim=2,seed=3";
      put(folder.file("mesh.obj"), "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\nf 1 2 3\nf 1 2 4\n");
      const std::string path = folder.file("tree" + std::string(ending));
      REQUIRE(
          run({"build", "--algorithm", algorithm.id, "--data", data, "--backend", "cpu", "--tree-out", path}).code ==
          0);
      const std::string good = content_of(path);
      REQUIRE(run({"verify", path, "--data", data}).code == 0);
      for (std::size_t at = 0; at < good.size(); at += 5) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at / 5 % 8)));
        put(path, bytes);
        const CommandRun r = run({"verify", path, "--data", data});
        INFO(algorithm.id << ending << ", byte " << at << ": " << r.out);
        const bool as_csv = std::string(ending) == ".csv";
        CHECK((r.code != 0 || bounded_leaves(bytes, as_csv) != bounded_leaves(good, as_csv)));
      }
    }
}

TEST_CASE("what no check of a tree looks at is written as kdscope-cli writes it") {
  const Folder folder;
  const std::string path = folder.file("t.csv");
  const auto verified = [&](const std::string& text) {
    put(path, text);
    const CommandRun r = run({"verify", path});
    INFO(r.out << r.err);
    REQUIRE((r.code == 0 || r.code == 4));
    CHECK((r.code == 0) == contains(r.out, "ok      file: it reads as kdscope-cli writes this tree"));
    const std::size_t begin = r.out.find("line "), end = r.out.find(": it was altered");
    return r.code == 0 ? "" : r.out.substr(begin, end - begin);
  };
  CHECK(verified("original_index,split_dimension,x,y\n0,0,0.5,2.0\n") == "");
  CHECK(verified("original_index,split_dimension,x,y\r\n0,0,0.5,2.0") == "");
  CHECK(verified("original_index,split_dimension,x,9\n0,0,0.5,2.0\n") == "line 1, field 4, is '9', not 'y'");
  CHECK(verified("original_index,split_dimension,x,y\n0,0,.5,2.0\n") == "line 2, field 3, is '.5', not '0.5'");
  CHECK(verified("original_index,split_dimension,x,y\n0,0,0.5,2.\n") == "line 2, field 4, is '2.', not '2.0'");
  CHECK(verified("original_index,split_dimension,x,y\n0,0,0.5,2\n") == "line 2, field 4, is '2', not '2.0'");
  CHECK(verified("original_index,split_dimension,x,y\n00,0,0.5,2.0\n") == "line 2, field 1, is '00', not '0'");

  const std::string npy = folder.file("t.npy");
  REQUIRE(run({"build", "--data", "wald-10", "--backend", "cpu", "--tree-out", npy}).code == 0);
  std::string bytes = content_of(npy);
  const std::size_t padding = bytes.find(" \n");
  bytes[padding] = '\n';
  put(npy, bytes);
  CHECK(contains(run({"verify", npy}).out, "byte " + std::to_string(padding) + ": it was altered"));
}

TEST_CASE("a tree over triangles is held against those of its data") {
  const Folder folder;
  const std::string path = folder.file("t.csv");
  REQUIRE(run({"build", "--algorithm", "zhou-sah", "--data", "zhou-4", "--backend", "cpu", "--tree-out", path}).code ==
          0);
  CHECK(contains(run({"verify", path, "--data", "zhou-4"}).out, "ok      triangles"));
  std::string text = content_of(path);
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  text[last + 2] = text[last + 2] == '0' ? '1' : '0';
  put(path, text);
  CHECK(contains(run({"verify", path, "--data", "zhou-4"}).out,
                 "FAILED  triangles: the triangles are those of the data"));
}
