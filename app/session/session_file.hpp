#pragma once
// Session files (.kdsession): what a person has open, as text. One YAML document of sections, then one block of numbers
// for each set of own points. A damaged section costs that section alone.

#include <memory>
#include <string>
#include <vector>

#include "app/session/session.hpp"

namespace kdscope {

/// Format that this program writes; a file of a later one is read as far as it is known.
inline constexpr int session_format = 1;
inline constexpr const char* session_ending = ".kdsession";
inline bool is_session_path(const std::string& path) { return path.ends_with(session_ending); }
/// Of trace files, which sessions name.
inline constexpr const char* trace_ending = ".kdtrace";
inline bool is_trace_path(const std::string& path) { return path.ends_with(trace_ending); }

/// A session and what stands beside it in the window.
struct SavedSession {
  Session session;
  Place place;
  std::shared_ptr<const DataSet> edited_points;  ///< edited after the run; null: none
  std::string layout;                            ///< printable, only the window understands it; may be empty
  std::uint64_t tree_hash = 0;  ///< of the run's tree, to detect that data or program have changed since; 0: unknown
  std::string file;             ///< of an autosave: where the person had saved the session; may be empty
  /// A lesson that is being written and is not saved, as draft_text() gives it, and its file; may be empty.
  std::string draft = {}, draft_file = {};
};

/// What could be read, and a clause for each thing that could not.
struct ReadSession {
  SavedSession saved;
  std::vector<std::string> problems;
};

/// False in a build without yaml-cpp, where every session file is refused with a word on what to install.
bool session_files_available();

/// The text of a file. Names of files become absolute. Floats have the fewest digits that read back exactly. Of own
/// points the coordinates are kept, and the columns' names unless they are very long; no payload and no triangles. Work
/// O(coordinates).
std::string session_text(const SavedSession& saved);

/// Reads such a text; any bytes may be given. Fails, with bad_input, only on what is no session at all.
Result<ReadSession> parse_session(const std::string& text, const std::string& path);

Result<ReadSession> read_session(const std::string& path);
/// As replace_file(): the old file stays until the new one is safe on the disk. Errors: io_failure; bad_usage for what
/// read_session() would refuse, such as notes of more than a MiB.
Result<void> save_session(const SavedSession& saved, const std::string& path);

}  // namespace kdscope
