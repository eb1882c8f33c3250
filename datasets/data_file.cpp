#include "datasets/data_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "algorithms/core/scalar.hpp"
#include "datasets/loaders/read_options.hpp"

namespace kdscope {
namespace {

/// The shortest text that reads back as the same coordinate. Whole floats end in ".0": readers of text take a file of
/// integers for int32.
std::string number_text(std::uint32_t word, ScalarType type) {
  char text[64];
  if (type == ScalarType::int32)
    return {text, std::to_chars(text, text + sizeof text, static_cast<std::int32_t>(word)).ptr};
  std::string number(text, std::to_chars(text, text + sizeof text, float_of(word)).ptr);
  if (number.find_first_of(".e") == number.npos) number += ".0";
  return number;
}

void write_row(const PointSet& points, std::size_t point, char separator, std::string& out) {
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    if (d > 0) out += separator;
    out += number_text(points.word(point, d), points.type);
  }
  out += '\n';
}

/// A column's name without the characters that separate and quote fields, which the reader does not unquote.
std::string column_title(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::string_view(",;\"\t\r\n").find(c) != std::string_view::npos; }, '_');
  return name;
}

std::string csv_of(const DataSet& data) {
  std::string out;
  // Without names, where readers would take some columns for something else than coordinates.
  if (data.column_names.size() == data.points.dim && names_coordinates_alone(data.column_names)) {
    for (std::size_t d = 0; d < data.column_names.size(); ++d)
      out += (d > 0 ? "," : "") + column_title(data.column_names[d]);
    out += '\n';
  }
  for (std::size_t i = 0; i < data.points.size(); ++i) write_row(data.points, i, ',', out);
  return out;
}

void append_little_endian(std::uint32_t value, int bytes, std::string& out) {
  for (int byte = 0; byte < bytes; ++byte) out += static_cast<char>(value >> 8 * byte & 255);
}

std::string npy_of(const PointSet& points) {
  std::string header = std::string("{'descr': '<") + (points.type == ScalarType::int32 ? "i4" : "f4") +
                       "', 'fortran_order': False, 'shape': (" + std::to_string(points.size()) + ", " +
                       std::to_string(points.dim) + "), }";
  // The header is padded to 64 bytes, 10 of which come before it.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  append_little_endian(static_cast<std::uint32_t>(header.size()), 2, out);
  out += header;
  for (const std::uint32_t word : points.words) append_little_endian(word, 4, out);
  return out;
}

std::string ply_of(const DataSet& data) {
  const PointSet& points = data.points;
  std::string out = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(points.size()) + "\n";
  for (std::uint32_t d = 0; d < points.dim; ++d)
    out += std::string("property ") + name_of(points.type) + " " + "xyz"[d] + "\n";
  out += "element face " + std::to_string(data.triangles.size() / 3) + "\n";
  out += "property list uchar uint vertex_indices\nend_header\n";
  for (std::size_t i = 0; i < points.size(); ++i) write_row(points, i, ' ', out);
  for (std::size_t corner = 0; corner < data.triangles.size(); corner += 3)
    out += "3 " + std::to_string(data.triangles[corner]) + " " + std::to_string(data.triangles[corner + 1]) + " " +
           std::to_string(data.triangles[corner + 2]) + "\n";
  return out;
}

}  // namespace

Result<void> check_data_file(const std::string& path, bool triangles) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (triangles ? extension == ".ply" : extension == ".csv" || extension == ".npy") return {};
  return Error{ErrorKind::bad_usage,
               triangles ? "triangles are written to PLY files" : "points are written to CSV and NPY files", path,
               triangles ? "let the name end in .ply" : "let the name end in .csv or .npy"};
}

Result<void> save_data_set(const DataSet& data, const std::string& path) {
  const PointSet& points = data.points;
  const bool triangles = !data.triangles.empty(), csv = path.ends_with(".csv");
  if (const auto known = check_data_file(path, triangles); !known) return known;
  if (points.payload_words > 0)
    return Error{ErrorKind::bad_input, "points with payload cannot be written", path, "leave the payload out"};
  if (csv && points.size() == 0)
    return Error{ErrorKind::bad_input, "a CSV file holds at least one point", path, "write an NPY file"};
  if (triangles && (points.dim < 2 || points.dim > 3))
    return Error{ErrorKind::bad_input, "a PLY file holds triangles of 2 or 3 dimensions", path, ""};
  std::ofstream file(path, std::ios::binary);
  if (!(file << (triangles ? ply_of(data) : csv ? csv_of(data) : npy_of(points))) || !file.flush())
    return Error{ErrorKind::io_failure, "cannot be written", path, "choose another folder, or check the disk"};
  return {};
}

}  // namespace kdscope
