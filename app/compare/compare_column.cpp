#include "app/compare/compare_column.hpp"

#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "algorithms/registry/searches.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {
namespace {

QToolButton* tool_button(Symbol symbol, const char* name, const QString& what) {
  auto* button = named(new QToolButton, {name, what, what});
  button->setIcon(icon(symbol));
  button->setAutoRaise(true);
  return button;
}

}  // namespace

CompareColumn::CompareColumn(RunRequest run, Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      run_(std::move(run)),
      workbench_(workbench),
      algorithm_(choice(narrow_combo(5), {"compare_algorithm", tr("Algorithm")}, {})),
      search_(choice(narrow_combo(5), {"compare_search", tr("Search")}, {})),
      parameters_(new QToolButton),
      remove_(tool_button(Symbol::close, "compare_remove", tr("Remove this column"))),
      back_(tool_button(Symbol::back, "compare_column_back", tr("This run alone: a step back"))),
      forward_(tool_button(Symbol::forward, "compare_column_forward", tr("This run alone: a step forward"))),
      badge_(text_line({"compare_badge"}, false)),
      message_(text_line({"compare_message"})),
      place_(text_line({"compare_place"})),
      stack_(new QStackedWidget),
      views_(new QSplitter(Qt::Vertical)),
      scene_(new SceneView),
      tree_(new TreeView),
      costs_(named(new CostCell, {"compare_costs"})) {
  setObjectName(QStringLiteral("compare_column"));
  for (const AlgorithmSpec& spec : algorithms()) {
    algorithm_->addItem(QString::fromStdString(spec.title), QString::fromStdString(spec.id));
    algorithm_->setItemData(algorithm_->count() - 1, QString::fromStdString(spec.summary), Qt::ToolTipRole);
  }
  search_->setVisible(false);
  parameters_->setObjectName(QStringLiteral("compare_parameters"));
  parameters_->setPopupMode(QToolButton::InstantPopup);
  parameters_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  parameters_->setText(tr("Parameters"));
  parameters_->setFocusPolicy(Qt::TabFocus);
  parameters_->setMenu(new QMenu(parameters_));
  parameters_->menu()->setToolTipsVisible(true);
  badge_->setContentsMargins(4, 2, 4, 2);
  badge_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  for (QLabel* label : {message_, place_}) label->setAlignment(Qt::AlignCenter);
  message_->setContentsMargins(12, 12, 12, 12);
  message_->setAutoFillBackground(true);
  message_->setBackgroundRole(QPalette::Base);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* head = new QHBoxLayout;
  head->addWidget(badge_, 1);
  head->addWidget(algorithm_, 2);
  head->addWidget(search_, 2);
  head->addWidget(parameters_);
  head->addWidget(remove_);
  views_->addWidget(scene_);
  views_->addWidget(tree_);
  views_->setSizes({3000, 2000});
  views_->setChildrenCollapsible(false);
  tree_->keep_in_sight();  // columns are compared at a glance
  stack_->addWidget(message_);
  stack_->addWidget(views_);
  auto* steps = new QHBoxLayout;
  steps->addWidget(back_);
  steps->addWidget(place_, 1);
  steps->addWidget(forward_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addLayout(head);
  layout->addWidget(stack_, 1);
  layout->addLayout(steps);
  layout->addWidget(costs_);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  connect(algorithm_, &QComboBox::activated, this, [this] {
    const std::string id = algorithm_->currentData().toString().toStdString();
    if (id == run_.algorithm) return;
    run_ = with_algorithm(run_, id);
    show_head();
    emit run_changed();
  });
  connect(search_, &QComboBox::activated, this, [this] {
    run_ = with_search(run_, search_->currentData().toString().toStdString());
    show_head();
    emit run_changed();
  });
  connect(remove_, &QToolButton::clicked, this, &CompareColumn::removed);
  connect(back_, &QToolButton::clicked, this, [this] { emit moved(-1); });
  connect(forward_, &QToolButton::clicked, this, [this] { emit moved(1); });
  connect(scene_, &SceneView::camera_changed, this, &CompareColumn::camera_changed);
  const auto pick = [this](const Selection& selection) {
    if (!playback_.cursor()) return;
    LinkedSelection linked = resolve_selection(*playback_.cursor(), selection);
    emit picked({std::move(linked.points), std::move(linked.triangles), {}, {}});
  };
  playback_.fetch_by(&workbench.coming_values());
  connect(&playback_, &Playback::stepped, &motion_, &StepMotion::follow_step);
  const auto animate = [this] { motion_.set_enabled(workbench_.motion().enabled()); };
  connect(&workbench.motion(), &StepMotion::enabled_changed, this, animate);
  animate();
  attach(*scene_, playback_, workbench, pick, &motion_);
  attach(*tree_, playback_, workbench, pick, &motion_);
  new Curtain(
      costs_, workbench,
      [](const Concealment& concealed, const Trace& trace) {
        return !trace.header.search.empty() && hides_statements(concealed);  // they count what a search visits
      },
      &playback_);
  new Curtain(
      tree_, workbench, [](const Concealment& concealed, const Trace&) { return concealed.tree; }, &playback_);
  connect(&workbench.looks(), &Looks::changed, this, &CompareColumn::show_appearance);
  show_appearance();
  show_head();
  show_waiting(tr("Not run yet."));
}

void CompareColumn::set_run(const RunRequest& run) {
  run_ = run;
  show_head();
}

void CompareColumn::show_head() {
  const AlgorithmSpec* spec = find_algorithm(run_.algorithm);
  algorithm_->setCurrentIndex(algorithm_->findData(QString::fromStdString(run_.algorithm)));
  algorithm_->setToolTip(spec ? QString::fromStdString(spec->summary) : QString());
  const QString words = foreign_text(parameter_words(run_));
  const QString source = QString::fromStdString(spec ? spec->citation : run_.algorithm);
  name_ = words.isEmpty() ? source : source + QStringLiteral(": ") + words;
  badge_->setToolTip(plain_tip(name_));
  badge_->setAccessibleName(name_);
  fit_texts();
  parameters_->setToolTip(plain_tip(tr("Parameters of this run: %1").arg(words.isEmpty() ? tr("as usual") : words)));
  parameters_->setAccessibleName(parameters_->toolTip());
  parameters_->setEnabled(spec && !spec->parameters.empty());
  make_parameter_menu();
}

void CompareColumn::fit_texts() {
  badge_->setText(badge_->fontMetrics().elidedText(name_, Qt::ElideRight, std::max(40, badge_->width() - 8)));
  // Two lines in every column as soon as one may need them, so that views stay level with one another.
  const bool narrow = place_->width() < place_->fontMetrics().averageCharWidth() * 46;
  place_->setMinimumHeight(place_->fontMetrics().lineSpacing() * (narrow ? 2 : 1));
  // The plot is square: in a wide column the tree has more room beside it than below.
  constexpr double wide = 1.15;
  views_->setOrientation(stack_->width() > wide * stack_->height() ? Qt::Horizontal : Qt::Vertical);
}

void CompareColumn::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  QMetaObject::invokeMethod(
      this, [this] { fit_texts(); }, Qt::QueuedConnection);  // once the layout has followed
}

void CompareColumn::make_parameter_menu() {
  QMenu* menu = parameters_->menu();
  menu->clear();
  const AlgorithmSpec* spec = find_algorithm(run_.algorithm);
  if (!spec) return;
  for (const ParameterSpec& parameter : spec->parameters) {
    const auto given = run_.parameters.find(parameter.name);
    const std::string now = given == run_.parameters.end() ? parameter.default_value : given->second;
    QMenu* values = menu->addMenu(as_label(parameter.title + ": " + now));
    values->setToolTipsVisible(true);
    const auto offer = [&](const std::string& value, const std::string& help) {
      for (const QAction* there : values->actions())
        if (there->text().toStdString() == value) return;
      QAction* action = values->addAction(as_label(value), this,
                                          [this, name = parameter.name, value] { set_parameter(name, value); });
      action->setCheckable(true);
      action->setChecked(value == now);
      action->setToolTip(QString::fromStdString(help));
    };
    for (const Choice& choice : parameter.choices) offer(choice.value, choice.help);
    if (!parameter.choices.empty()) continue;
    if (parameter.automatic) offer(automatic_value, parameter.help);
    offer(parameter.default_value, parameter.help);
    for (const std::string& candidate : parameter.candidates) offer(candidate, parameter.help);
    offer(now, parameter.help);
    values->addSeparator();
    values->addAction(tr("Another number\u2026"), this, [this, parameter, now] {
      auto* dialog = new QInputDialog(this);
      dialog->setAttribute(Qt::WA_DeleteOnClose);
      dialog->setInputMode(QInputDialog::IntInput);
      dialog->setLabelText(QString::fromStdString(parameter.title + ": " + parameter.help));
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      dialog->setIntRange(static_cast<int>(std::clamp(parameter.min, -most, most)),
                          static_cast<int>(std::clamp(parameter.max, -most, most)));
      dialog->setIntValue(QString::fromStdString(now).toInt());
      connect(dialog, &QInputDialog::intValueSelected, this,
              [this, name = parameter.name](int value) { set_parameter(name, std::to_string(value)); });
      dialog->open();
    });
  }
}

void CompareColumn::set_parameter(const std::string& name, const std::string& value) {
  run_.parameters[name] = value;
  // The menu whose entry was chosen is made anew: not before it has closed.
  QMetaObject::invokeMethod(
      this, [this] { show_head(); }, Qt::QueuedConnection);
  emit run_changed();
}

ColumnCosts CompareColumn::costs() const {
  ColumnCosts costs;
  if (timing_) {
    costs.build_ms = timing_->build_ms;
    costs.peak_bytes = timing_->peak_bytes;
  }
  if (playback_.cursor()) {
    costs.trace = costs_until(*playback_.trace(), no_id);
    costs.ranks_time = playback_.trace()->header.n >= least_timed;
  }
  return costs;
}

void CompareColumn::show_message(const QString& words, bool problem) {
  message_->setText(words);
  message_->setForegroundRole(problem ? QPalette::BrightText : QPalette::PlaceholderText);
  stack_->setCurrentIndex(0);
  for (QWidget* widget : std::initializer_list<QWidget*>{back_, forward_}) widget->setEnabled(false);
  place_->clear();
}

void CompareColumn::show_waiting(const QString& words) {
  playback_.close();
  timing_.reset();
  show_message(words, false);
}

void CompareColumn::show_error(const Error& error) {
  playback_.close();
  timing_.reset();
  show_message(foreign_text(error.message()), error.kind != ErrorKind::cancelled);
}

void CompareColumn::show_run(std::shared_ptr<const Trace> trace, std::optional<BuildReport> timing) {
  if (playback_.trace() != trace) playback_.open(Cursor(std::move(trace)), {});
  timing_ = std::move(timing);
  offer_searches();
  stack_->setCurrentIndex(1);
  for (QWidget* widget : std::initializer_list<QWidget*>{back_, forward_}) widget->setEnabled(true);
}

void CompareColumn::offer_searches() {
  const TraceHeader& header = trace()->header;
  search_->clear();
  search_->setVisible(!header.search.empty());
  const auto open = search_in(header.search);
  if (header.search.empty() || !open) return;
  for (const Search* each : searches_of(header.tree_kind))
    if (std::ranges::count(each->spec.questions, open->question) > 0)
      search_->addItem(QString::fromStdString(each->spec.title), QString::fromStdString(each->spec.id));
  search_->setCurrentIndex(search_->findData(QString::fromStdString(open->search)));
  search_->setToolTip(search_->currentText());
  run_.search = header.search;  // the search that was chosen for the tree
  show_head();
}

void CompareColumn::show_step(std::uint32_t step, bool waits, std::vector<Highlight> added,
                              const Concealment& concealed) {
  if (!playback_.cursor()) return;
  playback_.when_here(step, [this, step, waits, added = std::move(added), concealed] {
    playback_.add_highlights(added);
    playback_.conceal_next(concealed);
    playback_.go_to(step);
    show_place(step, waits, concealed);
  });
}

void CompareColumn::show_place(std::uint32_t step, bool waits, const Concealment& concealed) {
  const Step& now = playback_.cursor()->current();
  QString words = step_place(step, playback_.step_count());
  if (now.level >= 0) words += tr(", level %1").arg(now.level);
  const bool search = !trace()->header.search.empty();
  words += QStringLiteral(", ") + foreign_text(search && !hides_steps(concealed, *trace()) ? now.title : now.name);
  const bool ended = step + 1 == playback_.step_count();
  place_->setText(waits ? (ended ? tr("%1 (finished)") : tr("%1 (waits for the others)")).arg(words) : words);
}

void CompareColumn::show_costs(const CostScale& scale) { costs_->show_costs(costs(), scale); }

void CompareColumn::show_appearance() {
  const Appearance& looks = workbench_.looks().appearance();
  const Theme& t = theme_of(looks);
  QFont bold = interface_font(looks.text_scale);
  bold.setBold(true);
  badge_->setFont(bold);
  QPalette ink = badge_->palette();
  ink.setColor(QPalette::WindowText, colour(t.focus));
  badge_->setPalette(ink);
  fit_texts();
}

void CompareColumn::set_removable(bool removable) { remove_->setEnabled(removable); }

}  // namespace kdscope
