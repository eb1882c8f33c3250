// Reads small files as programs write them: each holds the same three points, and one triangle in a mesh, or is refused
// with a sentence that names the reason. None is misread without a word.

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::program_files_test {

namespace {

using Numbers = std::vector<double>;

struct Kind {
  const char* name;
  std::string bytes;
  std::string refused = "";  ///< part of the message; empty if the file is read
  std::string warned = "";   ///< part of the one warning; empty if there is none
  Numbers coordinates = {1.5, 2, -3, 4, 5.25, 6, 7, -8, 9.5};
  std::uint32_t dim = 3;
};

void check(FileFormat format, const std::vector<Kind>& kinds, bool mesh = false) {
  CHECK(kinds.size() >= 30);
  for (const Kind& kind : kinds) {
    INFO(kind.name << ":\n" << kind.bytes.substr(0, 300));
    const auto set = parse_points(format, kind.bytes, "file");
    if (!set) {
      const std::string message = set.error().message();
      INFO(message);
      CHECK_FALSE(kind.refused.empty());
      CHECK(message.find(kind.refused) != message.npos);
      continue;
    }
    CHECK(kind.refused == "");
    CHECK(set->points.dim == kind.dim);
    Numbers read;
    for (std::size_t i = 0; i < set->points.size(); ++i)
      for (std::uint32_t d = 0; d < set->points.dim; ++d) read.push_back(set->points.value(i, d));
    CHECK(read == kind.coordinates);
    if (mesh) CHECK(set->triangles == std::vector<std::uint32_t>{0, 1, 2});
    std::string warnings;
    for (const std::string& warning : set->warnings) warnings += warning + "\n";
    CHECK((kind.warned.empty() ? warnings.empty() : warnings.find(kind.warned) != warnings.npos));
    INFO(warnings);
    CHECK(set->warnings.size() == (kind.warned.empty() ? 0 : 1));
  }
}

}  // namespace

TEST_CASE("tables of spreadsheets, data frames and surveys") {
  const std::string rows = "1.5,2,-3\n4,5.25,6\n7,-8,9.5\n", blanks = "1.5 2 -3\n4 5.25 6\n7 -8 9.5\n";
  const std::string no_number = "is not a number; give one, or add missing=drop";
  check(
      FileFormat::csv,
      {
          {"separators behind all rows", "x,y,z,\n1.5,2,-3,\n4,5.25,6,\n7,-8,9.5,\n"},
          {"several of them", "x;y;z;;\n1.5;2;-3;;\n4;5.25;6;;\n7;-8;9.5;;\n"},
          {"behind the names alone", "x,y,z,\n" + rows},
          {"behind the rows alone", "x,y,z\n1.5,2,-3,\n4,5.25,6,\n7,-8,9.5,\n"},
          {"behind some rows", "x,y,z\n1.5,2,-3\n4,5.25,6,\n7,-8,9.5,,\n"},
          {"without names", "1.5,2,-3,\n4,5.25,6,\n7,-8,9.5,\n"},
          {"a tab behind rows", "1.5\t2\t-3\t\n4\t5.25\t6\t\n7\t-8\t9.5\t\n"},
          {"a value without a name", "x,y,z,\n1.5,2,-3,\n4,5.25,6,1\n", "file:3: this row has 4 values"},
          {"an empty row of a spreadsheet", "x,y,z\n" + rows + ",,\n", "file:5:1: the value is empty"},
          {"a missing last value", "1.5,2,\n4,5.25,6\n", "file:1:7: the value is empty"},
          {"a quoted line of the separator", "\"sep=;\"\nx;y;z\n1.5;2;-3\n4;5.25;6\n7;-8;9.5\n"},
          {"that line with more of them", "sep=;;;\n1.5;2;-3\n4;5.25;6\n7;-8;9.5\n"},
          {"a tab as separator", "SEP=\t\nx\ty\tz\n1.5\t2\t-3\n4\t5.25\t6\n7\t-8\t9.5\n"},
          {"R's write.csv", "\"\",\"x\",\"y\",\"z\"\n\"1\",1.5,2,-3\n\"2\",4,5.25,6\n\"3\",7,-8,9.5\n", "",
           "first column has no name"},
          {"R's write.table", "\"x\" \"y\" \"z\"\n\"1\" 1.5 2 -3\n\"2\" 4 5.25 6\n\"3\" 7 -8 9.5\n", "",
           "each row begins with a name in quotes"},
          {"the same with tabs and words",
           "\"x\"\t\"y\"\t\"z\"\n\"a\"\t1.5\t2\t-3\n\"b\"\t4\t5.25\t6\n\"c\"\t7\t-8\t9.5\n", "",
           "each row begins with a name in quotes"},
          {"R without quotes", "x y z\n1 1.5 2 -3\n2 4 5.25 6\n",
           "file:2: this row has 4 values, the rows before it have 3"},
          {"a name more than values", "x,y,z,w\n" + rows, "let the first row name each column, or remove it"},
          {"names parted otherwise", "x y z\n" + rows, "let the first row name each column, or remove it"},
          {"numpy's savetxt",
           "# x y z\n1.500000000000000000e+00 2.000000000000000000e+00 -3.000000000000000000e+00\n"
           "4.0e+00 5.25e+00 6.0e+00\n7.0e+00 -8.0e+00 9.5e+00\n"},
          {"savetxt with comma and blank", "1.5, 2, -3\n4, 5.25, 6\n7, -8, 9.5\n"},
          {"a comment of MATLAB", "% x y z\n" + blanks},
          {"Octave's header",
           "# Created by Octave 8.4.0\n# name: A\n# type: matrix\n# rows: 3\n# columns: 3\n 1.5 2 -3\n "
           "4 5.25 6\n 7 -8 9.5\n\n\n"},
          {"ParaView's names", "\"Points:0\",\"Points:1\",\"Points:2\"\n" + rows},
          {"CloudCompare's names", "//X,Y,Z\n" + rows},
          {"names with units", "x (mm),y [m],height above sea\n" + rows},
          {"a row of units", "x,y,z\nmm,mm,mm\n" + rows, "if the row holds units, let it begin with #"},
          {"numbers of points", "fid,X,Y,Z,id\n", "file:1: the file has column names but no points"},
          {"an id", "id,x,y,z\n1,1.5,2,-3\n2,4,5.25,6\n3,7,-8,9.5\n", "", "column id is no coordinate and is left out"},
          {"labels", "X,Y,Z,Label\n1.5,2,-3,a\n4,5.25,6,b\n7,-8,9.5,c\n", "", "columns=1,2,3,4 to keep it"},
          {"colours", "x,y,z,r,g,b\n1.5,2,-3,255,0,9\n4,5.25,6,1,2,3\n7,-8,9.5,0,0,0\n", "", "columns r, g, b are no"},
          {"normals", "X;Y;Z;Nx;Ny;Nz\n1.5;2;-3;0;0;1\n4;5.25;6;0;0;1\n7;-8;9.5;1;0;0\n", "", "columns Nx, Ny, Nz"},
          {"a radius r", "x,y,r\n" + rows},
          {"colours without names",
           "1.5,2,-3,255,0,9\n4,5.25,6,1,2,3\n",
           "",
           "columns 4 to 6 look like colours from 0 to 255",
           {1.5, 2, -3, 255, 0, 9, 4, 5.25, 6, 1, 2, 3},
           6},
          {"rays", "0,0,-5,0,0,1\n1,1,-5,0,1,1\n", "", "", {0, 0, -5, 0, 0, 1, 1, 1, -5, 0, 1, 1}, 6},
          {"names of points", "P1,1.5,2,-3\nP2,4,5.25,6\n",
           "\"P1\" is not a number; choose columns of numbers with columns=2,3,4"},
          {"a column of numbers of points called #", "#,x,y,z\n1,1.5,2,-3\n2,4,5.25,6\n3,7,-8,9.5\n", "",
           "first column has no name"},
          {"one name twice", "x,x,y\n" + rows, "", "several columns are named \"x\"; choose by number"},
          {"a count in the first row", "3\n" + rows},
          {"a wrong count", "4\n" + rows, "file:1: the first row promises 4 points, and 3 follow"},
          {"a spreadsheet's error first", "x,y,z\n#N/A,2,-3\n" + rows, "file:2:1: \"#N/A\" " + no_number},
          {"a division by 0 first", "#DIV/0!,2,-3\n" + rows, "file:1:1: \"#DIV/0!\" " + no_number},
          {"an error in German", "x;y;z\n1;2;3\n#WERT!;2;3\n", "file:3:1: \"#WERT!\" " + no_number},
          {"an error of LibreOffice", "x,y,z\n1,Err:502,3\n", "\"Err:502\" " + no_number},
          {"Bloomberg's word", "x,y\n#N/A N/A,2\n", "\"#N/A N/A\" " + no_number},
          {"an error alone in its column", "x\n1\n#REF!\n", "file:3:1: \"#REF!\" " + no_number},
          {"words of databases", "x,y\n1,\\N\n", "\"\\N\" " + no_number},
          {"a word of Python", "x,y\n1,None\n", "\"None\" " + no_number},
          {"an old C library's NaN", "x,y\n1,-1.#IND\n", "\"-1.#IND\" " + no_number},
          {"comments that look a little so", "# N/A!\n#hello!\n" + rows + "#end\n"},
          {"a Fortran exponent", "1.5D+00,2,-3\n", "\"1.5D+00\" is not a number"},
          {"grouped digits", "x,y\n\"1,000.5\",2\n", "\"1,000.5\" is not a number"},
          {"a minus of typesetting",
           "1.5,2,\xe2\x88\x92"
           "3\n4,5,6\n",
           "is not a number"},
          {"a formula", "x,y\n=1.5,2\n", "\"=1.5\" is not a number"},
          {"names in Latin-1", "x,y,h\xf6he\n" + rows},
          {"three digits of an exponent", "1.5e+000,2.0e+000,-3.0e+000\n4.,5.25,6\n7,-8,.95e+001\n"},
      });
}

TEST_CASE("point lists of scanners and of mesh programs") {
  const std::string rows = "1.5 2 -3\n4 5.25 6\n7 -8 9.5\n";
  check(
      FileFormat::xyz,
      {
          {"CloudCompare's header", "//X Y Z\n" + rows},
          {"with a count", "//X Y Z\n3\n" + rows},
          {"a count alone", "3\n" + rows},
          {"a count among blanks", "  3  \n\n" + rows},
          {"a wrong count", "5\n" + rows, "the first row promises 5 points, and 3 follow"},
          {"colours", "1.5 2 -3 255 0 9\n4 5.25 6 1 2 3\n7 -8 9.5 0 0 0\n", "",
           "columns 4 to 6 look like colours from 0 to 255, so only the first 3 are coordinates; open the file with "
           "columns=1,2,3,4,5,6"},
          {"colours beside whole coordinates",
           "1 2 3 255 0 0\n4 5 6 0 255 0\n",
           "",
           "look like colours",
           {1, 2, 3, 4, 5, 6}},
          {"intensity and colours, as in PTS", "3\n1.5 2 -3 -900 255 0 9\n4 5.25 6 -800 1 2 3\n7 -8 9.5 -1 0 0 0\n", "",
           "columns 5 to 7 look like colours"},
          {"colours and normals", "1.5 2 -3 255 0 9 0 0 1\n4 5.25 6 1 2 3 0 0 1\n7 -8 9.5 0 0 0 0 0 1\n", "",
           "columns 4 to 6 look like colours"},
          {"named colours", "//X Y Z R G B\n1.5 2 -3 255 0 9\n4 5.25 6 1 2 3\n7 -8 9.5 0 0 0\n", "", "columns R, G, B"},
          {"named shares of colours", "//X Y Z Rf Gf Bf\n1.5 2 -3 1 0 .9\n4 5.25 6 1 .2 .3\n7 -8 9.5 0 0 0\n", "",
           "columns Rf, Gf, Bf"},
          {"named normals", "//X Y Z Nx Ny Nz\n1.5 2 -3 0 0 1\n4 5.25 6 0 0 1\n7 -8 9.5 0 1 0\n", "", "columns Nx, Ny"},
          {"a scalar", "//X Y Z Scalar_field\n1.5 2 -3 0\n4 5.25 6 0\n7 -8 9.5 1\n", "", "column Scalar_field"},
          {"MeshLab's normals",
           "1.5 2 -3 0 0 1\n4 5.25 6 0 0 1\n",
           "",
           "the 6 columns have no names",
           {1.5, 2, -3, 0, 0, 1, 4, 5.25, 6, 0, 0, 1},
           6},
          {"an intensity",
           "1.5 2 -3 0.5\n4 5.25 6 0.25\n",
           "",
           "columns=1,2,3 for x, y and z alone",
           {1.5, 2, -3, 0.5, 4, 5.25, 6, 0.25},
           4},
          {"a molecule", "3\nwater\nO 0 0 0\nH 0 0 1\nH 0 1 0\n", "is not a number"},
          {"a molecule with words", "3\nwater molecule\nO 0 0 0\nH 0 0 1\nH 0 1 0\n", "this row has 4 values"},
          {"PTX", "2\n1\n0 0 0\n1 0 0\n", "this row has 3 values"},
          {"MATLAB's comment", "% by MATLAB\n" + rows},
          {"plain names", "X Y Z\n" + rows},
          {"names in quotes", "\"X\" \"Y\" \"Z\"\n" + rows},
          {"names with units", "X[m] Y[m] Z[m]\n" + rows},
          {"fixed widths",
           "     1.50000     2.00000    -3.00000\n     4.00000     5.25000     6.00000\n     7.00000    "
           "-8.00000     9.50000\n"},
          {"a Fortran exponent", "1.5D+00 2 -3\n", "\"1.5D+00\" is not a number"},
          {"exponents of three digits", "1.5e+000 2e+000 -3e+000\n4 5.25 6\n7 -8 9.5\n"},
          {"commas", "1.5,2,-3\n4,5.25,6\n", "add separator=comma"},
          {"semicolons", "1.5;2;-3\n4;5.25;6\n", "add separator=semicolon"},
          {"decimal commas", "1,5 2,0 -3,0\n", "decimal comma"},
          {"blank rows between scan lines", "1.5 2 -3\n\n\n4 5.25 6\n \n7 -8 9.5\n\n"},
          {"tabs", "1.5\t2\t-3\n4\t5.25\t6\n7\t-8\t9.5\t\n"},
          {"a point without a return", "1.5 2 -3\nnan nan nan\n", "1 point is not finite"},
          {"a point of an old C library", "1.5 2 -3\n-1.#IND 0 0\n", "missing=drop"},
          {"a spreadsheet's error", "#N/A 2 -3\n" + rows, "file:1:1: \"#N/A\" is not a number"},
          {"a blank that does not break",
           "1.5\xc2\xa0"
           "2 -3\n",
           "is not a number"},
          {"rows that end early", "1.5 2 -3\n4 5.25\n", "this row has 2 values"},
          {"an end of DOS", rows + "\x1a", "this row has 1 value"},
      });
}

TEST_CASE("arrays of numpy and of those who write like it") {
  const auto header = [](const std::string& type, const std::string& shape = "(3, 3)",
                         const std::string& order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  const auto floats = [](FileBytes file) { return file.add(1.5f, 2.f, -3.f, 4.f, 5.25f, 6.f, 7.f, -8.f, 9.5f).str(); };
  const auto with = [&](const std::string& type, auto zero, std::endian order = std::endian::little) {
    FileBytes file = npy_file("{'descr': '" + type + "', 'fortran_order': False, 'shape': (2, 2), }", 1, order);
    using Value = decltype(zero);
    return file.add(Value{1}, Value{2}, Value{100}, Value{0}).str();
  };
  const Numbers whole = {1, 2, 100, 0};
  const std::string unread = "are not read; save them as float32";
  const auto refused = [&](const std::string& type, const std::string& part) {
    return Kind{"a type that is not read", npy_file(header(type)).str() + std::string(200, '\1'), part};
  };
  FileBytes transposed = npy_file(header("<f4", "(3, 40)"));
  Numbers of_transposed;
  for (int i = 0; i < 120; ++i) transposed.add(static_cast<float>(i)), of_transposed.push_back(i);
  check(FileFormat::npy,
        {
            {"int8", with("|i1", std::int8_t{}), "", "", whole, 2},
            {"uint8", with("|u1", std::uint8_t{}), "", "", whole, 2},
            {"int16", with("<i2", std::int16_t{}), "", "", whole, 2},
            {"int16, big", with(">i2", std::int16_t{}, std::endian::big), "", "", whole, 2},
            {"uint16", with("<u2", std::uint16_t{}), "", "", whole, 2},
            {"int32, big", with(">i4", std::int32_t{}, std::endian::big), "", "", whole, 2},
            {"uint32", with("<u4", std::uint32_t{}), "", "", whole, 2},
            {"int64", with("<i8", std::int64_t{}), "", "", whole, 2},
            {"int64, big", with(">i8", std::int64_t{}, std::endian::big), "", "", whole, 2},
            {"uint64", with("<u8", std::uint64_t{}), "", "", whole, 2},
            {"uint64, big", with(">u8", std::uint64_t{}, std::endian::big), "", "", whole, 2},
            {"native order", with("=f8", double{}), "", "", whole, 2},
            {"one dimension", npy_file(header("<f4", "(3,)")).add(1.5f, 2.f, -3.f).str(), "", "", {1.5, 2, -3}, 1},
            {"one dimension of Python 2",
             npy_file(header("<f4", "(3L,)")).add(1.5f, 2.f, -3.f).str(),
             "",
             "",
             {1.5, 2, -3},
             1},
            {"keys with u", floats(npy_file("{u'descr': u'<f4', u'fortran_order': False, u'shape': (3L, 3L)}"))},
            {"no blanks, as in Julia", floats(npy_file("{'descr':'<f4','fortran_order':False,'shape':(3,3)}"))},
            {"line ends within", floats(npy_file("{'descr': '<f4',\n 'fortran_order': False,\n 'shape': (3, 3)}\n"))},
            {"version 2", floats(npy_file(header("<f4"), 2))},
            {"version 3", floats(npy_file(header("<f4"), 3))},
            {"padded to 128", floats(npy_file(header("<f4") + std::string(59, ' ')))},
            {"columns first",
             npy_file(header("<f4", "(3, 3)", "True")).add(1.5f, 4.f, 7.f, 2.f, 5.25f, -8.f, -3.f, 6.f, 9.5f).str()},
            {"no points", npy_file(header("<f4", "(0, 3)")).str(), "", "", {}},
            {"coordinates as rows", transposed.str(), "",
             "3 points of 40 dimensions; if columns are points, save the transpose", of_transposed, 40},
            refused("<f2", unread),
            refused("<f16", unread),
            refused("<c8", unread),
            refused("|b1", unread),
            refused("|S5", unread),
            refused("<U3", unread),
            refused("|O", unread),
            refused("<M8[ns]", unread),
            {"a record",
             npy_file("{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }").str(),
             "the array has a structured type; save plain columns"},
            {"an image", npy_file(header("<f4", "(1, 2, 3)")).str() + std::string(24, '\0'),
             "save points as rows of a 2D array"},
            {"a number", npy_file(header("<f4", "()")).str() + std::string(4, '\0'), "the array has 0 dimensions"},
            {"an archive", std::string("PK\3\4\24\0", 6) + std::string(60, '\0'),
             "does not begin with NPY's magic bytes"},
            {"two arrays", floats(npy_file(header("<f4"))) + floats(npy_file(header("<f4"))), "follow the last record"},
            {"half an array", floats(npy_file(header("<f4", "(6, 3)"))), "the header promises 6 x 3 values"},
        });
}

TEST_CASE("clouds of PCL and of those who write like it") {
  const auto head = [](const std::string& fields, const std::string& sizes, const std::string& types,
                       const std::string& storage, const std::string& counts = "") {
    return "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\nFIELDS " + fields + "\nSIZE " + sizes + "\nTYPE " +
           types + "\n" + (counts.empty() ? "" : "COUNT " + counts + "\n") +
           "WIDTH 3\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\nDATA " + storage + "\n";
  };
  const std::string xyz = head("x y z", "4 4 4", "F F F", "ascii"), rows = "1.5 2 -3\n4 5.25 6\n7 -8 9.5\n";
  const std::string start = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\n";
  FileBytes padded(head("x y z _", "4 4 4 1", "F F F U", "binary", "1 1 1 4"));
  FileBytes colours(head("x y z rgb", "4 4 4 4", "F F F U", "binary", "1 1 1 1")),
      doubles(head("x y z", "8 8 8", "F F F", "binary", "1 1 1")),
      before(head("intensity x y z", "2 4 4 4", "U F F F", "binary", "1 1 1 1"));
  for (const auto& [x, y, z] : {std::array{1.5f, 2.f, -3.f}, {4.f, 5.25f, 6.f}, {7.f, -8.f, 9.5f}}) {
    padded.add(x, y, z, std::uint32_t{0xffffffff});
    colours.add(x, y, z, std::uint32_t{0xff00ff});
    doubles.add(double{x}, double{y}, double{z});
    before.add(std::uint16_t{7}, x, y, z);
  }
  check(
      FileFormat::pcd,
      {
          {"plain", xyz + rows},
          {"version .5 with COLUMNS",
           "# .PCD v.5\nVERSION .5\nCOLUMNS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH "
           "3\nHEIGHT 1\nPOINTS 3\nDATA ascii\n" +
               rows},
          {"no COUNT, no HEIGHT", start + "WIDTH 3\nPOINTS 3\nDATA ascii\n" + rows},
          {"no POINTS", start + "WIDTH 3\nHEIGHT 1\nDATA ascii\n" + rows},
          {"no WIDTH", start + "POINTS 3\nDATA ascii\n" + rows},
          {"HEIGHT in front of WIDTH", start + "HEIGHT 3\nWIDTH 1\nPOINTS 3\nDATA ascii\n" + rows},
          {"a comment in the header", "# a\nFIELDS x y z\n# b\n\nSIZE 4 4 4\nTYPE F F F\nWIDTH 3\nDATA ascii\n" + rows},
          {"lower case", "fields x y z\nsize 4 4 4\ntype f f f\nwidth 3\nheight 1\npoints 3\ndata ascii\n" + rows},
          {"line ends of Windows",
           "FIELDS x y z\r\nSIZE 4 4 4\r\nTYPE F F F\r\nWIDTH 3\r\nDATA ascii\r\n1.5 2 -3\r\n4 5.25 "
           "6\r\n7 -8 9.5\r\n"},
          {"blanks in front of values", xyz + "  1.5  2  -3 \n  4  5.25  6 \n\t7\t-8\t9.5\n"},
          {"empty lines between rows", xyz + "1.5 2 -3\n\n4 5.25 6\n\n7 -8 9.5\n\n"},
          {"exponents of three digits", xyz + "1.5e+000 2.0e+000 -3\n4 5.25 6\n7 -8 9.5\n"},
          {"colours packed in a float",
           head("x y z rgb", "4 4 4 4", "F F F F", "ascii") + "1.5 2 -3 4.2108e+06\n4 5.25 6 0\n7 -8 9.5 -nan\n"},
          {"normals", head("x y z normal_x normal_y normal_z curvature", "4 4 4 4 4 4 4", "F F F F F F F", "ascii") +
                          "1.5 2 -3 0 0 1 0\n4 5.25 6 0 0 1 0\n7 -8 9.5 nan nan nan nan\n"},
          {"a label of 32 bits",
           head("x y z label", "4 4 4 4", "F F F U", "ascii") + "1.5 2 -3 4294967295\n4 5.25 6 0\n7 -8 9.5 1\n"},
          {"a time of 64 bits",
           head("x y z t", "4 4 4 8", "F F F U", "ascii") + "1.5 2 -3 18446744073709551615\n4 5.25 6 0\n7 -8 9.5 1\n"},
          {"fields in another order", head("z y x", "4 4 4", "F F F", "ascii") + "-3 2 1.5\n6 5.25 4\n9.5 -8 7\n"},
          {"fields between",
           head("x i y j z", "4 1 4 1 4", "F U F U F", "ascii") + "1.5 1 2 1 -3\n4 2 5.25 2 6\n7 3 -8 3 9.5\n"},
          {"a descriptor", head("x y z fpfh", "4 4 4 4", "F F F F", "ascii", "1 1 1 3") +
                               "1.5 2 -3 1 2 3\n4 5.25 6 1 2 3\n7 -8 9.5 1 2 3\n"},
          {"padding", padded.str()},
          {"colours in bytes", colours.str()},
          {"doubles", doubles.str()},
          {"a field in front", before.str()},
          {"an image of points", start + "WIDTH 1\nHEIGHT 3\nVIEWPOINT 1 2 3 1 0 0 0\nPOINTS 3\nDATA ascii\n" + rows},
          {"no z", head("x y", "4 4", "F F", "ascii") + "1.5 2\n4 5.25\n7 -8\n", "", "", {1.5, 2, 4, 5.25, 7, -8}, 2},
          {"millimetres",
           head("x y z", "2 2 2", "I I I", "ascii") + "1 2 -3\n4 5 6\n7 -8 9\n",
           "",
           "",
           {1, 2, -3, 4, 5, 6, 7, -8, 9}},
          {"x twice", head("x x y z", "4 4 4 4", "F F F F", "ascii") + "1 1 2 3\n4 4 5 6\n7 7 8 9\n",
           "both named \"x\""},
          {"a fault of the sensor", xyz + "1.5 2 -3\nnan nan nan\n7 -8 9.5\n", "1 point is not finite"},
          {"a byte as a float", head("x y z", "4 4 1", "F F F", "ascii") + rows, "field z has type F of 1 byte"},
          {"a row too many", xyz + rows + "1 2 3\n", "a row follows the 3 promised points"},
          {"a row too few", xyz + "1.5 2 -3\n4 5.25 6\n", "the file ends after 2 of 3 points"},
          {"an unknown way", head("x y z", "4 4 4", "F F F", "binary_lz4"), "is no way to store PCD data"},
          {"decimal commas", xyz + "1,5 2 -3\n4 5 6\n7 8 9\n", "\"1,5\" is not a number"},
      });
}

TEST_CASE("PLY files of scanners, modellers and libraries") {
  const std::string points = "1.5 2 -3\n4 5.25 6\n7 -8 9.5\n";
  const auto ply = [](const std::string& vertex, const std::string& others, const std::string& rows) {
    return "ply\nformat ascii 1.0\nelement vertex 3\n" + vertex + others + "end_header\n" + rows;
  };
  const auto properties = [](const std::string& type, const std::string& names) {
    std::string text;
    std::istringstream all(names);
    for (std::string name; all >> name;) text += "property " + type + " " + name + "\n";
    return text;
  };
  const std::string xyz = properties("float", "x y z"), list = "property list uchar int vertex_indices\n",
                    face = "element face 1\n" + list;
  const auto rows_with = [](const std::string& more) {
    return "1.5 2 -3 " + more + "\n4 5.25 6 " + more + "\n7 -8 9.5 " + more + "\n";
  };
  FileBytes mixed(
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar red\nproperty double x\nproperty "
      "float y\nproperty short z2\nproperty double z\nelement face 1\nproperty uchar flags\nproperty list "
      "ushort uint vertex_indices\nproperty list uchar float texcoord\nend_header\n");
  for (const auto& [x, y, z] : {std::array{1.5f, 2.f, -3.f}, {4.f, 5.25f, 6.f}, {7.f, -8.f, 9.5f}})
    mixed.add(std::uint8_t{1}, double{x}, y, std::int16_t{9}, double{z});
  mixed.add(std::uint8_t{0}, std::uint16_t{3}, 0u, 1u, 2u, std::uint8_t{2}, 0.5f, 0.25f);
  check(
      FileFormat::ply,
      {
          {"Blender",
           ply(xyz + properties("float", "nx ny nz s t"), "element face 1\nproperty list uchar uint vertex_indices\n",
               rows_with("0 0 1 .5 .5") + "3 0 1 2\n")},
          {"MeshLab",
           ply(xyz + properties("int", "flags") + properties("uchar", "red green blue alpha") +
                   properties("float", "quality"),
               "element face 1\n" + list + properties("int", "flags"), rows_with("0 9 9 9 255 1e-3") + "3 0 1 2 0\n")},
          {"CloudCompare",
           "ply\nformat ascii 1.0\ncomment Created by CloudCompare v2.12\ncomment Created 1/1/24 12:00 "
           "AM\nobj_info Generated by CloudCompare!\nelement vertex 3\n" +
               xyz + properties("float", "scalar_Intensity") + face + "end_header\n" + rows_with("7") + "3 0 1 2\n"},
          {"Open3D", ply(properties("double", "x y z nx ny nz") + properties("uchar", "red green blue"), face,
                         rows_with("0 0 1 1 2 3") + "3 0 1 2\n")},
          {"PCL's camera", ply(xyz,
                               "element camera 1\n" + properties("float", "view_px view_py view_pz") +
                                   properties("int", "viewportx viewporty") + face,
                               points + "0 0 0 640 480\n3 0 1 2\n")},
          {"VTK", ply(xyz, "element face 1\nproperty list uchar int vertex_indices\nproperty uchar red\n",
                      points + "3 0 1 2 8\n")},
          {"Agisoft's textures", ply(xyz, face + "property list uchar float texcoord\nproperty int texnumber\n",
                                     points + "3 0 1 2 6 0 0 1 0 1 1 0\n")},
          {"Stanford's confidence",
           ply(xyz + properties("float", "confidence intensity"), face, rows_with(".5 .7") + "3 0 1 2\n")},
          {"splats",
           ply(xyz + properties("float", "f_dc_0 opacity scale_0 rot_0"), face, rows_with("0 1 2 3") + "3 0 1 2\n")},
          {"edges",
           ply(xyz, "element edge 1\n" + properties("int", "vertex1 vertex2") + face, points + "0 1\n3 0 1 2\n")},
          {"a material",
           ply(xyz, "element material 1\n" + properties("int", "ambient_red") + face, points + "7\n3 0 1 2\n")},
          {"a list in each vertex", ply(xyz + "property list uchar int neighbours\n", face,
                                        "1.5 2 -3 1 0\n4 5.25 6 0\n7 -8 9.5 2 0 1\n3 0 1 2\n")},
          {"types by their width",
           ply(properties("float64", "x y z"), "element face 1\nproperty list uint8 int32 vertex_index\n",
               points + "3 0 1 2\n")},
          {"long counts", ply(xyz, "element face 1\nproperty list int int vertex_index\n", points + "3 0 1 2\n")},
          {"indices of a byte",
           ply(xyz, "element face 1\nproperty list uchar uchar vertex_indices\n", points + "3 0 1 2\n")},
          {"indices of 64 bits",
           ply(xyz, "element face 1\nproperty list uint64 uint64 vertex_indices\n", points + "3 0 1 2\n")},
          {"tabs in the header",
           "ply\nformat\tascii\t1.0\nelement\tvertex\t3\nproperty\tfloat\tx\nproperty float  y\nproperty "
           "float z \n" +
               face + "end_header \n" + points + "3 0 1 2\n"},
          {"a comment in front of the format",
           "ply\ncomment a\nformat ascii 1.0\nelement vertex 3\n" + xyz + face + "end_header\n" + points + "3 0 1 2\n"},
          {"comments between properties",
           ply("property float x\ncomment in mm\n" + properties("float", "y z"), face, points + "3 0 1 2\n")},
          {"values over tabs", ply(xyz, face, "1.5\t2\t-3\n4\t5.25\t6\n7\t-8\t9.5\n3\t0\t1\t2\n")},
          {"an element without rows",
           ply(xyz, "element tristrips 0\nproperty list int int vertex_indices\n" + face, points + "3 0 1 2\n")},
          {"two elements of faces",
           ply(xyz, "element face 0\n" + list + "element triangle 1\n" + list, points + "3 0 1 2\n")},
          {"mixed types in bytes", mixed.str()},
          {"a strip", ply(xyz, "element tristrips 1\nproperty list int int vertex_indices\n", points + "4 0 1 2 -1\n")},
          {"Stanford's range grid",
           ply(xyz, face + "element range_grid 2\nproperty list uchar int vertex_indices\n",
               points + "3 0 1 2\n1 0\n0\n"),
           "", "2 rows of element range_grid with a list of whole numbers are left out"},
          {"a face of two corners", ply(xyz, face, points + "2 0 1\n"), "a face has 2 vertices"},
          {"corners counted from 1", ply(xyz, face, points + "3 1 2 3\n"),
           "a face names vertex 3, but there are 3 (counted from 0)"},
          {"z first",
           ply(properties("float", "z y x"), face, points + "3 0 1 2\n"),
           "",
           "",
           {-3, 2, 1.5, 6, 5.25, 4, 9.5, -8, 7}},
          {"capital letters", ply(properties("float", "X Y Z"), face, points + "3 0 1 2\n"),
           "such as columns=X,Y,Z, behind"},
          {"halves", ply(properties("float16", "x y z"), face, points), "\"float16\" is no PLY number type"},
          {"version 2", "ply\nformat ascii 2.0\nelement vertex 0\n" + xyz + "end_header\n",
           "PLY version \"2.0\" is not known"},
          {"one row over two lines", ply(xyz, face, "1.5 2\n-3\n4 5.25 6\n7 -8 9.5\n3 0 1 2\n"),
           "this row has too few values"},
          {"a decimal index", ply(xyz, face, points + "3 0 1.0 2\n"), "\"1.0\" is no integer of the declared type"},
          {"a byte too large", ply(xyz + properties("uchar", "red"), face, rows_with("256") + "3 0 1 2\n"),
           "\"256\" is no integer"},
          {"compressed", std::string("\x1f\x8b\x08\0", 4), "does not begin with \"ply\""},
      },
      true);
}

TEST_CASE("OBJ files of modellers") {
  const std::string v = "v 1.5 2 -3\nv 4 5.25 6\nv 7 -8 9.5\n";
  const std::string unread = "is no OBJ statement that is read here";
  check(FileFormat::obj,
        {
            {"Blender", "# Blender v2.93\n# www.blender.org\nmtllib a.mtl\no Cube\n" + v +
                            "vt 0.5 0.5\nvn 0 0 1\nusemtl None\ns off\nf 1/1/1 2/1/1 3/1/1\n"},
            {"MeshLab",
             "####\n#\n# OBJ File Generated by Meshlab\n#\n####\n\nvn 0 0 1\nv 1.5 2 -3 0.1 0.2 0.3\nvn 0 0 1\nv 4 "
             "5.25 6 0.1 0.2 0.3\nvn 0 0 1\nv 7 -8 9.5 0.1 0.2 0.3\n# 3 vertices\n\nf 1//1 2//2 3//3\n# 1 faces\n"},
            {"ZBrush", "#File exported by ZBrush\n#Vertex Count 3\n" + v + "#MRGB ffffffffffffffffffffffff\nf 1 2 3\n"},
            {"3ds Max",
             "# 3ds Max Wavefront OBJ Exporter\n\n#\n# object Box\n#\n\nv  1.5000 2.0000 -3.0000\nv  4.0000 5.2500 "
             "6.0000\nv  7.0000 -8.0000 9.5000\n# 3 vertices\n\ng Box\nusemtl wire\ns 2\nf 1 2 3 \n# 0 polygons\n"},
            {"Maya", "g default\n" + v + "s 1\ng pPlane1\nusemtl initialShadingGroup\nf 1 2 3\n"},
            {"SketchUp", "# Exported from SketchUp\nmtllib a.mtl\ng Mesh1 Group1 Model\nusemtl FrontColor\n" + v +
                             "vt -2 3\nvn 0 0 -1\nf 1/1/1 2/1/1 3/1/1\n"},
            {"a group without a name", "g\n" + v + "o\ns\nf 1 2 3\n"},
            {"statements of rendering",
             "bevel off\nc_interp off\nd_interp off\nlod 0\nshadow_obj a.obj\ntrace_obj a.obj\n" + v + "f 1 2 3\n"},
            {"techniques of curves", "ctech cparm 1\nstech cparma 1 1\n" + v + "f 1 2 3\n"},
            {"maps", "maplib a.map\nusemap off\nmg 1 0.5\n" + v + "f 1 2 3\n"},
            {"a weight", "v 1.5 2 -3 1\nv 4 5.25 6 1.0\nv 7 -8 9.5 1\nf 1 2 3\n"},
            {"a weight and colours", "v 1.5 2 -3 1 .1 .2 .3\nv 4 5.25 6 1 0 0 0\nv 7 -8 9.5 1 1 1 1\nf 1 2 3\n"},
            {"indices backwards", v + "f -3 -2 -1\n"},
            {"indices backwards with textures", v + "vt 0 0\nvn 0 0 1\nf -3/-1/-1 -2/-1/-1 -1/-1/-1\n"},
            {"faces in front of vertices", "f 1 2 3\n" + v},
            {"lines and points", v + "l 1 2 3\np 1\nl 1/1 2/2\nf 1 2 3\n"},
            {"textures of one and three numbers", v + "vt 0\nvt 0 0 0\nvp 0.5\nf 1/1 2/2 3/1\n"},
            {"indented statements", "  v 1.5 2 -3\n\tv 4 5.25 6\n v 7 -8 9.5\n  f 1 2 3\n"},
            {"tabs", "v\t1.5\t2\t-3\nv\t4\t5.25\t6\nv\t7\t-8\t9.5\nf\t1\t2\t3\n"},
            {"a comment behind a face", v + "f 1 2 3 # the only one\n"},
            {"names that are numbers", "o 1 2 3\ng 4 5\nusemtl 7\n" + v + "f 1 2 3\n"},
            {"names in UTF-8", "o W\xc3\xbcrfel\n" + v + "f 1 2 3\n"},
            {"exponents of three digits", "v 1.5e+000 2e+000 -3.0e+000\nv 4 5.25 6\nv 7 -8 9.5e-000\nf 1 2 3\n"},
            {"a face over three lines", v + "f 1 \\\n2 \\\n3\n"},
            {"no line end", v + "f 1 2 3"},
            {"a texture of each vertex", "v 1.5 2 -3\nvt 0 0\nv 4 5.25 6\nvt 1 0\nv 7 -8 9.5\nvt 1 1\nf 1/1 2/2 3/3\n"},
            {"smoothing between faces", v + "s 1\nf 1 2 3\ns off\n"},
            {"a curve", "cstype bspline\ndeg 3\ncurv 0 1 1 2 3\nend\n", "save curves and surfaces as polygons"},
            {"a surface", v + "surf 0 1 0 1 1 2 3\n", unread},
            {"an old face", v + "fo 1 2 3\n", unread},
            {"a call", "call other.obj\n", unread},
            {"corners counted from 0", v + "f 0 1 2\n", "counted from 1"},
            {"a vertex that is not there", v + "f 1 2 4\n", "a face names vertex 4, but there are 3 (counted from 1)"},
            {"two corners", v + "f 1 2\n", "a face has 2 vertices; faces need 3 or more"},
            {"two coordinates", "v 1 2\nf 1 1 1\n", "a vertex has 2 values"},
            {"decimal commas", "v 1,5 2 3\n", "\"1,5\" is not a number"},
            {"a page of the web", "<!DOCTYPE html>\n<html>\n", unread},
        },
        true);
}

TEST_CASE("STL files of modellers and slicers") {
  const std::string loop = "outer loop\nvertex 1.5 2 -3\nvertex 4 5.25 6\nvertex 7 -8 9.5\nendloop\nendfacet\n";
  const std::string facet = "facet normal 0 0 1\n" + loop;
  const auto binary = [](std::string header, std::uint32_t count, std::uint16_t attribute,
                         const std::string& more = "") {
    header.resize(80, header.empty() ? '\0' : ' ');
    return FileBytes(header)
               .add(count, 0.f, 0.f, 1.f, 1.5f, 2.f, -3.f)
               .add(4.f, 5.25f, 6.f, 7.f, -8.f, 9.5f, attribute)
               .str() +
           more;
  };
  check(
      FileFormat::stl,
      {
          {"Blender", "solid Exported from Blender-2.93 (sub 5)\n" + facet + "endsolid Exported from Blender-2.93\n"},
          {"OpenSCAD",
           "solid OpenSCAD_Model\n  facet normal 0 0 1\n    outer loop\n      vertex 1.5 2 -3\n      vertex 4 5.25 "
           "6\n      vertex 7 -8 9.5\n    endloop\n  endfacet\nendsolid OpenSCAD_Model\n"},
          {"SolidWorks",
           "solid Part1\n   facet normal 0.000000e+000 0.000000e+000 1.000000e+000\n      outer loop\n         "
           "vertex 1.500000e+000 2.000000e+000 -3.000000e+000\n         vertex 4.0e+000 5.25e+000 6.0e+000\n   "
           "      vertex 7.0e+000 -8.0e+000 9.5e+000\n      endloop\n   endfacet\nendsolid\n"},
          {"no name", "solid\n" + facet + "endsolid\n"},
          {"no name at the end", "solid a b\n" + facet + "endsolid\n"},
          {"another name at the end", "solid a\n" + facet + "endsolid b c d\n"},
          {"a name like a keyword", "solid facet normal\n" + facet + "endsolid facet\n"},
          {"tabs",
           "solid a\n\tfacet normal 0 0 1\n\t\touter "
           "loop\n\t\t\tvertex\t1.5\t2\t-3\n\t\t\tvertex\t4\t5.25\t6\n\t\t\tvertex"
           "\t7\t-8\t9.5\n\t\tendloop\n\tendfacet\nendsolid a\n"},
          {"one line",
           "solid a\nfacet normal 0 0 1 outer loop vertex 1.5 2 -3 vertex 4 5.25 6 vertex 7 -8 9.5 endloop endfacet "
           "endsolid a"},
          {"empty lines", "\n\nsolid a\n\n" + facet + "\n\nendsolid a\n\n\n"},
          {"blanks in front", "   solid a\n" + facet + "endsolid a\n"},
          {"no normal", "solid a\nfacet normal 0 0 0\n" + loop + "endsolid a\n"},
          {"a normal that is no number", "solid a\nfacet normal nan nan nan\n" + loop + "endsolid a\n"},
          {"one of a C library", "solid a\nfacet normal -nan -nan(ind) nan\n" + loop + "endsolid a\n"},
          {"an infinite one", "solid a\nfacet normal inf -inf 0\n" + loop + "endsolid a\n"},
          {"a solid without facets", "solid a\nendsolid a\nsolid b\n" + facet + "endsolid b\n"},
          {"line ends of Windows",
           "solid a\r\nfacet normal 0 0 1\r\nouter loop\r\nvertex 1.5 2 -3\r\nvertex 4 5.25 6\r\nvertex 7 "
           "-8 9.5\r\nendloop\r\nendfacet\r\nendsolid a\r\n"},
          {"plus signs",
           "solid a\nfacet normal +0 +0 +1\nouter loop\nvertex +1.5 +2 -3\nvertex +4 +5.25 +6\nvertex +7 -8 "
           "+9.5\nendloop\nendfacet\nendsolid\n"},
          {"a name of Latin-1", "solid K\xf6rper\n" + facet + "endsolid\n"},
          {"bytes", binary("made by a slicer", 1, 0)},
          {"bytes with an empty header", binary("", 1, 0)},
          {"bytes that begin with solid", binary("solid Part made by a program", 1, 0)},
          {"a colour of Magics", binary("COLOR=\xff\x80\x80\xff,MATERIAL=abc", 1, 0xffff)},
          {"a colour of VisCAM", binary("a", 1, 0x8000)},
          {"attributes", binary("a", 1, 3, "abc")},
          {"a line end behind", binary("a", 1, 0, "\r\n")},
          {"a corner too many",
           "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 "
           "0\nendloop\nendfacet\nendsolid\n",
           "\"vertex\" stands where \"endloop\" is missing"},
          {"a colour between", "solid a\nfacet normal 0 0 1\ncolor 1 0 0\n",
           "\"color\" stands where \"outer\" is missing"},
          {"nothing", "solid a\nendsolid a\n", "the file has no facets"},
          {"words behind", "solid a\n" + facet + "endsolid a\nthe end\n", "\"the\" stands where \"solid\" is missing"},
          {"an end too early", "solid a\n" + facet, "the file ends where \"endsolid\" is missing"},
          {"a count of -1", binary("a", 0xffffffff, 0), "the header promises 4294967295 facets"},
          {"a count of 0", binary("a", 0, 0), "50 bytes follow the last record"},
          {"a count in big-endian order", binary("a", 0x01000000, 0), "big-endian"},
          {"decimal commas", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 1,5 2 3\n", "\"1,5\" is not a number"},
      },
      true);
}

}  // namespace kdscope::program_files_test
