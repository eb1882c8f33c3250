// Tests that numbers which a float cannot represent are reported with their place: whole numbers that change, and
// different numbers that become equal.

#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::rounded_numbers_test {

namespace {

using Warnings = std::vector<std::string>;

DataSet parsed(FileFormat format, const std::string& bytes) {
  const Result<DataSet> set = parse_points(format, bytes, "file");
  if (!set) FAIL(set.error().message());
  return *set;
}
Warnings warnings_of(const std::string& csv) { return parsed(FileFormat::csv, csv).warnings; }
std::string refusal_of(const std::string& csv) {
  const Result<DataSet> set = parse_points(FileFormat::csv, csv, "file");
  REQUIRE_FALSE(set.has_value());
  return set.error().message();
}

}  // namespace

TEST_CASE("numbers that floats hold, and decimals that are merely rounded, need no warning") {
  for (const char* csv : {"0.1,0.2\n0.3,0.1\n", "1,2\n3,4\n", "2147483647,1\n-2147483648,2\n", "16777216,0\n0.5,1\n",
                          "2147483648,1\n", "1e30,0.1\n1e30,0.1\n", "0.1\n0.10\n+0.1\n1e-1\n", "0,-0.0\n0.5,0.0\n",
                          "9007199254740992,1\n", "33554432.0,0.5\n"}) {
    INFO(csv);
    CHECK(warnings_of(csv).empty());
  }
}

TEST_CASE("whole numbers that a float rounds are named with their place, and counted") {
  CHECK(
      warnings_of("16777216,0\n16777217,0\n0.5,1\n") ==
      Warnings{"file:2:1: the whole number 16777217 is stored as the float 16777216.",
               "file, point 1, coordinate 0: 16777217 and point 0's 16777216 become the same float, 16777216, and the "
               "points equal."});
  CHECK(warnings_of("0.5,1\n1,16777217\n2,33554435\n3,-16777219\n") ==
        Warnings{"file:2:3: the whole number 16777217 is stored as the float 16777216; 2 more whole numbers of the "
                 "file are rounded."});
  // Beyond int32, the file becomes one of floats, although it has no decimal point.
  CHECK(warnings_of("2147483649\n1\n") ==
        Warnings{"file:1:1: the whole number 2147483649 is stored as the float 2147483648."});
  CHECK(warnings_of("9007199254740993\n") ==
        Warnings{"file:1:1: the whole number 9007199254740993 is stored as the float 9007199254740992."});
  CHECK(warnings_of("x,y\n16777217.0,1\n").size() == 1);
  CHECK(parsed(FileFormat::xyz, "16777217 1 1\n0.5 1 1\n").warnings.size() == 1);
  CHECK(parsed(FileFormat::obj, "v 16777217 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").warnings ==
        Warnings{"file:1:3: the whole number 16777217 is stored as the float 16777216."});
}

TEST_CASE("whole numbers of every format that change are counted, with all digits of the first") {
  ReadOptions floats, shifted;
  floats.type = CoordinateType::floats;
  shifted.shift = {9007199254740992, 0};
  const auto warnings = [&](FileFormat format, const std::string& bytes) {
    const Result<DataSet> set = parse_points(format, bytes, "file", floats);
    if (!set) FAIL(set.error().message());
    return set->warnings;
  };
  const auto npy = [](const char* type, auto... values) {
    return npy_file(std::string("{'descr': '<") + type + "', 'fortran_order': False, 'shape': (" +
                    std::to_string(sizeof...(values)) + ", 1), }")
        .add(values...)
        .str();
  };
  // 2^53 + 1 is no double, 2^24 + 1 no float; 2^60 and 2^63 are both.
  constexpr std::int64_t two_53 = std::int64_t{1} << 53, two_60 = std::int64_t{1} << 60;
  constexpr std::uint64_t two_63 = std::uint64_t{1} << 63;
  CHECK(warnings(FileFormat::npy, npy("i8", two_60, -two_60, two_53, std::int64_t{5})).empty());
  CHECK(warnings(FileFormat::npy, npy("u8", two_63, std::uint64_t{0})).empty());
  const Warnings below_0 = warnings(FileFormat::npy, npy("i8", -two_53 - 1, two_60 + 1, std::int64_t{16777217}));
  REQUIRE(below_0.size() == 1);
  CHECK(
      below_0[0].ends_with(": the whole number -9007199254740993 is stored as the float -9007199254740992; 2 more "
                           "whole numbers of the file are rounded."));
  const Warnings largest = warnings(FileFormat::npy, npy("u8", std::uint64_t{1}, ~std::uint64_t{0}));
  REQUIRE(largest.size() == 1);
  CHECK(largest[0].find(" 18446744073709551615 is stored as the float 18446744073709551616.") != std::string::npos);
  CHECK(warnings(FileFormat::npy, npy("i8", INT64_MIN, std::int64_t{0})).empty());
  const std::string smallest = warnings(FileFormat::npy, npy("i8", INT64_MIN + 1, std::int64_t{0})).at(0);
  CHECK(smallest.find("-9223372036854775807 is stored as the float -9223372036854775808.") != std::string::npos);
  // A float is made from all digits, and not from the nearest double.
  const auto half_way =
      parse_points(FileFormat::npy, npy("i8", two_60 + (std::int64_t{1} << 36) + 1), "file", floats).value();
  CHECK(half_way.points.value(0, 0) == 0x1.000002p60);

  const auto ply = [](const std::string& type, const std::string& rows) {
    return "ply\nformat ascii 1.0\nelement vertex 2\nproperty " + type + " x\nproperty " + type + " y\nend_header\n" +
           rows;
  };
  const auto pcd = [](const std::string& type, const std::string& rows) {
    return "FIELDS x y\nSIZE 8 8\nTYPE " + type + " " + type + "\nWIDTH 2\nDATA ascii\n" + rows;
  };
  const std::string rows = "1 9007199254740993\n9007199254740995 9007199254740992\n", more = "; 1 more whole number";
  for (const auto& [format, bytes, where] :
       {std::tuple{FileFormat::ply, ply("int64", rows), "file:7:3: "},
        {FileFormat::ply, ply("uint64", rows), "file:7:3: "},
        {FileFormat::ply, ply("double", rows), "file:7:3: "},
        {FileFormat::ply, ply("float", rows), "file:7:3: "},
        {FileFormat::pcd, pcd("I", rows), "file:6:3: "},
        {FileFormat::pcd, pcd("U", rows), "file:6:3: "},
        {FileFormat::pcd, pcd("F", rows), "file:6:3: "},
        {FileFormat::csv, "1,9007199254740993\n9007199254740995.0,9007199254740992\n", "file:1:3: "},
        {FileFormat::xyz, rows, "file:1:3: "}}) {
    INFO(bytes);
    const Warnings found = warnings(format, bytes);
    REQUIRE(found.size() == 1);
    CHECK(found[0].starts_with(std::string(where) +
                               "the whole number 9007199254740993 is stored as the float 9007199254740992"));
    CHECK(found[0].find(more) != std::string::npos);
  }
  // Shifted in double, where the double is another number already.
  for (const auto& [format, bytes] :
       {std::pair{FileFormat::ply, ply("int64", "9007199254740993 0\n9007199254740994 1\n")},
        {FileFormat::pcd, pcd("U", "9007199254740993 0\n9007199254740994 1\n")}}) {
    const auto set = parse_points(format, bytes, "file", shifted).value();
    REQUIRE(set.warnings.size() == 2);
    CHECK(set.warnings[1].find("9007199254740993 is read as 9007199254740992.") != std::string::npos);
  }
}

TEST_CASE("different points that become equal are named with their places") {
  const std::string ending =
      "become the same float, 0.10000000149011612, and the points equal; open the file with shift=auto to subtract an "
      "offset first.";
  CHECK(warnings_of("0.1,0\n0.10000000001,0\n") == Warnings{"file:2:1: 0.10000000001 and point 0's 0.1 " + ending});
  CHECK(warnings_of("1,0.5\r\n2,7\r\n1, 0.500000000001\r\n") ==
        Warnings{"file:3:4: 0.500000000001 and point 0's 0.5 become the same float, 0.5, and the points equal."});
  // Points that differ otherwise stay different.
  CHECK(warnings_of("1,0.5\n2,7\n3,0.500000000001\n").empty());
  const Warnings three = warnings_of("0.1\n0.10000000001\n0.10000000002\n0.7\n0.70000000001\n");
  REQUIRE(three.size() == 1);
  CHECK(three[0].starts_with("file:2:1: 0.10000000001 and point 0's 0.1 become"));
  CHECK(three[0].ends_with("; 2 more points coincide with others in this way."));
  // Values in different columns are not compared.
  CHECK(warnings_of("0.1,0.10000000001\n").empty());
  const std::string npy =
      npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", 1).add(0.1, 0.10000000001).str();
  CHECK(parsed(FileFormat::npy, npy).warnings ==
        Warnings{"file, point 1, coordinate 0: 0.10000000001 and point 0's 0.1 " + ending});
  CHECK(parsed(FileFormat::npy,
               npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", 1).add(0.1f, 1e20f).str())
            .warnings.empty());
  CHECK(parsed(FileFormat::ply,
               "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nend_header\n0.1 "
               "0\n0.10000000001 0\n")
            .warnings.size() == 1);
  CHECK(parsed(FileFormat::pcd,
               "VERSION .7\nFIELDS x y\nSIZE 8 8\nTYPE F F\nCOUNT 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0.1 "
               "0\n0.10000000001 0\n")
            .warnings.size() == 1);
}

TEST_CASE("rounding is reported where it is a notable part of the extent, and not where it loses nothing") {
  // 0.6 and the number next to it are one number that was computed in two ways.
  CHECK(warnings_of("0.6,0.1\n0.6000000000000001,0.1\n0.8,0.3\n").empty());
  CHECK(warnings_of("0.0,0.3\n0.1,0.30000000000000004\n0.2,0.3\n").empty());
  // The nearest neighbour of point 0 is point 1, and as floats point 2.
  const Warnings map = warnings_of("694386.25,5155487.24\n694386.45,5155487.26\n694386.30,5155486.74\n");
  CHECK(map == Warnings{"file: as 32-bit floats, coordinates 1 move by up to 0.24, and they extend over 0.52; open the "
                        "file with shift=auto to subtract an offset first."});
  // Many points over a large map: rounding to halves of a metre is little beside the map, and much beside spacings.
  std::string dense = "x,y\n";
  for (int i = 0; i < 90'000; ++i)
    dense += std::to_string(5155000 + i / 300) + ".3," + std::to_string(i % 300) + ".7\n";
  REQUIRE(warnings_of(dense).size() == 1);
  CHECK(warnings_of(dense)[0].find("column x move by up to 0.2") != std::string::npos);
  // So many decimals near 0 lose nothing that counts.
  std::string near = "x,y\n";
  for (int i = 0; i < 20'000; ++i) near += std::to_string(i / 141) + ".3," + std::to_string(i % 141) + ".7\n";
  CHECK(warnings_of(near).empty());
}

TEST_CASE("a point far away hides neither that the others lose digits nor the offset that they have in common") {
  // A cloud in map coordinates: x in steps of 5 cm, y of 6 cm, where floats lie 6 cm and 50 cm apart.
  std::string cloud;
  for (int i = 0; i < 100; ++i) {
    char row[64];
    std::snprintf(row, sizeof row, "%.2f,%.2f\n", 694386.25 + 0.05 * i, 5155487.25 + 0.06 * (i * 37 % 100));
    cloud += row;
  }
  const std::string lost = "file: as 32-bit floats, coordinates 1 move by up to 0.25, and ";
  const std::string remedy = "; open the file with shift=auto to subtract an offset first.";
  CHECK(warnings_of(cloud) == Warnings{lost + "they extend over 5.9" + remedy});
  const std::string trimmed = lost + "all but 5 of them extend over ";
  for (const char* far : {"0,0\n", "1e9,-1e9\n"}) {
    INFO(far);
    CHECK(warnings_of(cloud + far) == Warnings{trimmed + "5.7" + remedy});
    CHECK(warnings_of(far + cloud) == Warnings{trimmed + "5.7" + remedy});
  }
  CHECK(warnings_of("0,0\n1e9,1e9\n" + cloud + "0,0\n") == Warnings{trimmed + "5.8" + remedy});
  // The shift that is offered is that of the cloud.
  ReadOptions options;
  options.auto_shift = true;
  const auto shifted = parse_points(FileFormat::csv, cloud + "0,0\n", "file", options).value();
  for (std::size_t i = 0; i < 100; ++i) {
    const double x = 694386.25 + 0.05 * static_cast<double>(i);
    CHECK(std::fabs(shifted.file_value(i, 0) - x) < 1e-6);
    CHECK(std::fabs(shifted.points.value(i, 1)) < 16);
  }
  REQUIRE(shifted.warnings.size() == 1);  // of the shift
  // Few points, and points of which most are equal, have no such part.
  CHECK(warnings_of("0.1\n0.2\n0.30000001\n1e9\n").empty());
  std::string equal = "694386.3\n694390.7\n";
  for (int i = 0; i < 100; ++i) equal += "694386.5\n";
  CHECK(warnings_of(equal).size() == 1);
}

TEST_CASE("semicolons separate columns where the first row has one; decimal commas are refused with a sentence") {
  const DataSet set = parsed(FileFormat::csv, "x;y\n1;2.5\n3;-4\n");
  CHECK(set.column_names == std::vector<std::string>{"x", "y"});
  CHECK(set.points.dim == 2);
  CHECK(set.points.value(0, 1) == 2.5);
  CHECK(parsed(FileFormat::csv, "1;2\n3;4\n").points.type == ScalarType::int32);
  CHECK(refusal_of("x;y\n1;2\n3;4,5\n") ==
        "file:3:3: \"4,5\" is a number with a decimal comma; save the file with decimal points, such as 4.5.");
  CHECK(refusal_of("1,5;2,5\n").find("file:1:1: \"1,5\" is a number with a decimal comma") == 0);
  CHECK(refusal_of("x;y\n1,2\n").find("decimal comma") != std::string::npos);
  CHECK(refusal_of("x;y\n1;2;3\n").find("this row has 3 values") != std::string::npos);
}

TEST_CASE("triangles of a kind that has one number only are named without another") {
  for (const char* kind : {"none", "one", "two"}) {
    const auto set = open_data_set(std::string("triangles:kind=") + kind).value();
    CHECK(set->name == std::string("triangles:kind=") + kind + ",seed=1");
    CHECK(open_data_set(set->name).value()->triangles == set->triangles);
  }
  CHECK(open_data_set("triangles:kind=flat").value()->name == "triangles:kind=flat,n=1000,seed=1");
}

}  // namespace kdscope::rounded_numbers_test
