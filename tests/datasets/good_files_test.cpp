// Results of the loaders for well-formed files.

#include <clocale>
#include <cmath>
#include <locale>
#include <vector>

#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::good_files_test {

namespace {

DataSet parsed(FileFormat format, const std::string& bytes) {
  const Result<DataSet> set = parse_points(format, bytes, "file");
  if (!set) FAIL(set.error().message());
  return *set;
}

/// Returns all coordinates, point after point.
std::vector<double> values(const DataSet& set) {
  std::vector<double> all;
  for (std::size_t i = 0; i < set.points.size(); ++i)
    for (std::uint32_t d = 0; d < set.points.dim; ++d) all.push_back(set.points.value(i, d));
  return all;
}

using Values = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("CSV of whole numbers becomes int32, any other number makes all floats") {
  const DataSet whole = parsed(FileFormat::csv, "1,-2\n2147483647,-2147483648\n");
  CHECK(whole.points.type == ScalarType::int32);
  CHECK(values(whole) == Values{1, -2, 2147483647, -2147483648.0});
  CHECK(whole.column_names.empty());

  const DataSet mixed = parsed(FileFormat::csv, "16777217,-2\n0.5,3\n");
  CHECK(mixed.points.type == ScalarType::float32);
  CHECK(values(mixed) == Values{16777216, -2, 0.5, 3});  // 2^24 + 1 rounds to the even neighbour

  CHECK(parsed(FileFormat::csv, "2147483648\n").points.type == ScalarType::float32);
  CHECK(parsed(FileFormat::csv, "1.0\n").points.type == ScalarType::float32);
}

TEST_CASE(
    "CSV accepts a header, CRLF, blanks around values, a byte order mark, plus signs and a missing last line end") {
  const DataSet set = parsed(FileFormat::csv, "\xef\xbb\xbf\"width\", height\r\n +1 ,\t2.5\r\n-3e-1,4.\r\n5,.5");
  CHECK(set.column_names == Names{"width", "height"});
  CHECK(values(set) == Values{1, 2.5, static_cast<double>(-0.3f), 4, 5, 0.5});
  CHECK(set.name == "file");
}

TEST_CASE("Empty lines may end a CSV file") {
  CHECK(values(parsed(FileFormat::csv, "1\n2\n\n  \r\n")) == Values{1, 2});
}

TEST_CASE("Text is rounded once to the nearest float, tiny numbers to zero") {
  // Numbers near a half that rounding to double first would get wrong: 1 + 2^-24 + 2^-60 is above the half.
  const DataSet set = parsed(FileFormat::csv, "1.00000005960464477626,1e-300,-1e-5000,0.1,3.4028235e38\n");
  CHECK(values(set) == Values{1.00000011920928955078125, 0, 0, static_cast<double>(0.1f), 3.4028234663852886e38});
}

TEST_CASE("CSV takes 1 to 512 columns") {
  CHECK(parsed(FileFormat::csv, "7\n8\n").points.dim == 1);
  std::string row = "0";
  for (int d = 1; d < 512; ++d) row += ",0";
  const DataSet wide = parsed(FileFormat::csv, row + "\n" + row);
  CHECK(wide.points.dim == 512);
  CHECK(wide.points.size() == 2);
}

TEST_CASE("XYZ skips comments and empty lines and takes any blanks") {
  const DataSet set = parsed(FileFormat::xyz, "# made by hand\n\n 1 2\t3\r\n4  5 6.5 \n\n");
  CHECK(values(set) == Values{1, 2, 3, 4, 5, 6.5});
  CHECK(set.points.dim == 3);
}

TEST_CASE("NPY: number types, byte orders, versions, and Fortran order") {
  const auto header = [](const std::string& type, const std::string& shape, const std::string& fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  };
  const Values expected = {1, 2, 3, 4, 5, 6};
  for (const int version : {1, 2, 3}) {
    const DataSet set =
        parsed(FileFormat::npy, npy_file(header("<f4", "(2, 3)"), version).add(1.f, 2.f, 3.f, 4.f, 5.f, 6.f).str());
    CHECK(set.points.type == ScalarType::float32);
    CHECK(set.points.dim == 3);
    CHECK(values(set) == expected);
  }
  const std::int64_t one = 1;
  const DataSet longs = parsed(FileFormat::npy, npy_file(header("<i8", "(2, 1)")).add(one, -one).str());
  CHECK(longs.points.type == ScalarType::int32);
  CHECK(values(longs) == Values{1, -1});
  const DataSet big =
      parsed(FileFormat::npy, npy_file(header(">f8", "(3,)"), 1, std::endian::big).add(1.0, 2.5, 1e-60).str());
  CHECK(big.points.dim == 1);
  CHECK(values(big) == Values{1, 2.5, 0});
  const DataSet columns =
      parsed(FileFormat::npy, npy_file(header("<i4", "(2, 3)", "True")).add(1, 4, 2, 5, 3, 6).str());
  CHECK(values(columns) == expected);
  const DataSet bytes =
      parsed(FileFormat::npy, npy_file(header("|u1", "(1, 2)")).add(std::uint8_t{7}, std::uint8_t{255}).str());
  CHECK(values(bytes) == Values{7, 255});
  const DataSet none = parsed(FileFormat::npy, npy_file(header("<f4", "(0, 5)")).str());
  CHECK(none.points.dim == 5);
  CHECK(none.points.size() == 0);
}

TEST_CASE("PCD: ascii, binary and compressed give the same points; other fields are skipped") {
  const std::string head =
      "# .PCD v0.7\nVERSION 0.7\nFIELDS x intensity y z\nSIZE 4 1 4 4\nTYPE F U F F\nCOUNT 1 2 1 1\n"
      "WIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ";
  const Values expected = {1, 2, 3, -4, 5, 6};
  const DataSet text = parsed(FileFormat::pcd, head + "ascii\n1 7 7 2 3\n-4 8 8 5 6\n");
  CHECK(values(text) == expected);
  CHECK(text.column_names == Names{"x", "y", "z"});

  using U8 = std::uint8_t;
  const DataSet rows =
      parsed(FileFormat::pcd,
             FileBytes(head + "binary\n").add(1.f, U8{7}, U8{7}, 2.f, 3.f, -4.f, U8{8}, U8{8}, 5.f, 6.f).str());
  CHECK(values(rows) == expected);

  // Write field by field, as one run of 28 literals.
  FileBytes columns;
  columns.add(1.f, -4.f, U8{7}, U8{7}, U8{8}, U8{8}, 2.f, 5.f, 3.f, 6.f);
  const std::string compressed = "\x1b" + columns.str();
  FileBytes file(head + "binary_compressed\n");
  file.add(static_cast<std::uint32_t>(compressed.size()), std::uint32_t{28});
  CHECK(values(parsed(FileFormat::pcd, file.str() + compressed)) == expected);
}

TEST_CASE("PCD without x and y takes all fields, expanded by their counts") {
  const DataSet set =
      parsed(FileFormat::pcd, "FIELDS a h _\nSIZE 2 4 1\nTYPE I I U\nCOUNT 1 2 1\nWIDTH 1\nDATA ascii\n-3 4 5 0\n");
  CHECK(set.column_names == Names{"a", "h[0]", "h[1]"});
  CHECK(set.points.type == ScalarType::int32);
  CHECK(values(set) == Values{-3, 4, 5});
}

TEST_CASE("PCD's compressed copies may overlap what they write") {
  // 12 bytes 0x3f: one literal, then a copy of 11 from distance 1 (length code 7, 9 - 7 = 2 more, offset 0).
  FileBytes file(
      "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA binary_compressed\n");
  file.add(std::uint32_t{5}, std::uint32_t{12});
  const DataSet set = parsed(FileFormat::pcd, file.str() + std::string("\x00\x3f\xe0\x02\x00", 5));
  CHECK(set.points.words == std::vector<std::uint32_t>(3, 0x3f3f3f3f));
}

TEST_CASE("PLY: ascii and both binary orders, polygons cut into fans, other elements and properties skipped") {
  const auto header = [](const std::string& format) {
    return "ply\nformat " + format +
           " 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\n"
           "property float z\nproperty uchar red\nelement material 1\nproperty list uchar short codes\n"
           "element face 2\nproperty list uchar int vertex_indices\nproperty float quality\nend_header\n";
  };
  const Values expected = {0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 1, 0};
  const Indices triangles = {0, 1, 2, 0, 2, 3, 3, 1, 0};
  const DataSet text = parsed(FileFormat::ply, header("ascii") +
                                                   "0 0 0 255\n1 0 0 255\n1 1 .5 0\n0 1 0 0\n2 -1 7\n"
                                                   "4 0 1 2 3 0.5\n3 3 1 0 0.25\n");
  CHECK(values(text) == expected);
  CHECK(text.triangles == triangles);

  for (const std::endian order : {std::endian::little, std::endian::big}) {
    using U8 = std::uint8_t;
    FileBytes file(header(order == std::endian::little ? "binary_little_endian" : "binary_big_endian"), order);
    file.add(0.f, 0.f, 0.f, U8{1}, 1.f, 0.f, 0.f, U8{1}, 1.f, 1.f, .5f, U8{1}, 0.f, 1.f, 0.f, U8{1});
    file.add(U8{2}, std::int16_t{-1}, std::int16_t{7});
    file.add(U8{4}, 0, 1, 2, 3, 0.5f, U8{3}, 3, 1, 0, 0.25f);
    const DataSet set = parsed(FileFormat::ply, file.str());
    CHECK(values(set) == expected);
    CHECK(set.triangles == triangles);
  }
}

TEST_CASE("PLY of integers becomes int32, of doubles float32; z may lack; no vertices are fine") {
  const DataSet whole = parsed(FileFormat::ply,
                               "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty short y\n"
                               "end_header\n-7 9\n");
  CHECK(whole.points.type == ScalarType::int32);
  CHECK(values(whole) == Values{-7, 9});
  const DataSet doubles =
      parsed(FileFormat::ply, FileBytes("ply\r\nformat binary_little_endian 1.0\r\nelement vertex 1\r\n"
                                        "property double x\r\nproperty float64 y\r\nend_header\r\n")
                                  .add(0.1, 2.0)
                                  .str());
  CHECK(values(doubles) == Values{static_cast<double>(0.1f), 2});
  CHECK(parsed(FileFormat::ply,
               "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
               "property float z\nend_header\n")
            .points.size() == 0);
}

TEST_CASE("PLY: coordinates are found by name, in any order and between other properties") {
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const Values expected = {1, 2, 3, 4, 5, 6.5, 7, 8, 9};
  const DataSet text = parsed(FileFormat::ply,
                              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float z\nproperty float y\nproperty "
                              "float x\n" +
                                  faces + "3 2 1\n6.5 5 4\n9 8 7\n3 0 1 2\n");
  CHECK(values(text) == expected);
  CHECK(text.triangles == Indices{0, 1, 2});
  CHECK(text.column_names == std::vector<std::string>{"x", "y", "z"});
  FileBytes between(
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float y\nproperty uchar red\nproperty list "
      "uchar short tags\nproperty float z\nproperty float nx\nproperty float x\n" +
      faces);
  using U8 = std::uint8_t;
  for (const auto& [x, y, z] : {std::array{1.f, 2.f, 3.f}, {4.f, 5.f, 6.5f}, {7.f, 8.f, 9.f}})
    between.add(y, U8{99}, U8{2}, std::int16_t{77}, std::int16_t{78}, z, -1.f, x);
  between.add(U8{3}, 2, 1, 0);
  const DataSet binary = parsed(FileFormat::ply, between.str());
  CHECK(values(binary) == expected);
  CHECK(binary.triangles == Indices{2, 1, 0});
  const std::string flat = "ply\nformat ascii 1.0\nelement vertex 1\nproperty int y\nproperty int x\nend_header\n8 7\n";
  CHECK(values(parsed(FileFormat::ply, flat)) == Values{7, 8});
}

TEST_CASE("OBJ: every form of index, polygons, colours, and statements without geometry") {
  const DataSet set = parsed(FileFormat::obj,
                             "# by hand\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\n"
                             "vt 0 0\nvn 0 0 1\ns off\nf 1 2 3\nv 0 1 0\nf 1/1 2/1 3/1 4/1\n"
                             "f -4//1 -3//-1 -1//1 # fan\nf 1/1/1 2/1/1 4/1/1\nf 1 2 5\nv 9 9 9.5\n");
  CHECK(values(set) == Values{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 9, 9, 9.5});
  CHECK(set.triangles == Indices{0, 1, 2, 0, 1, 2, 0, 2, 3, 0, 1, 3, 0, 1, 3, 0, 1, 4});
  CHECK(set.points.type == ScalarType::float32);
}

TEST_CASE("STL: ascii and binary, equal corners become one vertex") {
  const std::string facet =
      "facet normal 0 0 nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  const std::string second =
      "  facet normal 0 0 1\n outer loop\n vertex 1 0 0\n vertex 1 1 0\n vertex -0.0 1 0\n endloop\n endfacet\n";
  const DataSet text =
      parsed(FileFormat::stl, "solid two words\n" + facet + "endsolid two words\nsolid\n" + second + "endsolid\n");
  const Values expected = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  const Indices triangles = {0, 1, 2, 1, 3, 2};
  CHECK(values(text) == expected);
  CHECK(text.triangles == triangles);

  // The header of a binary file may also begin with "solid".
  FileBytes file("solid binary" + std::string(68, ' '));
  file.add(std::uint32_t{2});
  file.add(0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, std::uint16_t{0});
  file.add(0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, -0.f, 1.f, 0.f, std::uint16_t{0});
  const DataSet set = parsed(FileFormat::stl, file.str());
  CHECK(values(set) == expected);
  CHECK(set.triangles == triangles);
}

TEST_CASE("CSV: names in comments, row numbers of data frames, Excel's separator line") {
  const DataSet commented = parsed(FileFormat::csv, "# made on Monday\n# x, y\n1,2.5\n# between\n4,5\n");
  CHECK(commented.column_names == Names{"x", "y"});
  CHECK(values(commented) == Values{1, 2.5, 4, 5});
  for (const char* text :
       {",x,y\n0,1.5,2\n5,3,4\n", "\"\",\"x\",\"y\"\n\"a\",1.5,2\n\"b\",3,4\n", "Unnamed: 0,x,y\n0,1.5,2\n1,3,4\n"}) {
    INFO(text);
    const DataSet framed = parsed(FileFormat::csv, text);
    CHECK(framed.column_names == Names{"x", "y"});
    CHECK(values(framed) == Values{1.5, 2, 3, 4});
    REQUIRE(framed.warnings.size() == 1);
    CHECK(framed.warnings[0].find("the first column has no name and is left out") != std::string::npos);
  }
  const DataSet numbered = parsed(FileFormat::csv, ",0,1\n0,1.5,2\n1,3,4\n");
  CHECK(values(numbered) == Values{1.5, 2, 3, 4});
  CHECK(values(parsed(FileFormat::csv, "sep=;\nx;y\n1;2\n")) == Values{1, 2});
  CHECK(parsed(FileFormat::csv, "my width\n1.5\n2\n").column_names == Names{"my width"});
  CHECK(parsed(FileFormat::csv, "a b,c d\n1,2\n").column_names == Names{"a b", "c d"});
}

TEST_CASE("polygons that are not convex are cut within their plane, convex ones into fans") {
  // Twice the area of all triangles, which is right only if none covers what is outside.
  const auto covered = [](const DataSet& set) {
    double sum = 0;
    for (std::size_t t = 0; t < set.triangles.size(); t += 3) {
      const auto at = [&](std::size_t c, std::uint32_t d) { return set.points.value(set.triangles[t + c], d); };
      double square = 0;
      for (std::uint32_t d = 0; d < 3; ++d) {
        const std::uint32_t e = (d + 1) % 3;
        const double normal =
            (at(1, d) - at(0, d)) * (at(2, e) - at(0, e)) - (at(1, e) - at(0, e)) * (at(2, d) - at(0, d));
        square += normal * normal;
      }
      sum += std::sqrt(square);
    }
    return sum;
  };
  // An arrow head of area 4, in three planes and from each corner.
  const double arrow[4][2] = {{0, 0}, {4, 0}, {2, 4}, {2, 1}};
  for (int first = 0; first < 4; ++first)
    for (int plane = 0; plane < 3; ++plane)
      for (const bool reversed : {false, true}) {
        std::string text;
        for (int i = 0; i < 4; ++i) {
          const double* corner = arrow[(first + (reversed ? 4 - i : i)) % 4];
          const double x = corner[0], y = corner[1], z = plane == 2 ? 3 * x - y : 7;
          text += plane == 1 ? "v 7 " + std::to_string(x) + " " + std::to_string(y) + "\n"
                             : "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
        }
        const DataSet set = parsed(FileFormat::obj, text + "f 1 2 3 4\n");
        INFO(text);
        CHECK(set.triangles.size() == 6);
        // The shoelace formula gives 2 * 6 - 2 * 2 for the arrow; the slanted plane is larger by the root of 11.
        const double shoelace = [&] {
          double sum = 0;
          for (int i = 0; i < 4; ++i) sum += arrow[i][0] * arrow[(i + 1) % 4][1] - arrow[(i + 1) % 4][0] * arrow[i][1];
          return std::abs(sum);
        }();
        CHECK(std::abs(covered(set) - shoelace * (plane == 2 ? std::sqrt(11.0) : 1)) < 1e-6);
        CHECK(set.warnings.empty());
      }
  // A comb with many teeth.
  std::string comb;
  std::string face = "f";
  const int teeth = 40;
  for (int i = 0; i < teeth; ++i) comb += "v " + std::to_string(i) + (i % 2 ? " 0.5 0\n" : " 9 0\n");
  comb += "v 39 0 0\nv 0 0 0\n";
  for (int i = 1; i <= teeth + 2; ++i) face += " " + std::to_string(i);
  const DataSet set = parsed(FileFormat::obj, comb + face + "\n");
  CHECK(set.triangles.size() == 3 * teeth);
  CHECK(std::abs(covered(set) - 2 * 39 * 4.75) < 1e-6);
  // The corners of this one cross.
  const DataSet crossed = parsed(FileFormat::obj, "v 0 0 0\nv 3 3 0\nv 3 0 0\nv 0 2 0\nf 1 2 3 4\n");
  REQUIRE(crossed.warnings.size() == 1);
  CHECK(crossed.warnings[0].starts_with("file: 1 polygon is not convex, and cannot be cut along diagonals"));
  CHECK(parsed(FileFormat::obj, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").triangles ==
        Indices{0, 1, 2, 0, 2, 3});
}

TEST_CASE("PLY: strips of triangles, and lists by unknown names that a warning counts") {
  const std::string vertices =
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n";
  const DataSet strips = parsed(FileFormat::ply, vertices +
                                                     "element tristrips 1\nproperty list int int vertex_indices\n"
                                                     "end_header\n" +
                                                     points + "9 0 1 2 3 -1 2 3 4 5\n");
  CHECK(strips.triangles == Indices{0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5});
  CHECK(strips.warnings.empty());
  const DataSet unknown =
      parsed(FileFormat::ply, vertices + "element facets 2\nproperty list uchar int corners\nend_header\n" + points +
                                  "3 0 1 2\n3 1 2 3\n");
  CHECK(unknown.triangles.empty());
  REQUIRE(unknown.warnings.size() == 1);
  CHECK(unknown.warnings[0].starts_with("file:7: 2 rows of element facets with a list of whole numbers are left out"));
}

TEST_CASE("bytes behind CR line ends are data, and records that do not fit the header are refused") {
  // The first byte of the data is a line feed.
  const std::string header =
      "ply\rformat binary_little_endian 1.0\relement vertex 1\rproperty uchar x\rproperty uchar y\rend_header\r";
  CHECK(values(parsed(FileFormat::ply, header + "\n\x05")) == Values{10, 5});
  // Rows of 16 bytes under a header of 12: the last zeros are the padding of points in a plane.
  FileBytes padded("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nDATA binary\n");
  padded.add(1.f, 2.f, 0.f, 0.f, 3.f, 4.f, 0.f, 0.f);
  CHECK_FALSE(parse_points(FileFormat::pcd, padded.str(), "file").has_value());
  // One facet has a colour, and more zeros follow than any writer appends.
  FileBytes facets(std::string(80, ' '));
  facets.add(std::uint32_t{1}, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, std::uint16_t{7});
  CHECK(parse_points(FileFormat::stl, facets.str(), "file").has_value());
  CHECK_FALSE(parse_points(FileFormat::stl, facets.str() + std::string(3, '\0'), "file").has_value());
  CHECK(parse_points(FileFormat::stl, facets.str() + std::string(7, '\0'), "file").has_value());
}

TEST_CASE("Parsing does not depend on the locale") {
  struct CommaForPoint : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaForPoint));
  const std::string before_c = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // if it is installed
  const Result<DataSet> csv = parse_points(FileFormat::csv, "0.5,1e3\n", "file");
  const Result<DataSet> obj = parse_points(FileFormat::obj, "v 0.5 1000 -2.25\n", "file");
  std::setlocale(LC_ALL, before_c.c_str());
  std::locale::global(before);
  CHECK(values(csv.value()) == Values{0.5, 1000});
  CHECK(values(obj.value()) == Values{0.5, 1000, -2.25});
}

}  // namespace kdscope::good_files_test
