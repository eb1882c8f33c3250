// Tests the parameters behind a file's name, and how they change what is read.

#include <cmath>
#include <fstream>

#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::read_options_test {

namespace {

using Values = std::vector<double>;
using Names = std::vector<std::string>;

std::vector<double> values(const DataSet& set) {
  std::vector<double> all;
  for (std::size_t i = 0; i < set.points.size(); ++i)
    for (std::uint32_t d = 0; d < set.points.dim; ++d) all.push_back(set.points.value(i, d));
  return all;
}

/// A folder with files that are opened by specifications.
struct Files {
  test::TemporaryFolder folder;

  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  }
  static DataSet open(const std::string& specification) {
    const auto set = open_data_set(specification).value();
    return *set;
  }
  static std::string refusal(const std::string& specification) {
    const auto set = open_data_set(specification);
    if (set) FAIL("opened " + specification);
    return set.error().message();
  }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("columns of a file are chosen by name and by number, in any order") {
  const Files files;
  const std::string csv = files.write("a.csv", "id,x,label,y\n7,1.5,red,2\n8,3,blue,4\n");
  const DataSet named = Files::open(csv + ":columns=y,x");
  CHECK(values(named) == Values{2, 1.5, 4, 3});
  CHECK(named.column_names == Names{"y", "x"});
  CHECK(named.name == csv + ":columns=y,x");
  CHECK(values(Files::open(csv + ":columns=2,4")) == Values{1.5, 2, 3, 4});
  CHECK(holds(Files::refusal(csv + ":columns=height"), "there is no column \"height\"; use some of id, x, label, y"));
  CHECK(holds(Files::refusal(csv + ":columns=lable"), "did you mean label?"));
  CHECK(holds(Files::refusal(csv + ":columns=x,x"), "column \"x\" is chosen twice"));
  CHECK(holds(Files::refusal(csv + ":columns=5"), "there is no column \"5\""));
  CHECK(holds(Files::refusal(csv + ":columns=label"), "a.csv:2:7: \"red\" is not a number"));
  const std::string xyz = files.write("a.xyz", "1 2 3 255 0 0\n4 5 6 0 255 0\n");
  CHECK(values(Files::open(xyz + ":columns=3,1")) == Values{3, 1, 6, 4});
  CHECK(holds(Files::refusal(xyz + ":columns=x"), "the file names none; count the columns from 1 to 6"));
  const std::string npy = files.write(
      "a.npy",
      npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }").add(1.f, 2.f, 3.f, 4.f, 5.f, 6.f).str());
  CHECK(values(Files::open(npy + ":columns=3,2")) == Values{3, 2, 6, 5});
  const std::string pcd = files.write(
      "a.pcd",
      "FIELDS x y z h\nSIZE 4 4 4 4\nTYPE F F F F\nCOUNT 1 1 1 2\nWIDTH 2\nDATA ascii\n1 2 3 4 5\n6 7 8 9 10\n");
  CHECK(values(Files::open(pcd + ":columns=h[1],x")) == Values{5, 1, 10, 6});
  const std::string ply = files.write("a.ply",
                                      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float y\nproperty float x\n"
                                      "property uchar red\nelement face 1\nproperty list uchar int vertex_index\n"
                                      "end_header\n1 2 3\n4 5 6\n7 8 10\n3 0 1 2\n");
  CHECK(values(Files::open(ply + ":columns=x,y")) == Values{2, 1, 5, 4, 8, 7});
  CHECK(Files::open(ply + ":columns=x,y").triangles.size() == 3);
  const std::string obj = files.write("a.obj", "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3\n");
  CHECK(values(Files::open(obj + ":columns=z,x")) == Values{3, 1, 6, 4, 10, 7});
}

TEST_CASE("columns that share a name are chosen by number") {
  const Files files;
  const std::string csv = files.write("twice.csv", "x,x,y\n1.5,2,3\n4,5,6\n");
  CHECK(holds(Files::refusal(csv + ":columns=x,y"),
              "columns 1 and 2 are both named \"x\"; choose by number, counted from 1"));
  CHECK(values(Files::open(csv + ":columns=2,y")) == Values{2, 3, 5, 6});
  CHECK(Files::open(csv + ":columns=2,3").warnings.empty());
}

TEST_CASE("words of spreadsheets are dropped with their points, and colours are kept where they are asked for") {
  const Files files;
  const std::string csv = files.write("words.csv", "x,y\n#N/A,2\n1.5,#DIV/0!\n# a comment\n3,4\n#NULL!,#NAME?\n5,6\n");
  const DataSet dropped = Files::open(csv + ":missing=drop");
  CHECK(values(dropped) == Values{3, 4, 5, 6});
  REQUIRE(dropped.warnings.size() == 1);
  CHECK(holds(dropped.warnings[0], "words.csv:2:1: 3 of 5 points are left out"));
  const std::string xyz = files.write("colours.xyz", "1.5 2 3 255 0 9\n4 5 6 1 2 3\n");
  const DataSet all = Files::open(xyz + ":columns=1,2,3,4,5,6");
  CHECK(all.points.dim == 6);
  CHECK(all.warnings.empty());
  CHECK(values(Files::open(xyz)) == Values{1.5, 2, 3, 4, 5, 6});
}

TEST_CASE("the type of coordinates is chosen, and refused where a number does not fit it") {
  const Files files;
  const std::string whole = files.write("whole.csv", "1,2\n3,4\n"), real = files.write("real.csv", "1.0,2\n3,4e0\n"),
                    half = files.write("half.csv", "1,2\n3,4.5\n"), large = files.write("large.csv", "1\n2147483648\n");
  CHECK(Files::open(whole).points.type == ScalarType::int32);
  CHECK(Files::open(whole + ":type=float").points.type == ScalarType::float32);
  CHECK(values(Files::open(whole + ":type=float32")) == Values{1, 2, 3, 4});
  CHECK(Files::open(real).points.type == ScalarType::float32);
  CHECK(Files::open(real + ":type=int").points.type == ScalarType::int32);
  CHECK(values(Files::open(real + ":type=int")) == Values{1, 2, 3, 4});
  CHECK(holds(Files::refusal(half + ":type=int"), "half.csv:2:3: 4.5 is no whole number"));
  CHECK(holds(Files::refusal(large + ":type=int"), "large.csv:2:1: 2147483648 is no whole number that fits"));
  CHECK(Files::open(files.write("m.csv", "16777217\n1\n") + ":type=float").warnings.size() == 1);
  const std::string u4 = files.write("u4.npy", npy_file("{'descr': '<u4', 'fortran_order': False, 'shape': (2, 1), }")
                                                   .add(std::uint32_t{1}, std::uint32_t{3000000000})
                                                   .str());
  CHECK(holds(Files::refusal(u4), "3000000000 does not fit in a signed 32-bit integer; add type=float"));
  CHECK(values(Files::open(u4 + ":type=float")) == Values{1, 3000000000.0});
}

TEST_CASE("a first row without any coordinate is a point that lacks them, and no names") {
  const Files files;
  for (const char* first : {"NA,NA,NA", "n/a,N/A,null", ",null,"}) {
    INFO(first);
    const std::string path = files.write("gaps.csv", std::string(first) + "\n1.5,2,3\n4,5,6\n");
    const DataSet read = Files::open(path + ":missing=drop");
    CHECK(values(read) == Values{1.5, 2, 3, 4, 5, 6});
    REQUIRE(read.warnings.size() == 1);
    CHECK(holds(read.warnings[0], "1 of 3 points is left out"));
  }
  CHECK(values(Files::open(files.write("salts.csv", "Mg,Na,K\n1.5,2,3\n"))) == Values{1.5, 2, 3});
}

TEST_CASE("shift and scale are applied in double, kept with the points, and written out in the name") {
  const Files files;
  const std::string utm = files.write("utm.csv", "694386.25,5155487.24\n694386.45,5155487.26\n694386.30,5155486.74\n");
  const DataSet shifted = Files::open(utm + ":shift=694386,5155487");
  CHECK(shifted.points.value(0, 0) == 0.25);
  CHECK(shifted.points.value(1, 1) == static_cast<double>(static_cast<float>(5155487.26 - 5155487)));
  CHECK(shifted.shift == Values{694386, 5155487});
  CHECK(shifted.scale == 1);
  CHECK(std::fabs(shifted.file_value(2, 1) - 5155486.74) < 1e-6);
  REQUIRE(shifted.warnings.size() == 1);
  CHECK(holds(shifted.warnings[0], "subtracted 694386, 5155487 from the coordinates"));

  const DataSet chosen = Files::open(utm + ":shift=auto");
  REQUIRE(chosen.shift.size() == 2);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::uint32_t d = 0; d < 2; ++d) {
      CHECK(std::fabs(chosen.points.value(i, d)) <= 2);
      CHECK(chosen.shift[d] == std::trunc(chosen.shift[d]));
    }
  CHECK(holds(chosen.name, ":shift=694386,5155486"));
  CHECK(Files::open(chosen.name).points.words == chosen.points.words);

  // Data near 0 need no shift.
  const DataSet near = Files::open(files.write("near.csv", "0.5,-3\n2,7\n") + ":shift=auto");
  CHECK(near.shift == Values{0, 0});
  CHECK(near.warnings.empty());
  CHECK(values(near) == Values{0.5, -3, 2, 7});

  const DataSet scaled = Files::open(files.write("mm.csv", "1000,2500\n-500,0\n") + ":scale=0.001");
  CHECK(values(scaled) == Values{1, 2.5, -0.5, 0});
  CHECK(scaled.file_value(0, 1) == 2500);
  CHECK(values(Files::open(files.write("big.csv", "1e40,3e40\n") + ":scale=1e-40")) == Values{1, 3});
  CHECK(Files::open(files.write("int.csv", "1000007,5\n1000009,6\n") + ":shift=1000000,0").points.type ==
        ScalarType::int32);
  // Whole numbers beyond 32 bits become int32 where the shift makes them fit, and are reported where a double rounds
  // them before.
  const auto ns = [&](std::int64_t first) {
    return files.write(
               "ns.npy",
               npy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1), }").add(first, first + 1024).str()) +
           ":shift=" + std::to_string(first - 1024);
  };
  CHECK(values(Files::open(ns(std::int64_t{1} << 40))) == Values{1024, 2048});
  CHECK(Files::open(ns(std::int64_t{1} << 40)).points.type == ScalarType::int32);
  CHECK(Files::open(ns(std::int64_t{1} << 40)).warnings.size() == 1);
  const DataSet rounded = Files::open(ns((std::int64_t{1} << 60) + 1));
  CHECK(rounded.warnings.size() == 2);
  CHECK(holds(rounded.warnings[1], "the whole number 1152921504606846977 is read as 1152921504606846976; 1 more"));
  const DataSet digits = Files::open(files.write("ns.csv", "1152921504606846977,0\n5,1\n") + ":shift=1,0");
  CHECK(holds(digits.warnings.back(), "1152921504606846977 is read as 1152921504606846976"));
  CHECK(holds(Files::refusal(utm + ":shift=1"), "shift has 1 number, and points have 2 coordinates"));
  CHECK(holds(Files::refusal(utm + ":shift=1,b"), "\"b\", which is no number"));
  CHECK(holds(Files::refusal(utm + ":scale=0"), "parameter scale is 0"));
}

TEST_CASE("points that miss a coordinate are refused, or dropped and counted, together with their triangles") {
  const Files files;
  const std::string csv = files.write("a.csv", "x,y\n1,2\nnan,3\n4,\n5,NA\n6,7\n");
  CHECK(holds(Files::refusal(csv), "a.csv:4:3: the value is empty"));
  const DataSet dropped = Files::open(csv + ":missing=drop");
  CHECK(values(dropped) == Values{1, 2, 6, 7});
  CHECK(dropped.points.type == ScalarType::int32);
  REQUIRE(dropped.warnings.size() == 1);
  CHECK(holds(dropped.warnings[0], "a.csv:3:1: 3 of 5 points are left out"));
  CHECK(holds(Files::refusal(files.write("none.csv", "nan\ninf\n") + ":missing=drop"), "no point is left"));
  const std::string pcd = files.write(
      "o.pcd",
      FileBytes("FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 3\nHEIGHT 1\nPOINTS 3\nDATA binary\n")
          .add(1.f, 2.f, 3.f, NAN, NAN, NAN, 4.f, 5.f, 6.f)
          .str());
  CHECK(holds(Files::refusal(pcd), "missing=drop"));
  CHECK(values(Files::open(pcd + ":missing=drop")) == Values{1, 2, 3, 4, 5, 6});
  const std::string obj = files.write("m.obj", "v 0 0 0\nv nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 1 2 3 4\n");
  const DataSet mesh = Files::open(obj + ":missing=drop");
  CHECK(mesh.points.size() == 3);
  CHECK(mesh.triangles == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(mesh.warnings.size() == 2);
  FileBytes stl(std::string(80, ' '));
  stl.add(std::uint32_t{2});
  stl.add(0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, NAN, 0.f, 1.f, 0.f, std::uint16_t{0});
  stl.add(0.f, 0.f, 1.f, 5.f, 0.f, 0.f, 6.f, 0.f, 0.f, 5.f, 1.f, 0.f, std::uint16_t{0});
  const DataSet facets = Files::open(files.write("m.stl", stl.str()) + ":missing=drop");
  REQUIRE(facets.triangles.size() == 3);
  CHECK(facets.points.value(facets.triangles[1], 0) == 6);
}

TEST_CASE("header and separator of a CSV file are chosen") {
  const Files files;
  const std::string numbered = files.write("n.csv", "0,1\n2.5,3\n");
  const DataSet read = Files::open(numbered);
  CHECK(read.points.size() == 2);
  REQUIRE(read.warnings.size() == 1);
  CHECK(holds(read.warnings[0], "n.csv:1: the first row, 0,1, is read as a point"));
  CHECK(Files::open(numbered + ":header=no").warnings.empty());
  const DataSet named = Files::open(numbered + ":header=yes");
  CHECK(values(named) == Values{2.5, 3});
  CHECK(named.column_names == Names{"0", "1"});
  const std::string odd = files.write("odd.csv", "1 2\t3\n4 5\t6\n");
  CHECK(Files::open(odd + ":separator=blank").points.dim == 3);
  CHECK(holds(Files::refusal(odd + ":separator=tab"), "\"1 2\" is not a number"));
  CHECK(values(Files::open(files.write("c.xyz", "1,2\n\n3,4\n") + ":separator=comma")) == Values{1, 2, 3, 4});
  CHECK(holds(Files::refusal(files.write("m.obj", "v 1 2 3\n") + ":header=yes"), "for CSV and XYZ files"));
}

TEST_CASE("parameters of files are checked as those of generators; names may hold colons") {
  const Files files;
  const std::string csv = files.write("a.csv", "1,2\n3,4\n");
  CHECK(holds(Files::refusal(csv + ":tpye=float"), "there is no parameter \"tpye\"; did you mean type?"));
  CHECK(holds(Files::refusal(csv + ":colour=red"), "use columns, type, shift, scale, missing, header or separator"));
  CHECK(holds(Files::refusal(csv + ":type=double"), "use auto, float or int"));
  CHECK(holds(Files::refusal(csv + ":type=float,type=int"), "given twice"));
  CHECK(holds(Files::refusal(csv + ":1,2"), "\"1\" is no parameter"));
  CHECK(holds(Files::refusal(csv + ":columns="), "is empty"));
  CHECK(holds(Files::refusal(files.folder.file("none.csv:type=float")), "there is no such file"));
  const std::string colon = files.write("b:type=int.csv", "5,6.5\n");
  CHECK(values(Files::open(colon)) == Values{5, 6.5});
  CHECK(values(Files::open(colon + ":columns=2,type=float")) == Values{6.5});
  CHECK(data_file_of(colon + ":columns=2") == colon);
  CHECK(data_file_of(csv + ":type=float") == csv);
  CHECK(data_file_of("uniform:n=3").empty());
  CHECK(Files::open(csv + ":").name == csv);
}

}  // namespace kdscope::read_options_test
