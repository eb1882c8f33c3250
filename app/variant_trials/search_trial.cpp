#include "app/variant_trials/search_trial.hpp"

#include <cstdint>
#include <map>
#include <utility>

#include "algorithms/text/counts.hpp"
#include "algorithms/variants/stage_source.hpp"

namespace kdscope {
namespace {

using namespace access_log;

/// The last writes to elements, by array and index.
using Answer = std::map<std::pair<std::string, std::int64_t>, std::size_t>;

Answer answer_of(const LaunchRecording& recording) {
  Answer answer;
  for (std::size_t i = 0; i < recording.accesses.size(); ++i) {
    const Access& access = recording.accesses[i];
    const WatchedArray& array = recording.array_of(access);
    if (!access.is(AccessKind::read) && !array.shared && array.name != "visited" && !recording.out_of_bounds(access))
      answer[{array.name, recording.index_of(access)}] = i;
  }
  return answer;
}

void find_difference(const LaunchRecording& original, SearchTrial& trial) {
  const LaunchRecording& own = trial.look.recording;
  const Answer wanted = answer_of(original), given = answer_of(own);
  for (const auto& [element, place] : wanted) {
    const auto found = given.find(element);
    const std::string name = element.first + "[" + std::to_string(element.second) + "]",
                      value = original.value_of(original.accesses[place]);
    if (found == given.end()) {
      trial.difference = "leaves " + name + " unwritten, which the original sets to " + value;
      return;
    }
    const Access& access = own.accesses[found->second];
    if (access.value == original.accesses[place].value) continue;
    trial.access = found->second;
    trial.difference = "sets " + name + " to " + own.value_of(access) + " instead of " + value + " (" +
                       own.line_of(access.site) + ", " + own.place_of(access) + ")";
    return;
  }
  for (const auto& [element, place] : given)
    if (!wanted.contains(element)) {
      trial.access = place;
      trial.difference =
          "writes " + element.first + "[" + std::to_string(element.second) + "], which the original does not";
      return;
    }
}

}  // namespace

Result<SearchTrial> try_search(StepLookRequest request, variants::CompilerErrors& errors, const RunControl& control) {
  const auto file = variants::read_variant(request.search_file);
  if (!file) return file.error();
  const TraceHeader& run = request.trace->header;
  if (!file->is_search)
    return Error{ErrorKind::bad_usage, "is no search", request.search_file, "build it as a variant of a builder"};
  if (run.search.empty())
    return Error{ErrorKind::bad_usage, "the file is a search, and the open run searches for nothing", "",
                 "search the tree in the pane Search first; the file then answers the same queries"};
  if (run.algorithm != file->algorithm)
    return Error{ErrorKind::bad_usage,
                 "the file searches trees of " + file->algorithm + ", the open run those of " + run.algorithm, "",
                 "open a run of " + file->algorithm};
  auto look = look_inside_step(request, control, &errors);
  if (!look) return look.error();
  request.search_file.clear();
  const auto original = look_inside_step(request, control);
  if (!original) return original.error();
  SearchTrial trial{std::move(*look), {}};
  find_difference(original->recording, trial);
  return trial;
}

std::string outcome_text(const SearchTrial& trial) {
  if (!trial.look.crash.empty()) return trial.look.crash;
  const std::size_t faults = trial.look.faults.size();
  return (trial.difference.empty() ? "gives the answer of the original" : trial.difference) +
         (faults == 0 ? "" : ", and has " + count_text(faults, "finding", "findings"));
}

}  // namespace kdscope
