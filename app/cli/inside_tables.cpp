#include "app/cli/inside_tables.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/inside/cost.hpp"
#include "algorithms/variants/inside/history.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "app/cli/aligned_table.hpp"

namespace kdscope::cli {
namespace {

using namespace access_log;

constexpr std::size_t most_columns = 120;
constexpr const char* kind_names[] = {"read", "write", "atomic"};
constexpr const char* launch_kind_names[] = {"threads", "blocks", "warps", "library"};

/// Names the files of a sheet: the most frequent one by nothing, the others by letters.
class FileLetters {
 public:
  FileLetters(const LaunchRecording& recording, const Sheet& sheet) : recording_(recording) {
    std::map<std::string, std::size_t> columns;
    for (const SheetColumn& column : sheet.columns) ++columns[file_of(column)];
    const auto most = std::ranges::max_element(columns, {}, [](const auto& each) { return each.second; });
    if (most == columns.end()) return;
    letters_[most->first] = "";
    legend_ = most->first;
    char letter = 'a';
    for (const auto& [file, count] : columns)
      if (file != most->first) {
        letters_[file] = letter == 'z' ? "z" : std::string(1, letter++);
        legend_ += ", " + letters_[file] + ": " + file;
      }
  }
  /// "45", or "a:45".
  std::string line_of(const SheetColumn& column) const {
    const std::string& letter = letters_.at(file_of(column));
    const std::string line = recording_.line_of(column.site), number = line.substr(line.rfind(':') + 1);
    return (letter.empty() ? "" : letter + ":") + number;
  }
  const std::string& legend() const { return legend_; }

 private:
  std::string file_of(const SheetColumn& column) const {
    const std::string line = recording_.line_of(column.site);
    return line.substr(0, line.rfind(':'));
  }
  const LaunchRecording& recording_;
  std::map<std::string, std::string> letters_;
  std::string legend_;
};

/// Returns the cells of a column: its line, its array, and one cell per lane.
Cells sheet_cells(const LaunchRecording& recording, const SheetColumn& column, const FileLetters& files) {
  std::string array;
  for (const Access* access : column.cells)
    if (access && array.empty()) array = recording.array_of(*access).name;
  Cells cells{files.line_of(column) + (column.repetition > 0 ? " #" + std::to_string(column.repetition + 1) : ""),
              printable(array)};
  for (const Access* access : column.cells) cells.push_back(access ? cell_text(recording, *access) : "");
  return cells;
}

/// Prints a sheet in bands of columns that fit side by side.
void print_sheet(const LaunchRecording& recording, const Sheet& sheet, std::ostream& out) {
  const FileLetters files(recording, sheet);
  Cells labels{"line", "array"};
  const bool indices = recording.launches[sheet.launch].kind == LaunchKind::threads;
  for (const std::uint32_t lane : sheet.lanes)
    labels.push_back(lane == every_lane ? "every lane" : (indices ? "" : "lane ") + std::to_string(lane));
  out << "lines of " << files.legend() << "\n";
  std::vector<Cells> band;
  std::size_t width = 0;
  const auto print_band = [&] {
    std::vector<Cells> rows(labels.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row].push_back(labels[row]);
      for (const Cells& column : band) rows[row].push_back(column[row]);
      while (rows[row].back().empty()) rows[row].pop_back();
    }
    out << aligned(rows);
    band.clear();
  };
  for (const SheetColumn& column : sheet.columns) {
    Cells cells = sheet_cells(recording, column, files);
    const std::size_t wide = 2 + std::ranges::max(cells, {}, &std::string::size).size();
    if (band.empty()) width = std::ranges::max(labels, {}, &std::string::size).size();
    if (!band.empty() && width + wide > most_columns) {
      print_band();
      width = std::ranges::max(labels, {}, &std::string::size).size();
    }
    width += wide;
    band.push_back(std::move(cells));
  }
  print_band();
}

/// Prints what all lanes did together: the bits of a vote, the arrows of a shuffle, the sums of a scan.
void print_together(const Interval& interval, std::ostream& out) {
  constexpr std::size_t most_shown = 32;
  if (interval.call == "ballot" && !interval.values.empty()) {
    const auto mask = static_cast<std::uint32_t>(interval.values.front());
    out << "lanes 0 to 31: ";
    for (int lane = 0; lane < 32; ++lane) out << (lane % 8 == 0 && lane > 0 ? " " : "") << (mask >> lane & 1);
    out << ", " << std::popcount(mask) << " of 32\n";
    return;
  }
  for (std::size_t i = 0; i < std::min(interval.values.size(), most_shown); ++i) {
    out << (i % 8 == 0 ? "  " : ", ");
    if (i < interval.sources.size()) out << i << " <- lane " << interval.sources[i] << ": ";
    out << value_text(interval, i) << (i % 8 == 7 || i + 1 == std::min(interval.values.size(), most_shown) ? "\n" : "");
  }
  if (interval.values.size() > most_shown) out << "  and " << interval.values.size() - most_shown << " more\n";
}

void print_group(const LaunchRecording& recording, std::uint32_t launch, std::uint32_t group, std::ostream& out) {
  const std::vector<Sheet> sheets = sheets_of(recording, launch, {group, group + 1}, {});
  if (recording.launches[launch].kind == LaunchKind::threads) {
    for (const Sheet& sheet : sheets) print_sheet(recording, sheet, out);
    return;
  }
  auto sheet = sheets.begin();
  for (const Interval& interval : recording.intervals) {
    if (interval.launch != launch || interval.group != group) continue;
    out << "\n"
        << recording.group_word(launch) << " " << group << ", interval " << interval.number << ": " << interval.call
        << " at " << recording.line_of(interval.site) << "\n";
    if (sheet != sheets.end() && sheet->interval == interval.number) print_sheet(recording, *sheet++, out);
    print_together(interval, out);
  }
  // What every lane does behind the last interval, or where a fault ended it
  for (; sheet != sheets.end(); ++sheet) {
    out << "\n" << recording.group_word(launch) << " " << group << ", behind the last interval\n";
    print_sheet(recording, *sheet, out);
  }
}

void print_sheets(const LaunchRecording& recording, const InsideView& view, std::ostream& out) {
  std::uint32_t chosen = view.launch.value_or(recording.accesses.empty() ? 0 : recording.accesses.front().launch);
  if (chosen >= recording.launches.size())
    throw ErrorException({ErrorKind::bad_usage, "there is no launch " + std::to_string(chosen), "",
                          "the step has " + count_text(recording.launches.size(), "launch", "launches")});
  std::vector<std::uint32_t> groups;
  for (const Access& access : recording.accesses)
    if (access.launch == chosen && (groups.empty() || groups.back() != access.group)) groups.push_back(access.group);
  if (groups.empty()) out << "nothing to show: launch " << chosen << " made no access with these blocks and lanes\n";
  for (const std::uint32_t group : groups) print_group(recording, chosen, group, out);
}

void print_cost(const LaunchRecording& recording, std::ostream& out) {
  std::vector<Cells> lines{{"line", "launch", "array", "access", "times", "lanes", "sectors", "least", "conflicts"}};
  for (const LineCost& line : cost_of_lines(recording))
    lines.push_back({line.line, std::to_string(line.launch), printable(line.array),
                     kind_names[static_cast<std::size_t>(line.kind)], std::to_string(line.warp_accesses),
                     formatted("%.1f", line.lanes_active()), line.shared ? "" : std::to_string(line.sectors),
                     line.shared ? "" : std::to_string(line.least_sectors),
                     line.shared ? std::to_string(line.bank_conflicts) : ""});
  out << aligned(lines)
      << "times: accesses of a warp; lanes: active ones of 32; sectors: 32-byte pieces of global "
         "memory, and the least\nthat hold the same bytes; conflicts: additional passes over the "
         "banks of shared memory\n";
}

void print_faults(const Look& look, std::ostream& out) {
  for (const Fault& fault : look.faults)
    out << name_of(fault.kind) << ": " << printable(fault.sentence)
        << (fault.times > 1 ? " (" + std::to_string(fault.times) + " times)" : "") << "\n";
  if (look.faults.empty())
    out << "no fault in " << count_text(look.recording.accesses.size(), "access", "accesses") << " of "
        << count_text(look.recording.launches.size(), "launch", "launches")
        << ": bounds, elements that nobody wrote, races in blocks and between them, barriers\n";
}

/// Prints the accesses to an element, launch after launch: each write, and the reads between two of them.
void print_history(const LaunchRecording& recording, const std::string& array, std::int64_t index, std::ostream& out) {
  const std::vector<std::size_t> accesses = accesses_of_element(recording, {array, index});
  const std::string element = printable(array) + "[" + std::to_string(index) + "]";
  if (accesses.empty()) {
    out << "no recorded lane reads or writes " << element << "\n";
    return;
  }
  std::vector<Cells> lines{{"step", "launch", "line", "lane", "access", "value"}};
  for (const std::size_t i : accesses) {
    const Access& access = recording.accesses[i];
    const Launch& launch = recording.launches[access.launch];
    lines.push_back({printable(launch.step), std::to_string(access.launch), recording.line_of(access.site),
                     recording.place_of(access), kind_names[access.kind], recording.value_of(access)});
  }
  out << aligned(lines);
  const auto writes = [&](std::size_t i) { return !recording.accesses[i].is(AccessKind::read); };
  const auto last = std::ranges::find_if(accesses.rbegin(), accesses.rend(), writes);
  const auto told = [&](std::size_t i) {
    const Access& access = recording.accesses[i];
    return recording.line_of(access.site) + " (" + recording.place_of(access) + ") in launch " +
           std::to_string(access.launch) + ", '" + printable(recording.launches[access.launch].name) + "'";
  };
  if (last == accesses.rend()) {
    out << element << " is not written here, and first read by " << told(accesses.front()) << "\n";
    return;
  }
  out << element << " was last written by " << told(*last);
  if (last == accesses.rbegin())
    out << ", and is not read afterwards\n";
  else
    out << ", and next read by " << told(*last.base()) << "\n";
}

void print_budget(const LaunchRecording& recording, std::ostream& out) {
  std::uint64_t left_out = 0;
  for (const Launch& launch : recording.launches) left_out += launch.left_out;
  if (left_out > 0)
    out << "left out: " << count_text(left_out, "access", "accesses")
        << " beyond the budget; --budget raises it, --step, --block and --lane choose what to record\n";
}

template <class Items, class Write>
void write_list(JsonWriter& json, const char* name, const Items& items, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) write(item);
  json.end_array();
}

void write_access(const LaunchRecording& recording, const Access& access, JsonWriter& json) {
  json.begin_object();
  json.member("launch", access.launch);
  json.member("block", access.group);
  json.member("interval", access.interval);
  json.key("lane");
  access.lane == every_lane ? json.value(nullptr) : json.value(access.lane);
  json.member("order", access.order);
  json.member("array", recording.array_of(access).name);
  json.member("index", recording.index_of(access));
  json.member("bytes", access.bytes);
  json.member("access", kind_names[access.kind]);
  json.member("value", recording.value_of(access));
  json.member("line", recording.line_of(access.site));
  json.end_object();
}

/// Members "accesses" and "intervals" of an open JSON object.
void write_accesses(const LaunchRecording& recording, JsonWriter& json) {
  write_list(json, "accesses", recording.accesses,
             [&](const Access& access) { write_access(recording, access, json); });
  write_list(json, "intervals", recording.intervals, [&](const Interval& interval) {
    json.begin_object();
    json.member("launch", interval.launch);
    json.member("block", interval.group);
    json.member("interval", interval.number);
    json.member("call", interval.call);
    json.member("line", recording.line_of(interval.site));
    json.member("values", interval.values);
    json.member("sources", interval.sources);
    json.end_object();
  });
}

}  // namespace

void print_beside(const Look& original, const Look& variant, const InsideView& view, std::ostream& out) {
  const auto& [array, index] = *view.who;
  std::vector<Cells> lines{{"step", "original", "", "", "variant", "", "", ""}};
  std::string first;
  const auto cells_of = [](const LaunchRecording& recording, std::optional<std::size_t> place) -> Cells {
    if (!place) return {"-", "", ""};
    const Access& access = recording.accesses[*place];
    return {recording.line_of(access.site), recording.place_of(access),
            std::string(kind_names[access.kind]) + " " + recording.value_of(access)};
  };
  const auto told = [](const Cells& cells) {
    return cells[0] == "-" ? std::string("does nothing") : cells[2] + " (" + cells[0] + ", " + cells[1] + ")";
  };
  for (const AccessPair& pair : accesses_beside(original.recording, variant.recording, {array, index})) {
    const Cells a = cells_of(original.recording, pair.original), b = cells_of(variant.recording, pair.variant);
    lines.push_back({printable(pair.step), a[0], a[1], a[2], b[0], b[1], b[2], pair.differs ? "x" : ""});
    if (pair.differs && first.empty())
      first =
          "first difference: " + printable(pair.step) + ": the original " + told(a) + ", the variant " + told(b) + "\n";
  }
  const std::string element = printable(array) + "[" + std::to_string(index) + "]";
  if (lines.size() == 1)
    out << "no recorded lane of the original or the variant reads or writes " << element << "\n";
  else
    out << aligned(lines)
        << (first.empty() ? "the original and the variant access " + element + " alike\n" : std::move(first));
  for (const Look* look : {&original, &variant}) {
    if (!look->crash.empty())
      out << "the run of the " << (look == &original ? "original" : "variant")
          << " ended within the step: " << printable(look->crash) << "\n";
    print_budget(look->recording, out);
  }
}

void print_look(const Look& look, const InsideView& view, std::ostream& out) {
  const LaunchRecording& recording = look.recording;
  if (view.who) {
    print_history(recording, view.who->first, view.who->second, out);
    const bool by_library = std::ranges::count(recording.launches, LaunchKind::library, &Launch::kind) > 0;
    if (by_library) out << "sorts and scans of a library are not looked into: they may have written it, too\n";
  } else if (view.check) {
    print_faults(look, out);
  } else {
    std::string step;
    for (std::uint32_t launch = 0; launch < recording.launches.size(); ++launch) {
      if (recording.launches[launch].step != step) out << printable(step = recording.launches[launch].step) << "\n";
      out << printable(recording.text_of_launch(launch)) << "\n";
    }
    if (recording.launches.empty()) out << "the step launches nothing\n";
    if (view.cost)
      print_cost(recording, out);
    else if (!recording.launches.empty())
      print_sheets(recording, view, out);
    if (!look.faults.empty()) out << "\n", print_faults(look, out);
  }
  if (!look.crash.empty()) out << "the run ended within the step: " << printable(look.crash) << "\n";
  print_budget(recording, out);
}

void write_look(const Look& look, const InsideView& view, std::ostream& out) {
  const LaunchRecording& recording = look.recording;
  JsonWriter json(out);
  json.begin_object();
  write_list(json, "launches", recording.launches, [&](const Launch& launch) {
    json.begin_object();
    json.member("step", launch.step);
    json.member("name", launch.name);
    json.member("kind", launch_kind_names[static_cast<std::size_t>(launch.kind)]);
    json.member("blocks", launch.groups);
    json.member("lanes", launch.lanes);
    json.member("left_out", launch.left_out);
    json.end_object();
  });
  if (!view.cost) write_accesses(recording, json);
  write_list(json, "faults", look.faults, [&](const Fault& fault) {
    json.begin_object();
    json.member("kind", name_of(fault.kind));
    json.member("sentence", fault.sentence);
    json.member("times", fault.times);
    json.end_object();
  });
  write_list(json, "costs", cost_of_lines(recording), [&](const LineCost& line) {
    json.begin_object();
    json.member("launch", line.launch);
    json.member("line", line.line);
    json.member("array", line.array);
    json.member("access", kind_names[static_cast<std::size_t>(line.kind)]);
    json.member("warp_accesses", line.warp_accesses);
    json.member("lanes_active", line.lanes_active());
    json.member("sectors", line.sectors);
    json.member("least_sectors", line.least_sectors);
    json.member("bank_conflicts", line.bank_conflicts);
    json.end_object();
  });
  json.member("crash", look.crash);
  json.end_object();
  out << "\n";
}

}  // namespace kdscope::cli
