// Writes odd but legal files with a seeded generator, and compares what is read with what was written. The writer knows
// nothing of the readers: it makes numbers, chooses among the ways to write them that programs are known for, and keeps
// the numbers.

#include <charconv>
#include <random>
#include <vector>

#include "datasets/loaders/loaders.hpp"
#include "tests/datasets/file_bytes.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::odd_files_test {

namespace {

constexpr int files_per_format = 60;

/// Points and triangles as they were written.
struct Written {
  std::string bytes;
  std::uint32_t dim = 3;
  std::vector<float> coordinates;
  std::vector<std::uint32_t> triangles = {};
};

class Oddity {
 public:
  explicit Oddity(std::uint32_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  bool coin() { return below(2) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return *(all.begin() + below(static_cast<std::uint32_t>(all.size())));
  }
  /// A float with few digits, so that its shortest text is exact in every notation.
  float number() { return static_cast<float>(static_cast<int>(below(20001)) - 10000) / 8; }
  std::string text(float value) {
    char buffer[64];
    const auto format = one_of({std::chars_format::fixed, std::chars_format::scientific, std::chars_format::general});
    std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
    if (coin())
      for (char& c : text)
        if (c == 'e') c = 'E';
    if (value >= 0 && below(4) == 0) text.insert(0, "+");
    // A decimal point keeps files of whole numbers floats.
    if (text.find_first_of(".eE") == text.npos) text += coin() ? ".0" : ".";
    return text;
  }
  std::string any_case(std::string word) {
    const std::uint32_t kind = below(3);
    for (std::size_t i = 0; i < word.size(); ++i)
      if (kind == 1 || (kind == 2 && i == 0))
        if (word[i] >= 'a' && word[i] <= 'z') word[i] = static_cast<char>(word[i] - 'a' + 'A');
    return word;
  }
  std::string blanks() { return one_of<const char*>({" ", "  ", "\t", " \t "}); }

 private:
  std::mt19937 random_;
};

std::string with_line_ends(const std::string& text, const std::string& end) {
  std::string result;
  for (const char c : text) c == '\n' ? result += end : result += c;
  return result;
}

std::string in_utf16(const std::string& text, bool big, bool mark) {
  std::string result;
  const auto add = [&](char high, char low) { big ? (result += high) += low : (result += low) += high; };
  if (mark) add('\xfe', '\xff');
  for (const char c : text) add('\0', c);
  return result;
}

/// Line ends, byte order marks and encodings of a whole text.
std::string dressed(Oddity& odd, const std::string& text) {
  const std::string lines = with_line_ends(text, odd.one_of<std::string>({"\n", "\r\n", "\r"}));
  switch (odd.below(6)) {
    case 0:
      return "\xef\xbb\xbf" + lines;
    case 1:
      return in_utf16(lines, odd.coin(), true);
    case 2:
      return in_utf16(lines, odd.coin(), false);
    default:
      return lines;
  }
}

std::vector<float> some_points(Oddity& odd, std::uint32_t dim) {
  std::vector<float> coordinates(std::size_t{dim} * (1 + odd.below(6)));
  for (float& c : coordinates) c = odd.number();
  return coordinates;
}

Written csv(Oddity& odd) {
  Written written{"", 1 + odd.below(4), {}};
  written.coordinates = some_points(odd, written.dim);
  const std::string separator = odd.one_of<std::string>({",", ";", "\t", " "});
  // A decimal point in each first coordinate, so that a single column is one.
  const bool quotes = odd.coin(), index = written.dim > 1 && odd.below(4) == 0, names = index || odd.coin();
  const bool comments = odd.coin();
  const bool ends_names = separator != " " && odd.below(4) == 0, ends_rows = separator != " " && odd.below(4) == 0;
  const auto quoted = [&](const std::string& cell) { return quotes && odd.coin() ? "\"" + cell + "\"" : cell; };
  std::string text;
  if (comments) text += "# made for a test, with commas; and semicolons\n";
  if (names) {
    if (index) text += (separator == " " ? "\"\"" : odd.one_of<std::string>({"", "\"\""})) + separator;
    for (std::uint32_t d = 0; d < written.dim; ++d) {
      std::string name = std::string("column") + static_cast<char>('a' + d);
      if (odd.below(3) == 0) name = "\"" + name + ", in \"\"mm\"\"\"";
      if (odd.below(5) == 0 && written.dim > 1) name = "\"two\nlines " + std::to_string(d) + "\"";
      text += (d > 0 ? separator : "") + name;
    }
    text += (ends_names ? separator : "") + "\n";
  }
  for (std::size_t i = 0; i < written.coordinates.size(); i += written.dim) {
    if (comments && odd.below(3) == 0) text += "#" + odd.blanks() + "between the rows\n";
    if (index) text += quoted(std::to_string(i / written.dim)) + separator;
    for (std::uint32_t d = 0; d < written.dim; ++d)
      text += (d > 0 ? separator : "") + quoted(odd.text(written.coordinates[i + d]));
    text += (ends_rows ? separator : "") + "\n";
  }
  for (std::uint32_t i = odd.below(3); i > 0; --i) text += '\n';
  if (odd.coin())
    while (text.ends_with('\n')) text.pop_back();
  written.bytes = dressed(odd, text);
  return written;
}

Written xyz(Oddity& odd) {
  Written written{"", 2 + odd.below(3), {}};
  written.coordinates = some_points(odd, written.dim);
  std::string text;
  if (odd.below(4) == 0) text += std::to_string(written.coordinates.size() / written.dim) + "\n";
  for (std::size_t i = 0; i < written.coordinates.size(); i += written.dim) {
    if (odd.below(4) == 0) text += odd.one_of<const char*>({"\n", "# a comment\n", "// another\n", "   \n", "% one\n"});
    if (odd.coin()) text += odd.blanks();
    for (std::uint32_t d = 0; d < written.dim; ++d)
      text += (d > 0 ? odd.blanks() : "") + odd.text(written.coordinates[i + d]);
    text += (odd.coin() ? odd.blanks() : "") + "\n";
  }
  written.bytes = dressed(odd, text);
  return written;
}

Written npy(Oddity& odd) {
  Written written{"", 1 + odd.below(4), {}};
  written.coordinates = some_points(odd, written.dim);
  const std::size_t n = written.coordinates.size() / written.dim;
  const std::endian order = odd.one_of({std::endian::little, std::endian::big});
  const bool fortran = odd.coin(), doubles = odd.coin(), python2 = odd.coin();
  const std::string suffix = python2 ? "L" : "", q = odd.one_of<std::string>({"'", "\""});
  const std::string type = (order == std::endian::little ? "<f" : ">f") + std::string(doubles ? "8" : "4");
  const std::string shape = "(" + std::to_string(n) + suffix + "," + (odd.coin() ? " " : "") +
                            std::to_string(written.dim) + suffix + (odd.coin() ? ",)" : ")");
  FileBytes file = npy_file("{" + q + "shape" + q + ": " + shape + ", " + q + "descr" + q + ":" + q + type + q + ", " +
                                q + "fortran_order" + q + ": " + (fortran ? "True" : "False") +
                                (odd.coin() ? ", }" : "}") + std::string(odd.below(40), ' '),
                            1 + static_cast<int>(odd.below(3)), order);
  for (std::size_t i = 0; i < written.coordinates.size(); ++i) {
    const float value = written.coordinates[fortran ? i % n * written.dim + i / n : i];
    doubles ? file.add(static_cast<double>(value)) : file.add(value);
  }
  written.bytes = file.str();
  return written;
}

Written pcd(Oddity& odd) {
  Written written{"", 3, {}};
  written.coordinates = some_points(odd, 3);
  const std::string n = std::to_string(written.coordinates.size() / 3);
  const bool ascii = odd.coin(), lower = odd.coin(), extra = odd.coin();
  std::string head;
  if (odd.coin()) head += "# .PCD v0.7 - Point Cloud Data file format\n";
  head += "VERSION " + odd.one_of<std::string>({"0.7", ".7"}) + "\n";
  head += odd.one_of<std::string>({"FIELDS", "COLUMNS"}) + " x y z" + (extra ? " intensity" : "") + "\nSIZE 4 4 4" +
          (extra ? " 1" : "") + "\nTYPE " + (lower ? "f f f" : "F F F") + (extra ? (lower ? " u" : " U") : "") + "\n";
  if (odd.coin()) head += std::string("COUNT 1 1 1") + (extra ? " 2" : "") + "\n";
  const bool twice = head.find("COUNT") != head.npos;
  head += "WIDTH " + n + "\n";
  if (odd.coin()) head += "HEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + n + "\n";
  head += "DATA " + odd.any_case(ascii ? "ascii" : "binary") + "\n";
  std::string rows;
  FileBytes bytes;
  for (std::size_t i = 0; i < written.coordinates.size(); ++i) {
    rows += odd.text(written.coordinates[i]) + odd.blanks();
    bytes.add(written.coordinates[i]);
    if (i % 3 != 2) continue;
    for (int more = extra ? (twice ? 2 : 1) : 0; more > 0; --more) {
      rows += "10 ";
      bytes.add(std::uint8_t{10});
    }
    rows += '\n';
  }
  const std::string end = odd.one_of<std::string>({"\n", "\r\n", "\r"});
  written.bytes =
      ascii ? dressed(odd, head + rows) : with_line_ends(head, end) + bytes.str() + (odd.coin() ? "\n" : "");
  return written;
}

/// Triangles over some vertices, each as a face of its own.
void add_triangles(Oddity& odd, Written& written) {
  const auto n = static_cast<std::uint32_t>(written.coordinates.size() / 3);
  for (std::uint32_t i = 3 * (1 + odd.below(4)); i > 0; --i) written.triangles.push_back(odd.below(n));
}

Written ply(Oddity& odd) {
  Written written{"", 3, {}};
  written.coordinates = some_points(odd, 3);
  add_triangles(odd, written);
  const bool ascii = odd.coin(), big = odd.coin(), first = odd.coin();
  const std::string format = ascii ? "ascii" : big ? "binary_big_endian" : "binary_little_endian";
  const std::string list = odd.one_of<std::string>({"vertex_indices", "vertex_index", "vertex_indexes"});
  const std::string faces = odd.any_case("element") + " face " + std::to_string(written.triangles.size() / 3) +
                            "\nproperty list uchar " + odd.one_of<std::string>({"int", "int32", "uint"}) + " " + list +
                            "\nproperty list uchar float texcoord\n";
  std::string vertices = "element vertex " + std::to_string(written.coordinates.size() / 3) + "\n";
  for (const char axis : {'x', 'y', 'z'})
    vertices += "property " + odd.one_of<std::string>({"float", "float32"}) + " " + axis + "\n";
  const std::string head = "ply\nformat " + format + " 1.0\ncomment by a test\n" +
                           (first ? faces + vertices : vertices + faces) + odd.any_case("end_header") + "\n";
  const std::endian order = big ? std::endian::big : std::endian::little;
  std::string points_text, faces_text;
  FileBytes points("", order), corners("", order);
  for (std::size_t i = 0; i < written.coordinates.size(); ++i) {
    points_text += odd.text(written.coordinates[i]) + (i % 3 == 2 ? "\n" : odd.blanks());
    points.add(written.coordinates[i]);
  }
  for (std::size_t i = 0; i < written.triangles.size(); i += 3) {
    faces_text += "3";
    corners.add(std::uint8_t{3});
    for (std::size_t c = 0; c < 3; ++c) {
      faces_text += odd.blanks() + std::to_string(written.triangles[i + c]);
      corners.add(written.triangles[i + c]);
    }
    faces_text += " 1 0.5\n";
    corners.add(std::uint8_t{1}, 0.5f);
  }
  const std::string end = odd.one_of<std::string>({"\n", "\r\n", "\r"});
  written.bytes =
      ascii ? dressed(odd, head + (first ? faces_text + points_text : points_text + faces_text))
            : with_line_ends(head, end) + (first ? corners.str() + points.str() : points.str() + corners.str());
  return written;
}

Written obj(Oddity& odd) {
  Written written{"", 3, {}};
  written.coordinates = some_points(odd, 3);
  add_triangles(odd, written);
  const auto between = [&] { return odd.below(6) == 0 ? " \\\n" + odd.blanks() : odd.blanks(); };
  std::string vertices, faces;
  for (std::size_t i = 0; i < written.coordinates.size(); i += 3) {
    vertices += "v";
    for (std::size_t d = 0; d < 3; ++d) vertices += between() + odd.text(written.coordinates[i + d]);
    vertices += odd.one_of<const char*>({"\n", " # a corner\n", " 1.0\n", "\n\n"});
    if (odd.below(4) == 0) vertices += "vt 0 0\nvn 0 0 1\ng a \\\n b\n";
  }
  for (std::size_t i = 0; i < written.triangles.size(); i += 3) {
    faces += "f";
    for (std::size_t c = 0; c < 3; ++c) {
      const auto n = static_cast<int>(written.coordinates.size() / 3),
                 index = static_cast<int>(written.triangles[i + c]);
      faces += between() + std::to_string(odd.coin() ? index + 1 : index - n) +
               odd.one_of<const char*>({"", "/", "//", "/1", "/1/", "//1", "/1/1"});
    }
    faces += "\n";
  }
  written.bytes = dressed(odd, "# by a test\n" + vertices + faces);
  return written;
}

/// Facets that share no corner, so that the vertices are the corners as they come.
Written stl(Oddity& odd) {
  Written written{"", 3, {}};
  const std::uint32_t facets = 1 + odd.below(4);
  for (std::uint32_t corner = 0; corner < 3 * facets; ++corner) {
    written.coordinates.insert(written.coordinates.end(),
                               {static_cast<float>(corner) + 0.5f, odd.number(), odd.number()});
    written.triangles.push_back(corner);
  }
  if (odd.coin()) {
    std::string text = odd.any_case("solid") + " a part\n";
    const auto end_of = [&](const std::string& of) { return odd.any_case(odd.coin() ? "end" + of : "end " + of); };
    for (std::uint32_t facet = 0; facet < facets; ++facet) {
      text += odd.any_case("facet normal") + " 0 0 1\n " + odd.any_case("outer loop") + "\n";
      for (std::uint32_t i = 9 * facet; i < 9 * facet + 9; i += 3)
        text += odd.any_case("vertex") + odd.blanks() + odd.text(written.coordinates[i]) + odd.blanks() +
                odd.text(written.coordinates[i + 1]) + odd.blanks() + odd.text(written.coordinates[i + 2]) + "\n";
      text += end_of("loop") + "\n" + end_of("facet") + "\n";
    }
    written.bytes = dressed(odd, text + end_of("solid") + (odd.coin() ? " a part\n" : "\n"));
    return written;
  }
  FileBytes file((odd.coin() ? "solid " : "part ") + std::string(74 + (0), ' '));
  std::string header = file.str();
  header.resize(80, ' ');
  file = FileBytes(header);
  file.add(facets);
  const std::uint32_t attributes = odd.below(3);  // none, a colour, bytes behind the facet
  for (std::uint32_t facet = 0; facet < facets; ++facet) {
    file.add(0.f, 0.f, 1.f);
    for (std::uint32_t i = 9 * facet; i < 9 * facet + 9; ++i) file.add(written.coordinates[i]);
    const auto bytes = static_cast<std::uint16_t>(attributes == 0 ? 0 : 1 + odd.below(30));
    file.add(bytes);
    for (int i = attributes == 2 ? bytes : 0; i > 0; --i) file.add(static_cast<std::uint8_t>(odd.below(3) / 2));
  }
  written.bytes = file.str();
  return written;
}

}  // namespace

TEST_CASE("odd but legal files are read as they were written") {
  struct Format {
    const char* name;
    FileFormat format;
    Written (*write)(Oddity& odd);
  };
  const auto format = GENERATE(values<Format>({{"csv", FileFormat::csv, csv},
                                               {"xyz", FileFormat::xyz, xyz},
                                               {"npy", FileFormat::npy, npy},
                                               {"pcd", FileFormat::pcd, pcd},
                                               {"ply", FileFormat::ply, ply},
                                               {"obj", FileFormat::obj, obj},
                                               {"stl", FileFormat::stl, stl}}));
  for (int seed = 1; seed <= files_per_format; ++seed) {
    Oddity odd(static_cast<std::uint32_t>(seed));
    const Written written = format.write(odd);
    INFO(format.name << " with seed " << seed << ":\n" << written.bytes.substr(0, 600));
    const Result<DataSet> read = parse_points(format.format, written.bytes, "file");
    if (!read) {
      FAIL_CHECK(read.error().message());
      continue;
    }
    std::vector<float> coordinates;
    for (const std::uint32_t word : read->points.words) coordinates.push_back(float_of(word));
    CHECK(read->points.type == ScalarType::float32);
    CHECK(read->points.dim == written.dim);
    CHECK(coordinates == written.coordinates);
    CHECK(read->triangles == written.triangles);
  }
}

}  // namespace kdscope::odd_files_test
