#include "datasets/file_source.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/text_scan.hpp"
#include "datasets/specification.hpp"

namespace kdscope {
namespace {

double number_in(const std::string& text, const std::string& parameter, const std::string& file,
                 const std::string& remedy) {
  const NumberText number = read_number(text);
  const double value = number.kind == NumberText::Kind::integer ? static_cast<double>(number.integer) : number.precise;
  if (number.kind == NumberText::Kind::not_a_number || !std::isfinite(value))
    refuse(file, "parameter " + parameter + " has " + excerpt(text) + ", which is no number", remedy);
  return value;
}

ReadOptions options_in(const ParameterValues& values, const std::string& file) {
  ReadOptions options;
  options.columns = values.list("columns");
  for (const std::string& column : options.columns)
    if (column.empty()) refuse(file, "parameter columns has an empty name", "write columns=x,y,z, or count from 1");
  if (values.text("type") == "float") options.type = CoordinateType::floats;
  if (values.text("type") == "int") options.type = CoordinateType::integers;
  const std::vector<std::string> shift = values.list("shift");
  options.auto_shift = shift.size() == 1 && shift[0] == "auto";
  if (!options.auto_shift)
    for (const std::string& each : shift)
      options.shift.push_back(number_in(each, "shift", file, "use auto, or a number for each coordinate"));
  const std::vector<std::string> scale = values.list("scale");
  if (scale.size() > 1) refuse(file, "parameter scale has several numbers", "give one for all coordinates");
  if (!scale.empty()) options.scale = number_in(scale[0], "scale", file, "use a number other than 0");
  if (options.scale == 0) refuse(file, "parameter scale is 0", "use a number other than 0");
  options.drop_missing = values.text("missing") == "drop";
  if (values.text("header") != "auto") options.header = values.text("header") == "yes";
  const std::string& separator = values.text("separator");
  if (separator == "comma") options.separator = ',';
  if (separator == "semicolon") options.separator = ';';
  if (separator == "tab") options.separator = '\t';
  if (separator == "blank") options.separator = ' ';
  return options;
}

/// The specification that reads the same again, with the shift that was chosen.
std::string name_of_file(const std::string& path, const ParameterValues& values, const DataSet& set) {
  std::map<std::string, std::string> written = values.all();
  if (std::string& shift = written.at("shift"); shift == "auto") {
    shift.clear();
    for (const double each : set.shift) shift += (shift.empty() ? "" : ",") + shortest(each);
  }
  return specification_of(path, file_parameters(), written);
}

}  // namespace

const std::vector<DataParameter>& file_parameters() {
  static const std::vector<DataParameter> parameters = {
      {"columns", "Columns that are coordinates, by name or counted from 1.", "", {}, 0, 0, true, "x,y,z"},
      {"type", "Coordinate type; auto: int if all numbers are whole.", "auto", {"auto", "float", "int"}},
      {"shift",
       "Numbers to subtract from the coordinates, or auto; before rounding to floats.",
       "",
       {},
       0,
       0,
       true,
       "auto"},
      {"scale", "A number to multiply the shifted coordinates with.", "", {}, 0, 0, true, "1"},
      {"missing", "Refuse a file with points that lack a coordinate, or drop these.", "refuse", {"refuse", "drop"}},
      {"header", "Whether the first row of a CSV or XYZ file names columns.", "auto", {"auto", "yes", "no"}},
      {"separator",
       "What parts the columns of a CSV or XYZ file.",
       "auto",
       {"auto", "comma", "semicolon", "tab", "blank"}}};
  return parameters;
}

std::string data_file_of(const std::string& specification) {
  const std::string name = specification.substr(0, specification.find(':'));
  for (const DataSource& source : data_sources())
    if (source.id == name) return "";
  std::error_code error;  // a path that cannot be looked up names no file
  for (std::size_t end = specification.size();; end = specification.rfind(':', end - 1)) {
    if (end == std::string::npos) return name;
    if (end > 0 && std::filesystem::exists(specification.substr(0, end), error)) return specification.substr(0, end);
    if (end == 0) return name;
  }
}

DataSet open_file(const std::string& specification, const std::string& path) {
  const DataSource file{path, "", "", false, false, file_parameters()};
  const std::string_view parameters =
      std::string_view(specification).substr(std::min(specification.size(), path.size() + 1));
  const ParameterValues values(file, parameters);
  auto loaded = value_of(load_points(path, options_in(values, path)));
  loaded.name = name_of_file(path, values, loaded);
  return loaded;
}

std::optional<NpyRows> npy_rows_of(const std::string& path) {
  const auto file = value_of(InputFile::open(path));
  // The header, as numpy writes it in versions 1: magic, length of the dictionary, the dictionary
  constexpr std::size_t prefix = 10;
  const Result<std::string> begin = file.read_beginning();
  if (!begin || begin->size() < prefix || !begin->starts_with("\x93NUMPY\x01")) return std::nullopt;
  const std::size_t data =
      prefix + static_cast<unsigned char>((*begin)[8]) + 256u * static_cast<unsigned char>((*begin)[9]);
  if (data > begin->size()) return std::nullopt;
  const std::string dictionary = begin->substr(prefix, data - prefix);
  const bool floats = dictionary.find("'descr': '<f4'") != std::string::npos,
             integers = dictionary.find("'descr': '<i4'") != std::string::npos;
  unsigned long long n = 0, dim = 1;
  const std::size_t shape = dictionary.find("'shape': (");
  if (floats == integers || dictionary.find("'fortran_order': False") == std::string::npos ||
      shape == std::string::npos)
    return std::nullopt;
  const int extents = std::sscanf(dictionary.c_str() + shape, "'shape': (%llu, %llu)", &n, &dim);
  if (extents < 1 || dim == 0 || dim > 512 || n > file.size() || file.size() != data + n * dim * 4) return std::nullopt;
  return NpyRows{floats ? ScalarType::float32 : ScalarType::int32, static_cast<std::uint32_t>(dim), n, data};
}

std::optional<DataShare> open_npy_share(const std::string& path, std::uint32_t part, std::uint32_t parts) {
  if (!path.ends_with(".npy")) return std::nullopt;
  const std::optional<NpyRows> found = npy_rows_of(path);
  if (!found) return std::nullopt;
  const auto [type, dim, n, data] = *found;
  const bool floats = type == ScalarType::float32;
  // The rows of the share, as a file of their own
  const std::uint64_t first = n * part / parts, rows = n * (part + 1) / parts - first;
  require_memory(2 * rows * dim * 4, path + ": the points of a share");
  std::string header = "{'descr': '" + std::string(floats ? "<f4" : "<i4") + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + ", " + std::to_string(dim) + "), }";
  header.resize(118, ' ');
  std::string bytes = "\x93NUMPY" + std::string{1, 0, 118, 0} + header;
  const std::size_t at = bytes.size();
  bytes.resize(at + rows * dim * 4);
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(data + first * dim * 4));
  if (!in.read(bytes.data() + at, static_cast<std::streamsize>(rows * dim * 4)))
    throw ErrorException({ErrorKind::bad_input, "cannot be read to its end", path, "check the disk"});
  const std::string label = path + ", its rows from " + std::to_string(first) + " on taken as a file";
  auto loaded = value_of(parse_points(FileFormat::npy, bytes, label));
  loaded.name = path;
  return DataShare{std::make_shared<const DataSet>(std::move(loaded)), first};
}

}  // namespace kdscope
