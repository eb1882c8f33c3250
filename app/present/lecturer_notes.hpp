#pragma once
// Notes that a lecturer types for the stops of lessons, kept in the user's data folder.

#include <QString>
#include <map>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// $XDG_DATA_HOME/kdscope, or ~/.local/share/kdscope.
QString data_folder();

/// The file has a text per lesson and title of a stop, so that notes stay with their stop when others are added.
class LecturerNotes {
 public:
  /// Reads the notes of a folder, which need not exist. A damaged file gives an error that names it; it is then kept
  /// under another name, and there are no notes.
  Result<void> open(const QString& folder);
  QString text(const std::string& lesson, const std::string& stop) const;
  /// Replaces the notes of a stop; an empty text removes them. Without an opened folder they last as long as this
  /// object. Notes that another program wrote meanwhile stay. Error: the file cannot be written.
  Result<void> set(const std::string& lesson, const std::string& stop, const QString& text);
  QString path() const { return path_; }

 private:
  using Notes = std::map<std::string, std::map<std::string, QString>>;
  static Result<Notes> read(const QString& path);
  static Result<void> write(const QString& path, const Notes& notes);

  QString path_;
  Notes notes_;
};

}  // namespace kdscope
