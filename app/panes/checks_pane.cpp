#include "app/panes/checks_pane.hpp"

#include <QLabel>

#include "app/appearance.hpp"
#include "app/icons.hpp"

namespace kdscope {

ChecksPane::ChecksPane(Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setBackgroundRole(QPalette::Base);
  setAccessibleName(tr("Checks"));
  setWindowTitle(tr("No run is open"));
  connect(&workbench, &Workbench::step_changed, this, &ChecksPane::show_step);
  connect(&workbench, &Workbench::appearance_changed, this, [this] {
    if (workbench_.cursor()) show_step();
  });
}

void ChecksPane::show_step() {
  const Theme& t = theme_of(workbench_.session());
  const int scale = workbench_.session().text_scale;
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(12, 10, 12, 10);
  rows->setSpacing(10);
  const auto add = [&](Symbol symbol, Rgb ink, const QString& title, const QString& text) {
    auto* row = new QHBoxLayout;
    auto* mark = new QLabel;
    const int side = static_cast<int>(22 * scale / 100.0);
    mark->setPixmap(icon(symbol, colour(ink)).pixmap(side, side));
    auto* words = new QLabel(QStringLiteral("<b>%1</b><br>%2").arg(title.toHtmlEscaped(), text));
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(mark, 0, Qt::AlignTop);
    row->addWidget(words, 1);
    rows->addLayout(row);
  };

  const Trace& trace = workbench_.cursor()->trace();
  const Step& step = workbench_.cursor()->current();
  for (const CheckResult& check : step.checks) {
    QString text = QString::fromStdString(check.statement).toHtmlEscaped();
    if (!check.passed)
      text += QStringLiteral("<br><span style='color:%1'><b>%2</b> %3</span>")
                  .arg(colour(t.failed).name(), tr("Violated:"), QString::fromStdString(check.detail).toHtmlEscaped());
    QString title = QString::fromStdString(check.name);
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    add(check.passed ? Symbol::passed : Symbol::failed, check.passed ? t.passed : t.failed, title, text);
  }
  if (step.checks.empty()) add(Symbol::information, t.muted_text, tr("No check after this step"), QString());

  std::size_t done = 0, failed = 0;
  for (const Step& each : trace.steps)
    for (const CheckResult& check : each.checks) ++done, failed += !check.passed;
  setWindowTitle(failed == 0 ? tr("All %L1 checks of the run hold").arg(done)
                             : tr("%L1 of %L2 checks of the run are violated").arg(failed).arg(done));
  rows->addStretch(1);
  setWidget(page);
  page->show();
}

}  // namespace kdscope
