// Tests that broken files are rejected with one clear sentence that names the place.

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

struct BrokenFile {
  FileFormat format;
  std::string bytes;
  std::string where;  ///< the complete place
  std::string what;   ///< a part of the sentence
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  while (times-- > 0) all += text;
  return all;
}

std::string byte(std::size_t offset) { return std::string("f, byte ") + std::to_string(offset); }

void check(const std::vector<BrokenFile>& files) {
  for (const BrokenFile& file : files) {
    INFO("bytes: " << file.bytes.substr(0, 200));
    const Result<DataSet> set = parse_points(file.format, file.bytes, "f");
    if (set) {
      FAIL_CHECK("accepted");
      continue;
    }
    INFO("message: " << set.error().message());
    CHECK(set.error().kind == ErrorKind::bad_input);
    CHECK(set.error().where == file.where);
    CHECK(set.error().what.find(file.what) != std::string::npos);
    CHECK(set.error().message().find('\n') == std::string::npos);
  }
}

std::string npy(const std::string& type, const std::string& shape) {
  return npy_file("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "}").str();
}

std::string pcd(const std::string& points, const std::string& data) {
  return "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH " + points + "\nHEIGHT 1\nPOINTS " + points +
         "\nDATA " + data + "\n";
}

std::string ply(const std::string& format, const std::string& vertices, const std::string& faces = "0") {
  return "ply\nformat " + format + " 1.0\nelement vertex " + vertices + "\nproperty float x\nproperty float y\n" +
         "property float z\nelement face " + faces + "\nproperty list uchar int vertex_indices\nend_header\n";
}

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("Every format refuses an empty file") {
  for (const FileFormat format : {FileFormat::csv, FileFormat::xyz, FileFormat::npy, FileFormat::pcd, FileFormat::ply,
                                  FileFormat::obj, FileFormat::stl}) {
    const Result<DataSet> set = parse_points(format, "", "f");
    REQUIRE(!set);
    CHECK(set.error().message() == "f: the file is empty.");
  }
}

TEST_CASE("Broken CSV and XYZ files") {
  using enum FileFormat;
  check({
      {csv, "\n\n", "f", "the file is empty"},
      {csv, "x,y\n", "f:1", "column names but no points"},
      {csv, "1,2,3\n4,5\n", "f:2", "this row has 2 values, the rows before it have 3"},
      {csv, "1,2\n4,5,6\n", "f:2", "this row has 3 values, the rows before it have 2"},
      {csv, "x,y,z\n1,2\n", "f:2", "this row has 2 values, the rows before it have 3"},
      {csv, "1,2\n3,\n", "f:2:3", "the value is empty"},
      {csv, "1,2\n\n3,4\n", "f:2", "this row is empty"},
      {csv, "1,2\n3, abc\n", "f:2:4", "\"abc\" is not a number"},
      {csv, "1,x\n3,4\n", "f:1:3", "\"x\" is not a number"},
      {csv, "x,y\n1,2\nx,y\n", "f:3:1", "\"x\" is not a number"},
      {csv, "1,0x10\n", "f:1:3", "\"0x10\" is not a number"},
      {csv, "1,2 3\n", "f:1:3", "\"2 3\" is not a number"},
      {csv, "1;2\n3;4,5\n", "f:2:3", "\"4,5\" is a number with a decimal comma"},
      {csv, "1,+-2\n", "f:1:3", "\"+-2\" is not a number"},
      {csv, std::string("1,\0\0\x01", 5), "f:1:3", "\"???\" is not a number"},
      {csv, "1," + repeated("a", 99) + "\n", "f:1:3", std::string("\"") + repeated("a", 24) + "...\" is not a number"},
      {csv, "1,1e39\n", "f:1:3", "\"1e39\" is too large for a 32-bit float"},
      {csv, "1," + repeated("9", 60) + "\n", "f:1:3", "is too large for a 32-bit float"},
      {csv, "1,-1e99999999999999999999\n", "f:1:3", "is too large for a 32-bit float"},
      {csv, "x,y\n1,2\n3,nan\n-inf,nan\n5,6\n7,Infinity\n", "f:3:3",
       "3 points are not finite, the first is point 1 with NaN as coordinate 1"},
      {csv, "1\n2\ninf\n", "f:3:1", "1 point is not finite: point 2 with infinity as coordinate 0"},
      {csv, std::string("0") + repeated(",0", 512) + "\n", "f:1", "points of 513 dimensions"},
      {xyz, "\n# nothing\n", "f", "the file holds no points"},
      {xyz, "1 2 3\n4 5\n", "f:2", "this row has 2 values, the rows before it have 3"},
      {xyz, "1 2 3\n4 5 6 7\n", "f:2", "this row has 4 values, the rows before it have 3"},
      {xyz, "1 2 3\n4  five 6\n", "f:2:4", "\"five\" is not a number"},
      {xyz, "1,2,3\n", "f:1:1", "\"1,2,3\" is not a number"},
      {xyz, "1 nan 3\n", "f:1:3", "1 point is not finite"},
      {xyz, repeated("0 ", 513), "f:1", "points of 513 dimensions"},
  });
}

TEST_CASE("Broken NPY files") {
  constexpr FileFormat format = FileFormat::npy;
  const std::string good = npy("<f4", "(1, 2)");
  check({
      {format, "\x93NUMPX", byte(0), "magic"},
      {format, std::string("\x93NUMPY\4\0", 8), byte(6), "version 4"},
      {format, std::string("\x93NUMPY\1\0", 8), byte(8), "ends within its header"},
      {format, std::string("\x93NUMPY\1\0\xff\xff{", 11), byte(11), "ends within its header"},
      {format, std::string("\x93NUMPY\2\0\xff\xff\xff\xff{", 13), byte(13), "ends within its header"},
      {format, npy_file("('descr')").str(), byte(10), "'{' is missing here"},
      {format, npy_file("{'descr': '<f4', 'shape': (1, 1)}").str(), byte(43), "lacks descr, fortran_order or shape"},
      {format, npy_file("{'descr': '<f4").str(), byte(20), "a quoted text is missing"},
      {format, npy_file("{'fortran_order': Maybe}").str(), byte(28), "neither True nor False"},
      {format, npy_file("{'colour': 1}").str(), byte(20), "\"colour\" is no key"},
      {format, npy("<f2", "(1, 1)"), byte(25), "type \"<f2\""},
      {format, npy("|O", "(1, 1)"), byte(24), "type \"|O\""},
      {format, npy_file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}").str(), byte(20),
       "structured"},
      {format, npy("<f4", "()"), byte(10), "0 dimensions"},
      {format, npy("<f4", "(1, 2, 3)"), byte(10), "3 dimensions"},
      {format, npy("<f4", "(1, -2)"), byte(64), "shape of the array is malformed"},
      {format, npy("<f4", "(1, 99999999999999999999)"), byte(64), "shape of the array is malformed"},
      {format, npy("<f4", "(3, 0)"), byte(10), "points of 0 dimensions"},
      {format, npy("<f4", "(3, 513)"), byte(10), "points of 513 dimensions"},
      {format, npy("<f4", "(1000000000000, 3)"), byte(10),
       "promises 1000000000000 x 3 values of 4 bytes, but only 0 bytes follow"},
      {format, npy("<f4", "(18446744073709551615, 512)"), byte(10), "but only 0 bytes follow"},
      {format, good + "abcdefg", byte(10), "but only 7 bytes follow"},
      {format, good + "abcdefghi", byte(good.size() + 8), "1 byte follows the last record"},
      {format, FileBytes(good).add(1.f, nan_value).str(), byte(good.size() + 4), "point 0 with NaN as coordinate 1"},
      {format, FileBytes(npy("<f8", "(1, 2)")).add(1.0, 1e39).str(), byte(good.size() + 8),
       "too large for a 32-bit float"},
      {format, FileBytes(npy("<i8", "(1, 2)")).add(std::int64_t{1}, std::int64_t{1} << 31).str(), byte(good.size() + 8),
       "2147483648 does not fit in a signed 32-bit integer"},
      {format, FileBytes(npy("<u8", "(1, 1)")).add(~std::uint64_t{0}).str(), byte(good.size()),
       "does not fit in a signed 32-bit integer"},
  });
}

TEST_CASE("Broken PCD files") {
  constexpr FileFormat format = FileFormat::pcd;
  const std::string six = FileBytes().add(1.f, 2.f, 3.f, 4.f, 5.f, 6.f).str();
  const std::size_t binary = pcd("2", "binary").size(), compressed = pcd("2", "binary_compressed").size();
  const auto packed = [](std::uint32_t size, std::uint32_t unpacked, const std::string& data) {
    return pcd("2", "binary_compressed") + FileBytes().add(size, unpacked).str() + data;
  };
  check({
      {format, "hello\n", "f:1", "\"hello\" has no value"},
      {format, "hello world\n", "f:1", "\"hello\" is no PCD header keyword"},
      {format, "FIELDS x y\nSIZE 4 4 4\n", "f:2", "SIZE has 3 values for 2 fields"},
      {format, "FIELDS x y\nSIZE 4 4\nTYPE F F\n", "f:3", "no DATA line"},
      {format, "FIELDS x y\nSIZE 4 4\nTYPE F F\nDATA ascii\n", "f:4", "neither POINTS nor WIDTH"},
      {format, "FIELDS x y\nSIZE 4 2\nTYPE F F\nWIDTH 1\nDATA ascii\n", "f:1", "field y has type F of 2 bytes"},
      {format, "FIELDS x y\nWIDTH 1\nDATA ascii\n", "f:1", "field x has type ? of 0 bytes"},
      {format, "FIELDS _\nSIZE 4\nTYPE F\nWIDTH 1\nDATA ascii\n1\n", "f:1", "points of 0 dimensions"},
      {format, "FIELDS h\nSIZE 4\nTYPE F\nCOUNT 513\nWIDTH 1\nDATA ascii\n1\n", "f:1", "points of 513 dimensions"},
      {format, "FIELDS h\nSIZE 4\nTYPE F\nCOUNT 99999999999\nDATA ascii\n", "f:4", "more than 1,000,000 values"},
      {format, "FIELDS x y\nSIZE 4 4\nTYPE F F\nWIDTH 2\nHEIGHT 2\nPOINTS 3\nDATA ascii\n", "f:6",
       "POINTS 3 is not WIDTH x HEIGHT, 4"},
      {format, "WIDTH -3\n", "f:1", "\"-3\" is no count"},
      {format, pcd("2", "base64"), "f:8", "\"base64\" is no way to store"},
      {format, pcd("1000000000000", "binary"), "f:8", "1000000000000 points"},
      {format, pcd("2147483647", "binary"), "f:7", "promises 2147483647 points, but only 0 bytes follow"},
      {format, pcd("2147483647", "ascii") + "1 2 3\n", "f:7", "promises 2147483647 points, but only 6 bytes follow"},
      {format, pcd("2", "ascii") + "1 2 3\n4 5 6\n7 8 9\n", "f:11", "a row follows the 2 promised points"},
      {format, pcd("2", "ascii") + "1.00 2.00 3.00\n", "f:9", "ends after 1 of 2 points"},
      {format, pcd("2", "ascii") + "1 2 3\n4 5\n7 8 9\n", "f:10:4", "too few values"},
      {format, pcd("2", "ascii") + "1 2 3 4\n5 6 7\n", "f:9:7", "too many values"},
      {format, pcd("2", "ascii") + "1 2 3\n4 5 six\n", "f:10:5", "\"six\" is not a number"},
      {format, pcd("2", "ascii") + "1 2 3\n4 5 nan\n", "f:10:5",
       "1 point is not finite: point 1 with NaN as coordinate 2"},
      {format, pcd("2", "binary") + six.substr(1), "f:7", "promises 2 points, but only 23 bytes follow"},
      {format, pcd("2", "binary") + six + "x", byte(binary + 24), "1 byte follows the last record"},
      {format, FileBytes(pcd("2", "binary")).add(1.f, 2.f, 3.f, 4.f, infinite, 6.f).str(), byte(binary + 16),
       "point 1 with infinity as coordinate 1"},
      {format, pcd("2", "binary_compressed") + "1234", byte(compressed), "ends before the sizes"},
      {format, packed(100, 24, "x"), "f:7", "but only 9 bytes follow"},
      {format, packed(25, 25, std::string("\x17") + six), byte(compressed),
       "hold 25 bytes, but the header promises 2 points of 12"},
      {format, packed(25, 24, std::string("\x18") + six), byte(compressed), "damaged"},
      {format, packed(24, 24, std::string("\x17") + six.substr(1)), byte(compressed), "damaged"},
      {format, packed(3, 24, std::string("\x00\x01\x20", 3)), byte(compressed), "damaged"},
      {format, packed(4, 24, std::string("\x00\x01\x20\x01", 4)), byte(compressed), "damaged"},
      {format, packed(0, 24, ""), byte(compressed), "cannot hold 24 bytes"},
  });
}

TEST_CASE("Broken PLY files") {
  constexpr FileFormat format = FileFormat::ply;
  const std::string little = ply("binary_little_endian", "3", "1");
  const std::size_t data = little.size();
  const std::string corners = FileBytes().add(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f).str();
  const auto face = [](std::uint8_t count, std::int32_t a, std::int32_t b, std::int32_t c) {
    return FileBytes().add(count, a, b, c).str();
  };
  const std::string text = "0 0 0\n1 0 0\n0 1 0\n";
  check({
      {format, "plyx\n", "f:1", "does not begin with \"ply\""},
      {format, "ply\nend_header\n", "f:2", "no format line"},
      {format, "ply\nformat ascii 2.0\n", "f:2", "version \"2.0\""},
      {format, "ply\nformat binary 1.0\n", "f:2", "\"binary\" is no PLY format"},
      {format, "ply\nformat ascii 1.0\nelement vertex many\n", "f:3", "\"many\" is no count"},
      {format, "ply\nformat ascii 1.0\nproperty float x\n", "f:3", "before the first element"},
      {format, "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", "f:4", "\"half\" is no PLY number type"},
      {format, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n", "f:4", "no property of a name and a type"},
      {format, "ply\nformat ascii 1.0\nelement v 1\nproperty list float int x\n", "f:4", "must have an integer type"},
      {format, "ply\nformat ascii 1.0\nelephant\n", "f:3", "\"elephant\" is no PLY header keyword"},
      {format, "ply\nformat ascii 1.0\nelement vertex 1\n", "f:3", "no end_header line"},
      {format, "ply\nformat ascii 1.0\nend_header\n", "f:3", "declares no element vertex"},
      {format, "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n", "f:3",
       "no properties x, y, z"},
      {format, "ply\nformat binary_little_endian 1.0\nelement vertex 0\nelement gap 9\nend_header\n", "f:4",
       "element gap has no properties"},
      {format, ply("ascii", "1000000000000"), "f:3", "promises 1000000000000 elements 'vertex', but only 1 bytes"},
      {format, ply("binary_big_endian", "1000000000000"), "f:3",
       "promises 1000000000000 elements 'vertex', but only 0 bytes are left"},
      {format, ply("binary_little_endian", "18446744073709551615"), "f:3", "promises 18446744073709551615"},
      {format, ply("ascii", "3") + "0 0 0\n1 0 0\n", "f:3", "promises 3 elements 'vertex', but only 13 bytes"},
      {format, ply("ascii", "3") + "0.00 0.00 0.00\n1 0 0\n", "f:11", "the file ends before the last vertex"},
      {format, ply("ascii", "3") + "0 0 0\n1 0\n0 1 0 0 0 0\n", "f:11:4", "too few values"},
      {format, ply("ascii", "3") + "0 0 0\n1 0 0 0\n0 1 0\n", "f:11:7", "too many values"},
      {format, ply("ascii", "3") + "0 0 0\n1 abc 0\n0 1 0\n", "f:11:3", "\"abc\" is not a number"},
      {format, ply("ascii", "3") + "0 0 0\n1 0 nan\n0 inf 0\n", "f:11:5",
       "2 points are not finite, the first is point 1"},
      {format, ply("ascii", "3") + text + "3 0 1 2\n", "f:13", "a row follows the last element"},
      {format, ply("ascii", "3", "1") + text + "3 0 1 3\n", "f:13:7",
       "names vertex 3, but there are 3 (counted from 0)"},
      {format, ply("ascii", "3", "1") + text + "3 0 -1 2\n", "f:13:5", "names vertex -1"},
      {format, ply("ascii", "3", "1") + text + "3 0 1.5 2\n", "f:13:5", "\"1.5\" is no integer of the declared type"},
      {format, ply("ascii", "3", "1") + text + "300 0 1 2\n", "f:13:1", "\"300\" is no integer of the declared type"},
      {format, ply("ascii", "3", "1") + text + "2 0 1\n", "f:13:1", "a face has 2 vertices"},
      {format, ply("ascii", "3", "1") + text + "4 0 1 2\n", "f:13:8", "too few values"},
      {format, little + corners, "f:7", "promises 1 elements 'face', but only 0 bytes"},
      {format, little + corners + face(3, 0, 1, 2).substr(0, 12), byte(data + 48), "the file ends within element face"},
      {format, little + corners + face(200, 0, 1, 2), byte(data + 49), "the file ends within element face"},
      {format, little + corners + face(3, 0, 1, 2) + "x", byte(data + 49), "1 byte follows the last record"},
      {format, little + corners + face(3, 0, 1, 3), byte(data + 45), "names vertex 3, but there are 3"},
      {format, little + FileBytes().add(0.f, nan_value, 0.f).str() + corners.substr(12) + face(3, 0, 1, 2),
       byte(data + 4), "1 point is not finite: point 0 with NaN as coordinate 1"},
  });

  // Write big-endian bytes under a little-endian header.
  const std::string swapped = little + corners + FileBytes({}, std::endian::big).add(std::uint8_t{3}, 0, 1, 2).str();
  const Result<DataSet> set = parse_points(format, swapped, "f");
  REQUIRE(!set);
  CHECK(set.error().message() == byte(data + 41) +
                                     ": a face names vertex 16777216, but there are 3 (counted from 0); "
                                     "the bytes seem to be of the other order than the header says.");
}

TEST_CASE("Broken OBJ files") {
  constexpr FileFormat format = FileFormat::obj;
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  check({
      {format, "# only words\n", "f", "no vertices"},
      {format, "hello\n", "f:1:1", "\"hello\" is no OBJ statement"},
      {format, "v 1 2\n", "f:1", "a vertex has 2 values"},
      {format, "v 1 2 3 4 5 6 7 8\n", "f:1", "a vertex has 8 values"},
      {format, "v 1 two 3\n", "f:1:5", "\"two\" is not a number"},
      {format, "v 1 2 3 four\n", "f:1:9", "\"four\" is not a number"},
      {format, "v 1 2 inf\n", "f:1:7", "1 point is not finite: point 0 with infinity as coordinate 2"},
      {format, corners + "f 1 2\n", "f:4", "a face has 2 vertices"},
      {format, corners + "f 1 2 4\n", "f:4:7", "names vertex 4, but there are 3 (counted from 1)"},
      {format, corners + "f 1 2 99999999999\n", "f:4:7", "names vertex 99999999999"},
      {format, corners + "f 1 2 -4\nv 0 0 0\n", "f:4:7", "names vertex -4, but there are 3 so far"},
      {format, corners + "f 0 1 2\n", "f:4:3", "\"0\" is no corner"},
      {format, corners + "f 1 2 1.5\n", "f:4:7", "\"1.5\" is no corner"},
      {format, corners + "f 1 2 3///\n", "f:4:7", "\"3///\" is no corner"},
      {format, corners + "f 1 2 /3\n", "f:4:7", "\"/3\" is no corner"},
      {format, corners + "f 1 2 3/1/1/1\n", "f:4:7", "is no corner"},
      {format, corners + "f 1 2 3/0\n", "f:4:7", "is no corner"},
      {format, corners + "f 1 2 \\\nthree\n", "f:5:1", "\"three\" is no corner"},
      {format, corners + "f 1 two\\\n3\n", "f:4:5", "\"two\" is no corner"},
  });
}

TEST_CASE("Broken STL files") {
  constexpr FileFormat format = FileFormat::stl;
  const auto binary = [](std::uint32_t facets) { return FileBytes(std::string(80, '\0')).add(facets).str(); };
  const std::string facet =
      FileBytes().add(0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, std::uint16_t{0}).str();
  const std::string start = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
  check({
      {format, "hello\n", byte(6), "neither ascii STL"},
      {format, "solid\nendsolid\n", "f", "no facets"},
      {format, "solid\n", "f:1", "the file ends where \"endsolid\" is missing"},
      {format, start, "f:5", "the file ends where \"vertex\" is missing"},
      {format, start + "vertex 0 1\n", "f:6", "the file ends where \"a coordinate\" is missing"},
      {format, start + "vertex 0 1 endloop\n", "f:6:12", "\"endloop\" is not a number"},
      {format, start + "vertex 0 1 0\nvertex 1 1 1\n", "f:7:1", "\"vertex\" stands where \"endloop\" is missing"},
      {format, start + "vertex 0 1 NaN\nendloop\nendfacet\nendsolid\n", "f:6:12", "1 point is not finite"},
      {format, start + "vertex 0 1 1e99\nendloop\nendfacet\nendsolid\n", "f:6:12", "too large"},
      {format, "solid\nfacet abnormal\n", "f:2:7", "\"abnormal\" stands where \"normal\" is missing"},
      {format, binary(2) + facet, byte(80), "promises 2 facets of 50 bytes, but only 50 bytes follow"},
      {format, binary(4294967295u) + facet, byte(80), "promises 4294967295 facets"},
      {format, binary(1u << 24) + facet, byte(80), "promises 16777216 facets"},
      {format, binary(1) + facet + "x", byte(134), "1 byte follows the last record"},
      {format, binary(1) + facet.substr(0, 12) + FileBytes().add(infinite).str() + facet.substr(16), byte(96),
       "point 0 with infinity as coordinate 0"},
  });
}

TEST_CASE("Files that cannot be opened, and names that are nothing") {
  const auto message = [](const std::string& specification) {
    const auto set = open_data_set(specification);
    return set ? std::string("opened") : set.error().message();
  };
  const test::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path;
  const std::string odd = (folder / "points.dat").string(), csv = (folder / "Points.CSV").string();
  std::ofstream(odd) << "1,2\n";
  std::ofstream(csv) << "1,2\n3,4\n";
  CHECK(message(odd) == odd +
                            ": no format is known by the extension \".dat\"; name the file with one of .csv, .xyz, "
                            ".npy, .pcd, .ply, .obj, .stl.");
  CHECK(message(folder.string()) == folder.string() + ": this is no ordinary file; name a file.");
  CHECK(message((folder / "none.csv").string()) ==
        (folder / "none.csv").string() + ": there is no such file; check the path.");
  CHECK(message("bunnny") == "bunnny: there is no data set and no file of this name; try bunny.");
  const auto set = open_data_set(csv).value();
  CHECK(set->points.size() == 2);
  CHECK(set->name == csv);
}
