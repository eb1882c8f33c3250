#include "app/panes/before_badge.hpp"

#include <algorithm>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/workbench/open_questions.hpp"
#include "visualizer/style/tokens.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {

BeforeBadge::BeforeBadge(Workbench& workbench, std::string pane)
    : BeforeBadge(workbench, {std::move(pane)}, false, nullptr) {}

BeforeBadge::BeforeBadge(Workbench& workbench, QWidget* parent) : BeforeBadge(workbench, {}, true, parent) {}

BeforeBadge::BeforeBadge(Workbench& workbench, std::vector<std::string> panes, bool names_panes, QWidget* parent)
    : workbench_(workbench), panes_(std::move(panes)), names_panes_(names_panes) {
  setParent(parent);
  setObjectName(QStringLiteral("before_badge"));
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  setContentsMargins(tokens::space, 1, tokens::space, 1);
  setAlignment(Qt::AlignHCenter);
  for (const auto signal : {&Playback::opened, &Playback::stepped, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, this, &BeforeBadge::show_state);
  connect(&workbench.questions(), &Questions::changed, this, &BeforeBadge::show_state);  // one of several is settled
  show_state();
}

void BeforeBadge::set_panes(std::vector<std::string> panes) {
  panes_ = std::move(panes);
  show_state();
}

void BeforeBadge::show_state() {
  std::vector<std::string> before = panes_;
  std::erase_if(before, [this](const std::string& pane) {
    return pane == "tree" ? !shows_tree_before(workbench_) : pane != "view" || !shows_partition_before(workbench_);
  });
  setVisible(!before.empty());
  if (before.empty()) return;
  const bool performs = workbench_.playback().is_confined(), tree = std::ranges::find(before, "tree") != before.end(),
             view = before.size() > (tree ? 1 : 0);
  const auto hides = [&](const Concealment& concealed) {
    return (tree && concealed.tree) || (view && (concealed.splits || !concealed.rows.empty()));
  };
  QString words = performs ? tr("before your step") : before_answer(workbench_, hides);
  if (names_panes_) {
    QStringList names;
    for (const std::string& pane : before) names << tr(pane_named(pane).title);
    words = QStringLiteral("%1: %2").arg(names.join(tr(" and ")), words);
  }
  words[0] = words[0].toUpper();
  set_brief(tr("Before"));
  setText(words);
  const QString whole = performs ? tr("The step before. This one is hidden while you perform it.")
                                 : tr("The step before. This one is hidden %1.").arg(until_answered(workbench_, hides));
  setToolTip(whole);
  setAccessibleDescription(whole);
  update();
}

void BeforeBadge::paintEvent(QPaintEvent* event) {
  const QColor accent = palette().color(QPalette::Highlight);
  QColor ground = accent;
  ground.setAlphaF(0.12);
  paint_badge(*this, QPen(accent, 1.2), ground);
  CutLabel::paintEvent(event);
}

}  // namespace kdscope
