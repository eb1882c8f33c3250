#include "app/point_editing/what_if.hpp"

#include "app/appearance/plain_text.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"

namespace kdscope {
namespace {

/// Runs of more points are compared off the UI thread.
constexpr std::uint64_t most_at_once = 20'000;

}  // namespace

struct WhatIf::Compared {
  Cursor before, after;
  Difference difference;
};

QString words_of(const Difference& difference, const QString& name, bool finished) {
  const QString when = finished ? WhatIf::tr("In the end") : WhatIf::tr("So far");
  if (difference.empty()) return WhatIf::tr("%1, nothing differs from %2.").arg(when, name);
  QStringList parts;
  std::uint64_t all = 0;
  const auto count = [&](std::uint64_t number, const QString& one, const QString& many) {
    if (number > 0) parts << (number == 1 ? one : many.arg(number));
    all += number;
  };
  count(difference.splits, WhatIf::tr("1 split"), WhatIf::tr("%L1 splits"));
  count(difference.cells, WhatIf::tr("1 cell"), WhatIf::tr("%L1 cells"));
  count(difference.nodes.size(), WhatIf::tr("1 node"), WhatIf::tr("%L1 nodes"));
  if (parts.isEmpty()) {  // the same tree, with points at other places in it
    count(difference.points.size(), WhatIf::tr("1 point"), WhatIf::tr("%L1 points"));
    return all == 1 ? WhatIf::tr("%1, 1 point belongs to another node than in %2.").arg(when, name)
                    : WhatIf::tr("%1, %2 belong to other nodes than in %3.").arg(when, parts.first(), name);
  }
  const QString last = parts.takeLast();
  const QString things = parts.isEmpty() ? last : WhatIf::tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
  return all == 1 ? WhatIf::tr("%1, %2 differs from %3.").arg(when, things, name)
                  : WhatIf::tr("%1, %2 differ from %3.").arg(when, things, name);
}

WhatIf::WhatIf(Workbench& workbench, PointEditor& editor, SceneView& view, TreeView& tree, QObject* parent)
    : QObject(parent), workbench_(workbench), editor_(editor), view_(view), tree_(tree) {
  connect(&workbench.playback(), &Playback::stepped, this, &WhatIf::compare);
  connect(&workbench.playback(), &Playback::baseline_changed, this, &WhatIf::compare);
  connect(&workbench.playback(), &Playback::concealment_changed, this, [this] {
    if (finished_) compare();
  });
  connect(&workbench.desk(), &RunDesk::earlier_run_changed, this, [this] {
    if (!workbench_.desk().earlier_trace()) compare();  // otherwise `stepped` follows
  });
  // Queued, because an edit that is taken back changes the points before the run
  connect(&workbench.edits(), &PointEdits::changed, this, &WhatIf::run_if_stale, Qt::QueuedConnection);
  connect(&editor, &PointEditor::editing_changed, this, [this](bool editing) {
    if (!editing) set_on(false);
  });
  connect(
      &workbench.jobs(), &Jobs::busy_changed, this,
      [this](const QString& what) {
        // Run the points that were edited during the last run.
        if (what.isEmpty() && std::exchange(outdated_, false)) run_if_stale();
      },
      Qt::QueuedConnection);
}

void WhatIf::set_on(bool on) {
  if (on == on_) return;
  on_ = on;
  editor_.set_editing(on);
  on ? run_if_stale() : workbench_.desk().revert_edits();
  emit switched(on);
}

void WhatIf::set_finished(bool finished) {
  if (finished == finished_) return;
  finished_ = finished;
  compare();
}

void WhatIf::run_if_stale() {
  if (!on_ || !workbench_.edits().stale()) return;
  outdated_ = workbench_.jobs().busy();
  if (!outdated_) workbench_.desk().run_again();
}

std::shared_ptr<const Trace> WhatIf::other_trace() const {
  if (workbench_.desk().earlier_trace()) return workbench_.desk().earlier_trace();
  const Playback& playback = workbench_.playback();
  return playback.place().baseline.with == ComparedWith::other_run ? playback.other_run().trace : nullptr;
}

QString WhatIf::name() const {
  return workbench_.desk().earlier_trace() ? tr("the run before")
                                           : foreign_text(workbench_.playback().other_run().name);
}

std::uint32_t WhatIf::compared_step() const {
  const Playback& playback = workbench_.playback();
  return finished_ ? playback.last_step() : playback.step();
}

void WhatIf::compare() {
  const auto then = other_trace(), now = workbench_.playback().trace();
  if (!then || !now) {
    show(nullptr);
    return;
  }
  const std::uint32_t step = compared_step();
  const auto work = [then, now, step, earlier = workbench_.desk().earlier_points()] {
    auto compared = std::make_shared<Compared>(Compared{Cursor(then), Cursor(now), {}});
    compared->after.seek(step);
    compared->before.seek(corresponding_step(*now, step, *then));
    compared->difference = kdscope::difference(compared->before, compared->after, earlier);
    return compared;
  };
  if (now->header.n <= most_at_once) {
    show(work());
    return;
  }
  if (job_.running()) return;  // its end compares again, see below
  job_.start(
      QString(),
      [this, work, step](const RunControl&) {
        auto compared = work();
        return [this, compared, step] {
          const bool current =
              workbench_.playback().trace() == compared->after.shared_trace() && compared_step() == step;
          if (current && other_trace() == compared->before.shared_trace())
            show(compared);
          else
            QMetaObject::invokeMethod(this, &WhatIf::compare, Qt::QueuedConnection);
        };
      },
      [this](const Error& error) {
        show(nullptr);
        workbench_.messages().report(error);
      });
}

void WhatIf::show(std::shared_ptr<Compared> compared) {
  if (!compared && !shown_) return;
  shown_.reset();
  before_.reset();
  after_.reset();
  Overlay marks;
  std::vector<NodeId> nodes;
  if (compared) {
    shown_ = std::move(compared->difference);
    before_.emplace(std::move(compared->before));
    after_.emplace(std::move(compared->after));
    for (const NodeDifference& node : shown_->nodes) {
      if (node.after.value == no_id) continue;
      nodes.push_back(node.after);
      if (node.split) marks.splits.push_back({node.after, {Ink::changed, 3}});
      if (node.cell) marks.hatched_cells.push_back(node.after);
    }
    std::sort(nodes.begin(), nodes.end());
    for (const OldSplit& old : shown_->old_splits)
      marks.planes.push_back({old.box, static_cast<std::uint32_t>(old.dim), old.value, {Ink::muted, 3, true}});
    for (const std::uint32_t point : shown_->points) marks.rings.push_back({{point}, {Ink::changed, 1.5}});
  }
  view_.show_overlay("what if", std::move(marks));
  tree_.show_difference(std::move(nodes));
  emit changed();
}

}  // namespace kdscope
