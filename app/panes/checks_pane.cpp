#include "app/panes/checks_pane.hpp"

#include <QApplication>
#include <QLabel>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/shown_updates.hpp"

namespace kdscope {
namespace {

/// Up to this number, violated checks of other steps are listed; the rest are only counted.
constexpr std::size_t most_listed = 50;

QString words(const std::string& text) { return foreign_text(text).toHtmlEscaped(); }

QString capitalised(const std::string& name) {
  QString title = foreign_text(name);
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title.toHtmlEscaped();
}

}  // namespace

ChecksPane::ChecksPane(Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setBackgroundRole(QPalette::Base);
  setAccessibleName(tr("Checks"));
  setWindowTitle(tr("No run is open"));
  auto* shown = new ShownUpdate(this, [this] {
    if (workbench_.playback().cursor()) show_step();
  });
  connect(&workbench.playback(), &Playback::stepped, shown, &ShownUpdate::request);
  connect(&workbench.violations(), &ViolationWalk::walked, shown, &ShownUpdate::request);
  connect(&workbench.looks(), &Looks::changed, shown, &ShownUpdate::request);
  new Curtain(this, workbench, [](const Concealment& concealed, const Trace&) { return hides_statements(concealed); });
}

QWidget* ChecksPane::row(bool passed, const QString& text, bool current) {
  const Theme& t = theme_of(workbench_.looks().appearance());
  auto* line = new QWidget;
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(6, 4, 6, 4);
  auto* mark = plain_label();
  const int side = static_cast<int>(22 * workbench_.looks().appearance().text_scale / 100.0);
  mark->setPixmap(
      icon(passed ? Symbol::passed : Symbol::failed, colour(passed ? t.passed : t.failed)).pixmap(side, side));
  auto* label = rich_label(text);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                 Qt::LinksAccessibleByKeyboard);
  connect(label, &QLabel::linkActivated, &workbench_, [this](const QString& link) {
    // Queued, because showing the step deletes the row that was clicked.
    QMetaObject::invokeMethod(
        &workbench_, [this, n = link.section(QLatin1Char(':'), 1).toULongLong()] { workbench_.violations().go_to(n); },
        Qt::QueuedConnection);
  });
  layout->addWidget(mark, 0, Qt::AlignTop);
  layout->addWidget(label, 1);
  if (!passed) {
    QPalette tinted = palette();
    tinted.setColor(QPalette::Window, colour(mix(t.base, t.failed, current ? 0.24 : 0.1)));
    line->setPalette(tinted);
    line->setAutoFillBackground(true);
  }
  return line;
}

void ChecksPane::show_step() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const Trace& trace = workbench_.playback().cursor()->trace();
  const Step& step = workbench_.playback().cursor()->current();
  const std::vector<Violation>& violations = workbench_.violations().all();
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(6, 6, 6, 6);
  rows->setSpacing(6);
  const auto link = [&](std::size_t violation, const QString& text) {
    return QStringLiteral("<a href='violation:%1' style='color:%2'>%3</a>")
        .arg(violation)
        .arg(colour(t.failed).name(), text);
  };
  const auto text_of = [&](std::size_t violation) {
    return words(violation_text(trace.steps[violations[violation].step].checks[violations[violation].check]));
  };

  // List the checks that are violated after this step.
  const auto first = std::partition_point(violations.begin(), violations.end(),
                                          [&](const Violation& v) { return v.step < step.ordinal; });
  auto v = static_cast<std::size_t>(first - violations.begin());
  for (; v < violations.size() && violations[v].step == step.ordinal; ++v) {
    const CheckResult& check = step.checks[violations[v].check];
    rows->addWidget(row(false,
                        QStringLiteral("<b>%1: violated</b><br>%2<br>%3")
                            .arg(capitalised(check.name), words(check.statement), link(v, text_of(v))),
                        workbench_.violations().current() == v));
  }
  // List the checks that hold.
  for (const CheckResult& check : step.checks)
    if (check.passed)
      rows->addWidget(
          row(true, QStringLiteral("<b>%1</b><br>%2").arg(capitalised(check.name), words(check.statement))));
  if (step.checks.empty()) {
    auto* none = plain_label(tr("No check after this step"));
    none->setContentsMargins(6, 4, 6, 4);
    rows->addWidget(none);
  }
  // List the checks that are violated at other steps.
  const auto here = static_cast<std::size_t>(std::count_if(
      violations.begin(), violations.end(), [&](const Violation& each) { return each.step == step.ordinal; }));
  if (const std::size_t elsewhere = violations.size() - here; elsewhere > 0) {
    auto* head =
        rich_label(QStringLiteral("<b>%1</b>")
                       .arg(elsewhere == 1 ? tr("1 check is violated at another step (F4)")
                                           : tr("%L1 checks are violated at other steps (F4)").arg(elsewhere)));
    head->setWordWrap(true);
    head->setContentsMargins(6, 8, 6, 0);
    rows->addWidget(head);
    std::size_t listed = 0;
    for (std::size_t i = 0; i < violations.size() && listed < most_listed; ++i) {
      if (violations[i].step == step.ordinal) continue;
      ++listed;
      const Step& at = trace.steps[violations[i].step];
      rows->addWidget(row(false, QStringLiteral("%1 <b>%2</b><br>%3")
                                     .arg(link(i, tr("Step %1, %2:").arg(at.ordinal).arg(words(path_text(at)))),
                                          words(at.checks[violations[i].check].name), text_of(i))));
    }
    if (listed < elsewhere) rows->addWidget(plain_label(tr("and %L1 more").arg(elsewhere - listed)));
  }

  std::size_t done = 0;
  for (const Step& each : trace.steps) done += each.checks.size();
  setWindowTitle(violations.empty()
                     ? (done == 1 ? tr("The check of the run holds") : tr("All %L1 checks of the run hold").arg(done))
                     : tr("\u2717 %L1 of %L2 checks of the run are violated").arg(violations.size()).arg(done));
  rows->addStretch(1);
  // Keep the focus: a text of the old page may have it.
  const bool focused = QApplication::focusWidget() && isAncestorOf(QApplication::focusWidget());
  setWidget(page);
  if (focused) setFocus();
  page->show();
}

}  // namespace kdscope
