#pragma once
// The steps of a trace that follow a finished build: those of a search, or of a batch of searches.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/queries/search.hpp"
#include "algorithms/record/recorders.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope {

/// Makes a trace whose first step is the tree at the end of a recording, with all of its arrays.
class ReplaySteps {
 public:
  /// list: the arrays of the steps that follow. most_steps: 0 for no limit.
  ReplaySteps(std::shared_ptr<const Trace> built, const SearchSpec& spec, TraceHeader header, const RunControl& control,
              std::size_t most_steps)
      : built_(std::move(built)), spec_(spec), trace_(std::move(header)), control_(control), most_steps_(most_steps) {
    for (const Trace::Array& array : built_->arrays) {
      ArrayInfo info = array.info;
      info.shown_as_row = false;  // the table is for the search
      trace_.declare(std::move(info));
    }
  }
  const TraceHeader& header() { return trace_.header(); }
  void declare(const ArrayList& list) {
    for (const ArrayInfo& info : list.infos()) trace_.declare(info);
  }

  /// Adds a step that fill(writer) fills. Returns whether another may follow. Throws ErrorException if cancelled.
  template <class Fill>
  bool add(std::vector<std::string> path, StepKind kind, Fill fill) {
    Step opened;
    opened.name = path.back();
    opened.path = std::move(path);
    opened.kind = kind;
    if (kind == StepKind::launch) opened.code_anchor = spec_.anchor;
    if (control_.step_starts) control_.step_starts(path_text(opened.path));
    if (control_.stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    trace_.begin_step(std::move(opened));
    StepWriter writer(trace_);
    fill(writer);
    try {
      if (control_.step_recorded) control_.step_recorded(trace_);
    } catch (const EndOfRecording&) {
      return false;
    }
    return ++steps_ != most_steps_;
  }
  /// Adds the finished tree as a step. fill(writer) adds to it.
  template <class Fill>
  bool add_finished_tree(std::vector<std::string> path, Fill fill) {
    return add(std::move(path), StepKind::host, [&](StepWriter& writer) {
      Cursor end(built_);
      end.seek(end.step_count());
      for (const Trace::Array& array : built_->arrays)
        if (const TypedArray* contents = end.array(array.info.name); contents && !array.versions.empty())
          trace_.write(array.info.name, *contents);
      fill(writer);
    });
  }
  std::shared_ptr<const Trace> finish() { return trace_.finish(); }

 private:
  std::shared_ptr<const Trace> built_;
  const SearchSpec& spec_;
  TraceBuilder trace_;
  const RunControl& control_;
  std::size_t most_steps_, steps_ = 0;
};

}  // namespace kdscope
