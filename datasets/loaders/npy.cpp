// NPY, numpy's format for one array: magic, version, a Python dictionary that describes the array, the values.

#include <algorithm>
#include <vector>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

/// Contents of the dictionary.
struct ArrayHeader {
  NumberType type = NumberType::float32;
  std::endian order = std::endian::little;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the dictionary literal of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, std::size_t offset, const std::string& file)
      : text_(text), offset_(offset), file_(file) {}

  ArrayHeader read() {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted_text();
      expect(':');
      if (key == "descr") {
        read_type();
        has_type = true;
      } else if (key == "fortran_order") {
        header_.fortran_order = read_truth();
        has_order = true;
      } else if (key == "shape") {
        read_shape();
        has_shape = true;
      } else {
        refuse(where(), excerpt(key) + " is no key of an NPY header");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type || !has_order || !has_shape) refuse(where(), "the NPY header lacks descr, fortran_order or shape");
    return header_;
  }

 private:
  std::string where() const { return byte_position(file_, offset_ + next_); }
  void skip_blanks() {
    while (next_ < text_.size() && (is_blank(text_[next_]) || text_[next_] == '\n')) ++next_;
  }
  bool take(char c) {
    skip_blanks();
    if (next_ >= text_.size() || text_[next_] != c) return false;
    ++next_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(where(), std::string("the NPY header is malformed: '") + c + "' is missing here");
  }
  std::string_view quoted_text() {
    skip_blanks();
    // Python 2 writes u'...' for some texts, and 4L for some counts.
    if (text_.substr(next_).starts_with("u'")) ++next_;
    const char quote = next_ < text_.size() ? text_[next_] : ' ';
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, next_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse(where(), "the NPY header is malformed: a quoted text is missing here");
    const std::string_view text = text_.substr(next_ + 1, end - next_ - 1);
    next_ = end + 1;
    return text;
  }
  bool read_truth() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"})
      if (text_.substr(next_).starts_with(word)) {
        next_ += word.size();
        return word == "True";
      }
    refuse(where(), "fortran_order is neither True nor False");
  }
  void read_type() {
    skip_blanks();
    if (next_ < text_.size() && text_[next_] == '[')
      refuse(where(), "the array has a structured type", "save plain columns, as one 2D array of numbers");
    const std::string_view type = quoted_text();
    constexpr std::string_view types[] = {"i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"};
    const auto found = type.size() == 3 ? std::ranges::find(types, type.substr(1)) : std::end(types);
    if (found == std::end(types) || std::string_view("<>|=").find(type[0]) == std::string_view::npos)
      refuse(where(), "values of type " + excerpt(type) + " are not read",
             "save them as float32, float64, int32 or int64");
    header_.type = static_cast<NumberType>(found - std::begin(types));
    header_.order = type[0] == '>' ? std::endian::big : type[0] == '=' ? std::endian::native : std::endian::little;
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      skip_blanks();
      std::size_t end = next_;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      std::uint64_t extent = 0;
      if (!read_integer(text_.substr(next_, end - next_), extent))
        refuse(where(), "the shape of the array is malformed");
      next_ = end + (text_.substr(end).starts_with('L') ? 1 : 0);
      header_.shape.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view text_;
  std::size_t offset_, next_ = 0;
  const std::string& file_;
  ArrayHeader header_;
};

}  // namespace

DataSet parse_npy(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  if (!bytes.starts_with("\x93NUMPY")) refuse(byte_position(file, 0), "the file does not begin with NPY's magic bytes");
  const int version = bytes.size() > 6 ? static_cast<unsigned char>(bytes[6]) : 0;
  if (version < 1 || version > 3)
    refuse(byte_position(file, 6), "NPY version " + std::to_string(version) + " is not known");
  const std::size_t header_begin = version == 1 ? 10 : 12;
  if (bytes.size() < header_begin) refuse(byte_position(file, bytes.size()), "the file ends within its header");
  const std::size_t header_size = version == 1 ? load_value<std::uint16_t>(&bytes[8], std::endian::little)
                                               : load_value<std::uint32_t>(&bytes[8], std::endian::little);
  if (header_size > bytes.size() - header_begin)
    refuse(byte_position(file, bytes.size()), "the file ends within its header");
  const ArrayHeader header = DictionaryReader(bytes.substr(header_begin, header_size), header_begin, file).read();

  const std::string at_header = byte_position(file, header_begin);
  if (header.shape.empty() || header.shape.size() > 2)
    refuse(at_header, "the array has " + std::to_string(header.shape.size()) + " dimensions",
           "save points as rows of a 2D array");
  const std::uint64_t n = header.shape[0], dim = header.shape.size() == 2 ? header.shape[1] : 1;
  check_dimension(at_header, dim);
  const std::size_t data = header_begin + header_size, size = size_of(header.type);
  const std::size_t bytes_left = bytes.size() - data;
  if (n > bytes_left / (dim * size))
    refuse(at_header, "the header promises " + std::to_string(n) + " x " + std::to_string(dim) + " values of " +
                          std::to_string(size) + " bytes, but only " + std::to_string(bytes_left) + " bytes follow it");
  check_point_count(at_header, n);
  refuse_trailing_bytes(bytes, data + n * dim * size, file);

  const ColumnChoice columns = choose_columns(options, {}, std::vector<bool>(dim, true), at_header);
  PointCollector points(file, columns, is_integer(header.type) ? ScalarType::int32 : ScalarType::float32, options);
  points.reserve(n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t d = 0; d < dim; ++d) {
      if (!columns.wanted[d]) continue;
      const std::size_t at = data + (header.fortran_order ? d * n + i : i * dim + d) * size;
      points.add(load_number(&bytes[at], header.type, header.order), [&] { return byte_position(file, at); });
    }
  DataSet set;
  constexpr std::uint64_t most_rows = 3, least_columns = 16;
  if (n >= 2 && n <= most_rows && dim >= least_columns && options.columns.empty())
    set.warnings.push_back(file + ": the rows of the array are " + std::to_string(n) + " points of " +
                           std::to_string(dim) + " dimensions; if columns are points, save the transpose.");
  points.finish(set);
  return set;
}

}  // namespace kdscope
