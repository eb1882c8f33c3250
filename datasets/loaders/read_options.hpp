#pragma once
// How a file is read, as the parameters behind its name say.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kdscope {

/// The type of coordinates: by the numbers of the file, or as asked for.
enum class CoordinateType { by_numbers, floats, integers };

/// The default reads a file by the rules of its format.
struct ReadOptions {
  std::vector<std::string> columns;  ///< names or numbers from 1, in the order of the coordinates; empty: by the format
  CoordinateType type = CoordinateType::by_numbers;
  bool auto_shift = false;     ///< choose `shift` by the coordinates
  std::vector<double> shift;   ///< [dim] subtracted from the coordinates; empty: nothing
  double scale = 1;            ///< multiplied with the coordinates after that
  bool drop_missing = false;   ///< leave out points with a coordinate that is missing, NaN or infinite
  std::optional<bool> header;  ///< whether the first row of a CSV or XYZ file names the columns; nullopt: see the row
  std::optional<char> separator;  ///< of a CSV or XYZ file, ' ' for any blanks; nullopt: see the rows

  /// Returns whether coordinates are computed from those of the file.
  bool transforms() const { return auto_shift || !shift.empty() || scale != 1; }
};

/// The columns of a file that become coordinates.
struct ColumnChoice {
  std::vector<bool> wanted;              ///< [columns]
  std::vector<std::uint32_t> dimension;  ///< the dimension of each wanted column, in the order of the file
  std::vector<std::string> names;        ///< [dimensions]; empty if the file names none

  std::uint32_t dim() const { return static_cast<std::uint32_t>(dimension.size()); }
};

/// Marks the columns that are coordinates by their names: where x and y are among them, all but colours, normals,
/// intensities, labels and numbers of points; otherwise all. Case and units behind a name play no part.
std::vector<bool> coordinates_by_name(const std::vector<std::string>& names);
/// Returns whether a table with these names reads back with all its columns.
bool names_coordinates_alone(const std::vector<std::string>& names);

/// Returns the options with the columns x, y and, if there is one, z, wherever they stand, unless columns are chosen.
ReadOptions by_axes(ReadOptions options, bool has_z);

/// Chooses columns of a file: those that `options` names, or those marked in `usual`. names: [columns], or empty.
/// Throws ErrorException for a column that is not there, is chosen twice or shares its name with another, and for no
/// column or more than 512.
ColumnChoice choose_columns(const ReadOptions& options, const std::vector<std::string>& names, std::vector<bool> usual,
                            const std::string& where);

}  // namespace kdscope
