#include "tests/fuzz/seeds.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "algorithms/registry/tuning_file.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/session/session_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/full_session.hpp"
#include "tests/support/some_results.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::fuzz {
namespace {

struct Seed {
  FileFormat format;
  std::string bytes;
};

std::vector<Seed> all_point_seeds() {
  using U8 = std::uint8_t;
  const std::string pcd =
      "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z _\nSIZE 4 4 4 1\nTYPE F F F U\nCOUNT 1 1 1 2\nWIDTH 2\n"
      "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ";
  const auto ply = [](const std::string& format) {
    return "ply\nformat " + format +
           " 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty short z\n"
           "element face 2\nproperty list uchar int vertex_indices\nproperty uint tag\nend_header\n";
  };
  FileBytes rows(pcd + "binary\n"), packed(pcd + "binary_compressed\n");
  for (int i = 0; i < 2; ++i) rows.add(1.f, 2.f, 3.f, U8{0}, U8{0});
  packed.add(std::uint32_t{5 + 9}, std::uint32_t{28});  // 5 literals, then copies
  packed.add(U8{4}, 1.f, U8{7}, U8{0xe0}, U8{2}, U8{2}, U8{0xe0}, U8{0}, U8{1}, U8{0x20}, U8{0});
  std::vector<Seed> all = {
      {FileFormat::csv, "x,y,z\n1,2,3\n-4.5,5e3,+6\n7,8,9\n"},
      {FileFormat::csv, "1,2\r\n3,4\r\n2147483647,-2147483648\r\n"},
      {FileFormat::csv, "# by a test\n\"\",\"x, in mm\",\"y\"\r0,\"1.5\",2\r# between\r1,3,4e1\r"},
      {FileFormat::csv, std::string("\xff\xfe"
                                    "1\0;\0"
                                    "2\0\n\0"
                                    "3\0;\0"
                                    "4\0",
                                    16)},
      {FileFormat::ply,
       "ply\rformat ascii 1.0\relement vertex 4\rproperty float x\rproperty float y\relement tristrips 1\r"
       "property list int int vertex_indices\rend_header\r0 0\r1 0\r1 1.5\r0 1\r6 0 1 2 -1 1 2\r"},
      {FileFormat::obj, "V 2 1 0\nv 0 0 0\nv 4 0 0\nv 2 4 0.5\nf 2/ 1// \\\n 3 4\nf 1 2 3\n"},
      {FileFormat::stl,
       "SOLID s\rFACET NORMAL 0 0 1\rOUTER LOOP\rVERTEX 0 0 0\rVERTEX 1 0 0\rVERTEX 0 1 0\rEND LOOP\r"
       "ENDFACET\rEND SOLID\r"},
      {FileFormat::csv, "sep=;\nid;x;y;\n1;3;2;\n2;9007199254740993;1;\n"},
      {FileFormat::csv, "\"x\" \"y\"\n\"1\" 0.5 2\n\"2\" 3 4.5\n"},
      {FileFormat::xyz, "2\n1.5 2 3 255 0 9\n4 5 6 1 2 3\n"},
      {FileFormat::obj, "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 3 3 0\nv 3 6 0\nv 6 6 0\nf 1 2 3 4 1 5 6 7 5\n"},
      {FileFormat::xyz, "# points\n1 2 3\n4\t5 6.25\n\n-7 8e-2 9\n"},
      {FileFormat::npy,
       npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }").add(1.f, 2.f, 3.f, 4.f, 5.f, 6.f).str()},
      {FileFormat::npy, npy_file("{'descr': '>i8', 'fortran_order': True, 'shape': (2, 1), }", 2, std::endian::big)
                            .add(std::int64_t{1}, std::int64_t{-2})
                            .str()},
      {FileFormat::npy, npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 3).add(1., 2., 3.).str()},
      {FileFormat::pcd, pcd + "ascii\n1 2 3 0 0\n4 5 6.5 0 1\n"},
      {FileFormat::pcd, rows.str()},
      {FileFormat::pcd, packed.str()},
      {FileFormat::ply, ply("ascii") + "0 0 0\n1 0 0\n1 1.5 0\n0 1 -1\n4 0 1 2 3 7\n3 0 1 3 8\n"},
      {FileFormat::obj,
       "# a mesh\nv 0 0 0\nv 1 0 0\nv 1 1 0.5\nvt 0 0\nvn 0 0 1\nf 1 2 3\nf -3//1 -2//1 -1//1\n"
       "f 1/1/1 2/1 3/1/1\nv 0 1 0\nf 1 2 3 4\n"},
      {FileFormat::stl,
       "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\n"
       "endfacet\nendsolid s\n"},
      {FileFormat::stl, FileBytes(std::string(80, ' '))
                            .add(std::uint32_t{1}, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f)
                            .add(0.f, 1.f, 0.f, std::uint16_t{0})
                            .str()},
  };
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    FileBytes file(ply(order == std::endian::little ? "binary_little_endian" : "binary_big_endian"), order);
    for (int i = 0; i < 4; ++i) file.add(1.f * i, 2. * i, static_cast<std::int16_t>(i));
    file.add(U8{4}, 0, 1, 2, 3, 7u).add(U8{3}, 0, 1, 3, 8u);
    all.push_back({FileFormat::ply, file.str()});
  }
  return all;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<std::string> point_seeds(FileFormat format) {
  std::vector<std::string> seeds;
  for (const Seed& seed : all_point_seeds())
    if (seed.format == format) seeds.push_back(seed.bytes);
  return seeds;
}

std::vector<std::string> specification_seeds() {
  std::vector<std::string> seeds;
  for (const DataSource& source : data_sources()) {
    std::string all = source.id;
    for (const DataParameter& p : source.parameters)
      all += (all == source.id ? ":" : ",") + p.name + "=" +
             (p.choices.empty() ? std::to_string(p.max) : p.choices.back());
    seeds.push_back(all);
  }
  return seeds;
}

std::vector<std::string> pasted_seeds() {
  return {"1,2\n3,4\n", "x\ty\r\n0.5\t-2e3\r\n3\t4\r\n", "  1   2 7\n3 4 -2147483648\n\n", "0.1\n1e-45\n3.4e38\n"};
}

const Device& tuned_device() {
  static const Device device{Backend::cuda, 0, "A \"big\" GPU, 80/2", 0, "", 0};
  return device;
}

std::vector<std::string> tuning_seeds() {
  return {
      tuning_text(tuned_device(), {{"wehr", "threads", 2000, "64", 0.125}, {"wehr", "threads", 500000, "1024", 2.5}}),
      tuning_text(tuned_device(), {})};
}

std::vector<std::string> window_option_seeds() {
  return {"--data=uniform:n=1000,dim=2\n--step\n7\n--size\n1280x720\n--text-scale\n200%\n--theme\ndark\n",
          "a.kdtrace\n--render\nf.mp4\n--speed\n2.5\n--frames-per-step\n4\n--frames-per-stop\n9\n--steps\n3-17\n",
          "--lesson\nwald/ten-points\n--layout=debug\n--backend=cpu\n--fresh\n"};
}

std::vector<std::string> command_option_seeds() {
  return {"--n=17\nf.csv\n", "--n\n3M\n--all\n--\n-x\n", "--n\n900K\n"};
}

std::vector<std::string> lesson_seeds() {
  if (!lessons_available()) return {};
  return {bytes_of(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/ten-points.md"),
          bytes_of(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/six-points.md"),
          "---\ntitle: T\nsource: S\ndata: wald-10\nalgorithm: wald\nparameters:\n  sort: radix\norder: 3\n---\n"
          "## One\n```stop\nselect: level 0 / sort\nshows:\n  tags: 0*10\n  index: 0 5 4 ...\n"
          "questions:\n  - {ask: a, answer: b}\n```\nBecause.\n",
          "---\ntitle: T\nsource: S\ndata: wald-10\nalgorithm: wald\naim: A\nminutes: 9\nbuilds_on: a/b\n---\n"
          "## One\n```stop\nselect: level 0 / sort\npanes: tree view\nrows: [tags]\nnotes: n\nquestions:\n"
          "  - {ask: a, answer: b, hint: c, expects: {split: 4.5, dimension: 0, within: 1}, hides: marks tree}\n"
          "  - {ask: a, answer: b, expects: {choice: x, among: [x, y]}, hides_rows: [tags]}\n"
          "  - {ask: a, answer: b, expects: {cell: 3, row: tags}}\n```\nBecause.\n"};
}

std::vector<std::string> session_seeds() {
  if (!session_files_available()) return {};
  return {session_text(full_session()), session_text(SavedSession())};
}

std::vector<std::string> results_seeds() { return {results_text(test::some_results("Anna")), results_text({"B", {}})}; }

std::vector<std::string> trace_seeds() {
  if (!trace_files_available()) return {};
  std::vector<std::string> seeds;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("kdscope-seed-" + std::to_string(::getpid()) + ".kdtrace");
  if (save_trace(*tests::ten_point_beginning(), path)) seeds.push_back(bytes_of(path));
  std::filesystem::remove(path);
  seeds.push_back(bytes_of(KDSCOPE_SOURCE_DIR "/tests/trace/format-4.kdtrace"));
  for (std::string& seed : seeds) seed.erase(0, seal_bytes);
  return seeds;
}

}  // namespace kdscope::fuzz
