// Damaged files: whatever the bytes, a loader gives sound points or a sentence with a position, and never crashes.

#include "datasets/loaders/loaders.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "datasets/generators/counter_hash.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

struct Seed {
  FileFormat format;
  std::string bytes;
};

std::vector<Seed> seeds() {
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

/// A stream of choices.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : hash_(seed, 0) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : hash_.bits(counter_++) % n; }

 private:
  CounterHash hash_;
  std::uint64_t counter_ = 0;
};

/// One damage of the kinds that transfers, editors and attackers do.
void damage(std::string& bytes, const std::string& other, Dice& dice) {
  static const std::string tokens[] = {"nan",
                                       "-inf",
                                       "1e999",
                                       "-1",
                                       "0",
                                       "4294967296",
                                       "18446744073709551615",
                                       "1000000000000",
                                       "\n",
                                       "\r\n",
                                       ",",
                                       " ",
                                       "/",
                                       "(",
                                       "'",
                                       "list uchar int a",
                                       std::string(1, '\0'),
                                       std::string(4, '\xff'),
                                       std::string("\0\0\0\x7f", 4)};
  const std::size_t at = dice.below(bytes.size() + 1);
  switch (dice.below(7)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(dice.below(256));
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(at, dice.below(9));
      break;
    case 4:
      bytes.insert(at, bytes, dice.below(bytes.size()), dice.below(40));
      break;
    case 5: {
      const std::string& token = tokens[dice.below(std::size(tokens))];
      bytes.replace(at, dice.below(token.size() + 1), token);
      break;
    }
    default:
      bytes.replace(at, dice.below(40), other, dice.below(other.size()), dice.below(60));
  }
}

/// What is wrong with a result, or nothing.
std::string unsound(const Result<DataSet>& result, std::size_t bytes) {
  if (!result) {
    const Error& error = result.error();
    if (error.what.empty() || error.message().find('\n') != std::string::npos) return "no clear sentence";
    return error.where.starts_with("f") ? "" : "no position";
  }
  const PointSet& points = result->points;
  if (points.dim < 1 || points.dim > 512 || points.words.size() % points.dim != 0) return "no whole points";
  if (points.words.size() > 100 * bytes) return "more points than the bytes can hold";
  for (const std::uint32_t word : points.words)
    if (!std::isfinite(scalar_value(word, points.type))) return "a point that is not finite";
  if (result->triangles.size() % 3 != 0) return "no whole triangles";
  for (const std::uint32_t vertex : result->triangles)
    if (vertex >= points.size()) return "a triangle without its vertex";
  if (!result->column_names.empty() && result->column_names.size() != points.dim) return "too few column names";
  return "";
}

}  // namespace

TEST_CASE("Loaders survive damaged files") {
  const std::vector<Seed> good = seeds();
  for (const Seed& seed : good) {
    const Result<DataSet> set = parse_points(seed.format, seed.bytes, "f");
    if (!set) FAIL(set.error().message());
  }

  constexpr std::uint64_t rounds = 300'000;
  std::uint64_t accepted = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Dice dice(round);
    const Seed& seed = good[dice.below(good.size())];
    std::string bytes = seed.bytes;
    for (std::size_t times = 1 + dice.below(4); times > 0; --times)
      damage(bytes, good[dice.below(good.size())].bytes, dice);
    std::string wrong;
    try {
      const Result<DataSet> result = parse_points(seed.format, bytes, "f");
      accepted += result.has_value();
      wrong = unsound(result, bytes.size());
    } catch (const std::exception& e) {
      wrong = std::string("an exception: ") + e.what();
    }
    if (!wrong.empty()) FAIL_CHECK("round " << round << ": " << wrong << "\n" << bytes);
  }
  // Both outcomes are well covered.
  CHECK(accepted > rounds / 50);
  CHECK(accepted < rounds / 2);
}
