#include "app/search/search_pane.hpp"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include "algorithms/registry/searches.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/scrolling_page.hpp"
#include "app/questioning/questioning.hpp"
#include "app/run/field_grid.hpp"
#include "app/search/query_picker.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"
#include "visualizer/model/search_overlay.hpp"

namespace kdscope {
namespace {

QString question_words(SearchQuestion question) {
  switch (question) {
    case SearchQuestion::nearest:
      return SearchPane::tr("the k nearest points");
    case SearchQuestion::ball:
      return SearchPane::tr("all points within a radius");
    case SearchQuestion::box:
      return SearchPane::tr("all points in a box");
    case SearchQuestion::count:
      return SearchPane::tr("how many points a box holds");
    case SearchQuestion::nearest_hit:
      return SearchPane::tr("the first triangle on a ray");
    case SearchQuestion::any_hit:
      return SearchPane::tr("any triangle on a ray");
  }
  return {};
}

QString metric_words(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
      return SearchPane::tr("Euclidean");
    case Metric::l1:
      return SearchPane::tr("L1: the sum of the differences");
    case Metric::maximum:
      return SearchPane::tr("maximum: the largest difference");
  }
  return {};
}

QString coordinates_words(const std::vector<double>& query) {
  std::string text;
  for (const double coordinate : query) text += (text.empty() ? "" : ", ") + short_number(coordinate, 9);
  return QString::fromStdString(text);
}

/// Returns the searches of a run's tree. Trees of split planes are over points or over triangles.
std::vector<const Search*> searches_for(const Trace& trace) {
  std::vector<const Search*> some = searches_of(trace.header.tree_kind);
  const bool triangles = sorts_triangles(trace);
  std::erase_if(some, [&](const Search* each) { return is_about_rays(each->spec.questions.front()) != triangles; });
  return some;
}

/// Returns a first query: a quarter of the points' box from its middle; of a ray, along the first dimension.
std::vector<double> usual_query(const PointSet& points, bool ray) {
  const Box box = bounding_box(points);
  std::vector<double> query;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    const double side = box.hi[d] - box.lo[d];
    double value = box.lo[d] + (d == 0 ? 0.6 : 0.4) * side;
    if (ray && d == 0) value = box.lo[d] - 0.2 * side;
    query.push_back(points.type == ScalarType::int32 ? std::round(value) : std::stod(short_number(value, 3)));
  }
  for (std::uint32_t d = 0; ray && d < points.dim; ++d) query.push_back(d == 0 ? 1 : 0);
  return query;
}

Choices choices_of_metric() {
  Choices choices;
  for (int i = 0; i < metric_count; ++i) choices.emplace_back(metric_words(static_cast<Metric>(i)), i);
  return choices;
}

/// Whether the way back from a search leads to the lesson before: with edited points, it leads to their build.
bool leads_to_lesson(const RunDesk& desk) { return desk.lesson_left() && desk.has_points_of_lesson(); }

}  // namespace

SearchPane::SearchPane(Workbench& workbench, QueryPicker& picker, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      picker_(picker),
      search_(choice(new NarrowComboBox, {"search", tr("Search")}, {}, [this] { take_search(); })),
      question_(choice(new NarrowComboBox, {"search_question", tr("Question")}, {}, [this] { show_state(); })),
      metric_(
          choice(new NarrowComboBox, {"search_metric", tr("Metric")}, choices_of_metric(), [this] { show_state(); })),
      k_(named(new QSpinBox, {"search_k", tr("k")})),
      radius_(entry({"search_radius", tr("Radius")}, tr("none"), [this] { show_state(); })),
      period_(entry({"search_period", tr("Period")}, tr("none; for example 10, 10"), [this] { show_state(); })),
      query_(entry({"search_query", tr("Query")}, tr("coordinates, for example 0.4, 0.7"), [this] { show_state(); })),
      summary_(text_line({""})),
      status_(text_line({"search_status", tr("Answer")})),
      start_(button({"start_search", tr("&Search")}, [this] { start(); })),
      batch_(button({"search_all", tr("Search for all points"),
                     tr("Every point becomes a query: how many nodes each visits, and how many lanes of a warp are at "
                        "work, in two orders")},
                    [this] { start_batch(); })),
      pick_(tick<QPushButton>(
          {"pick_query", tr("Pick in the view"), tr("Click or drag in the view: the search runs at once (Q)")})),
      build_(button({"show_build", tr("Back to the build")}, [this] { show_build(); })),
      parameter_place_(new QVBoxLayout) {
  setAccessibleName(tr("Search"));
  auto* column = new QVBoxLayout(scrolling_page(*this));
  column->setContentsMargins(8, 6, 8, 6);
  column->setSizeConstraint(QLayout::SetMinimumSize);  // else the area squeezes the page by the scroll bar's width
  column->setSpacing(6);
  auto* fields = new FieldGrid;
  fields->add(tr("Search"), tr("How the tree is searched"), search_);
  fields->add(tr("Question"), tr("What is looked for"), question_);
  fields->add(tr("k"), tr("The number of nearest points"), k_);
  fields->add(tr("Radius"), tr("Of a ball or a box; nearest points farther away are left out"), radius_);
  fields->add(tr("Metric"), tr("By which distance points are nearest"), metric_);
  fields->add(tr("Period"), tr("After how much the space repeats itself, along each axis"), period_);
  column->addWidget(fields);
  column->addLayout(parameter_place_);
  auto* row = new QHBoxLayout;
  row->addWidget(label_of(tr("&Query"), query_));
  row->addWidget(query_, 1);
  column->addLayout(row);
  auto* buttons = new WrappingRow(column->spacing());
  for (QPushButton* button : {start_, pick_, batch_, build_}) buttons->addWidget(button);
  column->addLayout(buttons);
  column->addWidget(status_);
  column->addWidget(summary_);
  column->addStretch(1);

  for (QLineEdit* line : {period_, query_, radius_}) connect(line, &QLineEdit::returnPressed, this, &SearchPane::start);
  connect(pick_, &QPushButton::toggled, &picker_, &QueryPicker::set_picking);
  connect(&picker_, &QueryPicker::picking_changed, pick_, &QPushButton::setChecked);
  connect(&picker_, &QueryPicker::picked, this, &SearchPane::pick);
  connect(&workbench_.playback(), &Playback::stepped, this, &SearchPane::take_run);
  connect(&workbench_.playback(), &Playback::concealment_changed, this, &SearchPane::show_state);
  connect(
      &workbench_.jobs(), &Jobs::busy_changed, this,
      [this](const QString& what) {
        show_state();
        if (what.isEmpty()) run_pending();
      },
      Qt::QueuedConnection);
  take_run();
}

void SearchPane::take_run() {
  if (workbench_.playback().trace() == shown_) return show_state();
  shown_ = workbench_.playback().trace();
  if (shown_ && shown_->header.tree_kind != kind_) {
    kind_ = shown_->header.tree_kind;
    const QSignalBlocker quiet(search_);
    const QString chosen = search_->currentData().toString();
    search_->clear();
    for (const Search* each : searches_for(*shown_))
      search_->addItem(QString::fromStdString(each->spec.title), QString::fromStdString(each->spec.id));
    search_->setCurrentIndex(std::max(0, search_->findData(chosen)));
    take_search();
  }
  if (shown_ && is_search(*shown_)) {  // what a lesson, a file or this pane has opened
    if (const auto open = search_in(shown_->header.search)) fill(*open);
  } else if (const auto points = workbench_.edits().points(); points && points->points.size() > 0) {
    const bool rays = is_about_rays(chosen_question());
    const auto query = coordinates_in(query_->text().toStdString());
    if (!query || query->size() != points->points.dim * (rays ? 2 : 1))
      query_->setText(coordinates_words(usual_query(points->points, rays)));
  }
  show_state();
}

void SearchPane::fill(const SearchOfRun& search) {
  search_->setCurrentIndex(std::max(0, search_->findData(QString::fromStdString(search.search))));
  question_->setCurrentIndex(std::max(0, question_->findData(static_cast<int>(search.question))));
  if (search.question == SearchQuestion::nearest) k_->setValue(static_cast<int>(search.k));
  radius_->setText(search.radius ? QString::fromStdString(short_number(*search.radius, 9)) : QString());
  metric_->setCurrentIndex(metric_->findData(static_cast<int>(search.measure.metric)));
  period_->setText(coordinates_words(search.measure.period));
  for (const auto& [name, value] : search.parameters)
    if (const auto field = parameters_.find(name); field != parameters_.end())
      field->second.set(QString::fromStdString(value));
  if (search.all_points) return;
  const auto open = coordinates_in(query_->text().toStdString());
  if (!open || *open != search.query) query_->setText(coordinates_words(search.query));
  picker_.set_query(search.query);
}

void SearchPane::take_search() {
  const Search* search = find_search(search_->currentData().toString().toStdString());
  const QVariant asked = question_->currentData();
  const QSignalBlocker quiet(question_);
  question_->clear();
  if (search) {
    for (const SearchQuestion question : search->spec.questions)
      question_->addItem(question_words(question), static_cast<int>(question));
    question_->setCurrentIndex(std::max(0, question_->findData(asked)));
    k_->setRange(1, static_cast<int>(search->spec.most_k));
    summary_->setText(QString::fromStdString(search->spec.summary + " (" + search->spec.citation + ")"));
  } else {
    summary_->setText(shown_ ? tr("This build has no search for this tree.") : tr("Open a run to search its tree."));
  }
  delete parameter_box_;
  parameter_box_ = nullptr;
  parameters_.clear();
  if (search && !search->spec.parameters.empty()) {
    auto* fields = new FieldGrid;
    for (const ParameterSpec& parameter : search->spec.parameters) {
      const FormField field = field_of(parameter);
      parameters_[parameter.name] = field;
      fields->add(QString::fromStdString(parameter.title), QString::fromStdString(parameter.help), field.widget);
    }
    parameter_place_->addWidget(fields);
    parameter_box_ = fields;
  }
  show_state();
}

FormField SearchPane::field_of(const ParameterSpec& parameter) {
  if (parameter.choices.empty()) {
    auto* box = new QSpinBox;
    box->setRange(static_cast<int>(parameter.min), static_cast<int>(parameter.max));
    box->setValue(QString::fromStdString(parameter.default_value).toInt());
    return {box, [box] { return QString::number(box->value()); },
            [box](const QString& v) { box->setValue(v.toInt()); }};
  }
  auto* box = new NarrowComboBox;
  for (const Choice& choice : parameter.choices) box->addItem(QString::fromStdString(choice.value));
  box->setCurrentText(QString::fromStdString(parameter.default_value));
  return {box, [box] { return box->currentText(); }, [box](const QString& v) { box->setCurrentText(v); }};
}

SearchQuestion SearchPane::chosen_question() const {
  return static_cast<SearchQuestion>(question_->currentData().toInt());
}

Result<SearchOfRun> SearchPane::asked(const QString& query) const {
  if (search_->count() == 0)
    return Error{ErrorKind::bad_usage, "there is no search for this tree", "", "open another run"};
  Parameters texts;
  for (const auto& [name, field] : parameters_) texts[name] = field.value().toStdString();
  texts["search"] = search_->currentData().toString().toStdString();
  texts["question"] = name_of(chosen_question());
  texts["k"] = std::to_string(k_->value());
  texts["radius"] = radius_->text().trimmed().toStdString();
  if (metric_->isEnabled()) texts["metric"] = name_of(static_cast<Metric>(metric_->currentData().toInt()));
  if (period_->isEnabled()) texts["period"] = period_->text().trimmed().toStdString();
  texts["query"] = query.toStdString();
  auto search = search_in(texts);
  if (!search) return search;
  if (needs_radius(search->question) && !search->radius)
    return Error{ErrorKind::bad_usage, "a ball or a box needs a radius", "", "give one"};
  const std::size_t dim = shown_ ? shown_->header.dim : 0, wanted = is_about_rays(search->question) ? 2 * dim : dim;
  if (!search->all_points && search->query.size() != wanted)
    return Error{ErrorKind::bad_usage,
                 "the query has " + std::to_string(search->query.size()) + " coordinates, the points have " +
                     std::to_string(dim),
                 "", "give " + std::to_string(wanted)};
  if (const auto points = workbench_.edits().points(); points && shown_ && !search->measure.is_usual())
    if (const auto possible = check_before_build(*search, shown_->header.algorithm, *points); !possible)
      return possible.error();
  return search;
}

void SearchPane::start() {
  if (const auto search = asked(query_->text()))
    run(*search, false);
  else
    workbench_.messages().report(search.error());
}

void SearchPane::start_batch() {
  if (const auto search = asked(QStringLiteral("all")))
    run(*search, true);
  else
    workbench_.messages().report(search.error());
}

void SearchPane::pick(const std::vector<double>& query, bool last) {
  query_->setText(coordinates_words(query));
  const auto search = asked(query_->text());
  if (!search) {
    if (last) workbench_.messages().report(search.error());
    return;
  }
  // While the query is dragged, the answer follows; once it is placed, the search begins.
  if (workbench_.jobs().busy())
    pending_ = *search, pending_at_end_ = !last;
  else
    run(*search, !last);
}

void SearchPane::run_pending() {
  if (!pending_) return;
  const SearchOfRun search = std::move(*pending_);
  pending_.reset();  // the run may pick again
  run(search, pending_at_end_);
}

void SearchPane::run(const SearchOfRun& search, bool at_end) {
  RunRequest spec = workbench_.desk().request();
  if (workbench_.edits().stale()) {
    spec.points = workbench_.edits().points();
    spec.data = spec.points->name;
  }
  spec.search = texts_of(search);
  // Nothing is found before the first visit, and the tables are empty.
  workbench_.desk().set_first_step(at_end ? std::numeric_limits<std::uint32_t>::max() : 1);
  workbench_.desk().run(spec);
}

void SearchPane::show_build() {
  if (leads_to_lesson(workbench_.desk())) return workbench_.desk().return_to_lesson();
  RunRequest spec = workbench_.desk().request();
  spec.search.clear();
  workbench_.desk().run(spec);
}

void SearchPane::show_state() {
  const bool points = !is_about_rays(chosen_question()), nearest = chosen_question() == SearchQuestion::nearest;
  k_->setEnabled(nearest);
  radius_->setEnabled(points);
  const Search* chosen = find_search(search_->currentData().toString().toStdString());
  metric_->setEnabled(nearest && chosen && chosen->spec.takes_metrics);
  period_->setEnabled(nearest && chosen && chosen->spec.takes_periods);
  pick_->setEnabled(points && shown_ != nullptr);
  if (!pick_->isEnabled()) picker_.set_picking(false);
  const auto search = asked(query_->text());
  start_->setEnabled(search && !workbench_.jobs().busy());
  batch_->setEnabled(points && asked(QStringLiteral("all")) && !workbench_.jobs().busy());
  build_->setEnabled(shown_ && is_search(*shown_) && !workbench_.jobs().busy());
  build_->setText(leads_to_lesson(workbench_.desk()) ? tr("Back to the lesson") : tr("Back to the build"));
  if (search && !search->all_points) picker_.set_query(search->query);
  QString status;
  if (!search && shown_)
    status = foreign_text(search.error().message());
  else if (shown_ && is_search(*shown_))
    status = hides_statements(workbench_.playback().concealment())
                 ? hidden_words(workbench_, hides_statements)
                 : foreign_text(workbench_.playback().cursor()->current().title);
  status_->setText(status);
}

void add_searching(WorkbenchWindow& window, Workbench& workbench) {
  auto* picker = new QueryPicker(workbench, window.scene(), &window);
  auto* pane = new SearchPane(workbench, *picker);
  QDockWidget* dock = window.add_dock(QStringLiteral("search"), pane, nullptr, QStringLiteral("run"), false);
  QMenu& menu = window.menu(QStringLiteral("edit"));
  menu.addSeparator();
  QAction* pick = menu.addAction(QObject::tr("Search for a &query"));
  pick->setObjectName(QStringLiteral("pick_query_action"));
  pick->setCheckable(true);
  pick->setShortcut(Qt::Key_Q);
  pick->setToolTip(QObject::tr("Click or drag in the view: the tree is searched for the points near it (Q)"));
  std::vector<QAction*> other_modes;
  for (const char* name : {"edit_points", "what_if"})
    if (auto* mode = window.findChild<QAction*>(QLatin1String(name))) {
      other_modes.push_back(mode);
      QObject::connect(mode, &QAction::toggled, picker, [picker](bool on) {
        if (on) picker->set_picking(false);
      });
    }
  QObject::connect(pick, &QAction::toggled, picker, [picker, dock, other_modes, &window](bool on) {
    for (QAction* mode : other_modes)
      if (on) mode->setChecked(false);
    if (on) window.layouts().reveal(*dock);
    picker->set_picking(on);
  });
  // Behind another tab, the key brings the pane to the front instead of switching off in silence
  QObject::connect(pick, &QAction::triggered, pick, [pick, dock](bool on) {
    if (!on && dock->visibleRegion().isEmpty()) pick->setChecked(true);
  });
  QObject::connect(picker, &QueryPicker::picking_changed, pick, &QAction::setChecked);
}

}  // namespace kdscope
