#include <QAbstractScrollArea>
#include <QFontMetrics>
#include <QSignalBlocker>
#include <algorithm>
#include <numeric>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/before_badge.hpp"
#include "app/panes/legend.hpp"
#include "app/panes/question_panel.hpp"
#include "app/panes/title_card.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/panes/viewer.hpp"
#include "app/present/audience_search.hpp"
#include "app/present/markdown_label.hpp"
#include "app/present/presentation.hpp"
#include "app/recording/navigation.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/step_slider.hpp"
#include "visualizer/model/step_heading.hpp"
#include "walkthroughs/reader/in_short.hpp"

namespace kdscope {
namespace {

constexpr int gap = 2, side_margin = 16;                // between panes; beside words
constexpr double heading_size = 1.35, card_size = 1.3;  // relative to the interface font
constexpr double line_size = 0.25;                      // of the stops
constexpr double alone_size = 1.4;                      // of a pane that fills the screen
constexpr double most_alone = 1.8;                      // of a narration there, which has its title at the top
constexpr double digits_alone = 1.7;                    // of a table there
constexpr double small_text = 0.92;                     // of narration and question, where the usual one has no room
constexpr double size_step = 0.95;                      // between the sizes that are tried for a whole lesson
constexpr double exception_size = 0.87;                 // where a stop has more text than the others
constexpr int most_exceptions = 10;                     // of so many stops, one
// Least shares of the screen
constexpr double plot_height = 0.405, picture_width = 0.2, tree_width = 0.26, column_width = 0.3, wide_column = 0.35;
constexpr int most_of_table = 3;       // it has at most the third part of the room
constexpr double low_table = 2 / 3.0;  // of that, where texts have no room
constexpr int card_characters = 75;    // in a line of the title card
constexpr double most_of_foot = 0.45;  // the place, beside the legend

/// Sets the text scale of a window before its panes are created, so that they use it.
QWidget* with_scale(QWidget* window, int percent) {
  set_own_text_scale(*window, percent);
  return window;
}

/// Lets panes take the focus only by click, because keys control the whole presentation, and leaves out scroll bars.
void prepare_for_audience(QWidget& pane) {
  QList<QWidget*> widgets = pane.findChildren<QWidget*>();
  widgets << &pane;
  for (QWidget* child : widgets) {
    if (child->focusPolicy() != Qt::NoFocus) child->setFocusPolicy(Qt::ClickFocus);
    if (auto* area = qobject_cast<QAbstractScrollArea*>(child)) {
      area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
      area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
  }
}

/// The height of what stands above the panes.
int heading_height(const MarkdownLabel& heading, int width) { return heading.height_for(width - 2 * side_margin) + 10; }

int width_of_character(const QWidget& widget) { return QFontMetrics(widget.font()).averageCharWidth(); }

}  // namespace

AudienceWindow::AudienceWindow(Workbench& workbench, QWidget* parent, int text_scale)
    : QWidget(parent, Qt::Window | Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint),
      workbench_(workbench),
      text_scale_(text_scale),
      scene_(new SceneView(with_scale(this, text_scale))),
      heading_(new MarkdownLabel(this)),
      card_(new MarkdownLabel(this)),
      before_(new BeforeBadge(workbench, this)),
      question_(new QuestionPanel(workbench, this, QuestionPanel::Shape::card)),
      place_(plain_label({}, this)),
      legend_(new LegendStrip(workbench, this)),
      stops_(new StepSlider(this)),
      drawing_(new DrawingLayer(this)),
      black_(new QWidget(this)) {
  setWindowTitle(tr("Presentation \u2013 kdscope"));
  setAccessibleName(tr("Presentation"));
  setFocusPolicy(Qt::StrongFocus);
  panes_["view"] = scene_;
  heading_->setObjectName(QStringLiteral("heading"));
  card_->setObjectName(QStringLiteral("title_card"));
  card_->set_centred(true);
  place_->setObjectName(QStringLiteral("place"));
  stops_->setObjectName(QStringLiteral("stops_line"));
  stops_->setAccessibleName(tr("Stops"));
  stops_->set_low(true);
  connect(stops_, &QAbstractSlider::valueChanged, this, [this](int at) { workbench_.lessons().go_to_stop(at - 1); });
  black_->setObjectName(QStringLiteral("black"));
  black_->setAccessibleName(tr("Black screen"));
  black_->setAutoFillBackground(true);
  black_->setPalette(QPalette(Qt::black));
  black_->hide();
  prepare_for_audience(*scene_);
  prepare_for_audience(*question_);

  attach(*scene_, workbench.playback(), workbench);
  connect(&workbench.playback(), &Playback::step_shown, this, &AudienceWindow::show_step);
  connect(&workbench.playback(), &Playback::opened, drawing_, &DrawingLayer::forget);
  connect(&workbench.looks(), &Looks::changed, this, &AudienceWindow::restyle);
  connect(&workbench.questions(), &Questions::changed, this, &AudienceWindow::share_room);
  // Once more after the question's own layout: feedback that has just appeared has its height only then.
  connect(&workbench.questions(), &Questions::changed, this, &AudienceWindow::share_room, Qt::QueuedConnection);
  connect(&workbench.messages(), &Messages::failed, this, [this](const Error& error) {
    place_text_ = foreign_text(error.message());
    share_room();
  });
  restyle();
  show_step();
}

TreeView& AudienceWindow::tree() { return static_cast<TreePane&>(pane("tree")).view(); }
ArraysPane& AudienceWindow::arrays() { return static_cast<ArraysPane&>(pane("arrays")); }
NarrationPane& AudienceWindow::narration() { return static_cast<NarrationPane&>(pane("narration")); }

QWidget& AudienceWindow::pane(const std::string& name) {
  QWidget*& pane = panes_[name];
  if (!pane) {
    pane = make_audience_pane(name, workbench_, this);
    pane->setVisible(false);
    prepare_for_audience(*pane);
    drawing_->raise();
    black_->raise();
  }
  return *pane;
}

QString AudienceWindow::heading() const { return heading_->text(); }

/// The stop whose panes are shown: the current one or, between stops, the last one passed, so that nothing jumps.
const Stop* AudienceWindow::stop_in_force() const {
  const Lesson* lesson = workbench_.lessons().lesson();
  const auto& steps = workbench_.lessons().stop_steps();
  if (!lesson || steps.empty()) return nullptr;
  int stop = workbench_.lessons().stop_index();
  if (stop < 0)
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i] < workbench_.playback().step()) stop = static_cast<int>(i);
  return &lesson->stops[static_cast<std::size_t>(std::max(0, stop))];
}

std::vector<std::string> AudienceWindow::shown_panes() {
  if (!alone_.empty()) return {alone_};
  if (end_ || workbench_.lessons().at_introduction()) return {};
  std::vector<std::string> panes = panes_of(stop_in_force());
  if (std::ranges::find(panes, "arrays") != panes.end() && !arrays().has_columns()) std::erase(panes, "arrays");
  const TypedArray* nodes = workbench_.playback().cursor()->array(partition_arrays::parent);
  if ((!nodes || nodes->size() == 0) && std::ranges::find(panes, "view") != panes.end()) std::erase(panes, "tree");
  return panes;
}

void AudienceWindow::show_alone(const std::string& name) {
  alone_ = name == alone_ ? std::string() : name;
  asks_alone_ = false;
  arrays().offer_tables(alone_ == "arrays");
  apply_scale();
  show_step();
}

void AudienceWindow::ask_alone() {
  asks_alone_ = !asks_alone_ && !alone_.empty();
  show_step();
}

void AudienceWindow::put_answer_away() {
  const QString here = place_of_question();
  away_ = away_ == here ? QString() : here;
  if (panes_.contains("narration") && narration().isVisible()) open_place_ = place_of_areas();  // the texts stay
  share_room();
}

void AudienceWindow::read_on(bool down) {
  const bool reads = read_ == place_of_areas();
  if (down && !reads && narration().isVisible() && narration().is_shortened())
    read_ = place_of_areas();
  else if (narration().scroll(down) || down || !reads)
    return;
  else
    read_.clear();
  share_room();
}

void AudienceWindow::show_end(const QString& next) {
  const Lesson* lesson = workbench_.lessons().lesson();
  if (!lesson) return;
  show_alone({});
  end_ = true;
  static_cast<TreePane&>(pane("tree")).show_finished(true);
  const QString paragraph = QStringLiteral("\n\n");
  QString text = QStringLiteral("### ") + tr("The end of \u201c%1\u201d").arg(foreign_text(lesson->title)) + paragraph;
  for (const Stop& stop : lesson->stops) text += QStringLiteral("1. ") + foreign_text(stop.title) + QLatin1Char('\n');
  text += paragraph + QStringLiteral("---") + paragraph;
  const std::vector<Lesson>& lessons = workbench_.lessons().catalogue().lessons;
  const auto coming = std::ranges::find(lessons, next.toStdString(), &Lesson::title);
  if (!next.isEmpty()) text += tr("**PageDown** opens the next lesson: %1").arg(next);
  if (coming != lessons.end() && !coming->aim.empty())
    text += QLatin1String(next.endsWith(QLatin1Char('?')) ? " " : ". ") + foreign_text(coming->aim);
  end_text_ = text + paragraph + tr("**PageUp** goes back, **L** lists the stops, **Esc** ends the presentation");
  share_room();
}

void AudienceWindow::set_black(bool black) {
  black_->setGeometry(rect());
  black_->setVisible(black);
  black_->raise();
}

void AudienceWindow::set_text_scale(int percent) {
  text_scale_ = percent;
  apply_scale();
}

/// A pane alone has larger texts and marks: it is there to be seen from the last row.
void AudienceWindow::apply_scale() {
  set_own_text_scale(*this, alone_.empty() ? text_scale_ : static_cast<int>(text_scale_ * alone_size));
  restyle();  // after the panes, which share the room
}

void AudienceWindow::restyle() {
  heading_->setFont(interface_font(text_scale_, heading_size * (alone_.empty() ? 1 : alone_size * alone_size)));
  card_->setFont(interface_font(text_scale_, card_size));
  stops_->setFont(interface_font(text_scale_, line_size));
  stops_->set_theme(theme_of(workbench_.looks().appearance()));
  share_room();
}

/// The introduction comes first, then each stop; between two stops, the last one passed.
void AudienceWindow::show_stops() {
  const Lesson* lesson = workbench_.lessons().lesson();
  stops_->setVisible(lesson != nullptr);
  if (!lesson) return;
  std::vector<QString> names{foreign_text(lesson->title)};
  for (const Stop& stop : lesson->stops) names.push_back(foreign_text(stop.title));
  std::vector<std::uint32_t> ticks(names.size());
  std::iota(ticks.begin(), ticks.end(), 0);
  const QSignalBlocker quiet(stops_);
  stops_->setRange(0, static_cast<int>(lesson->stops.size()));
  stops_->set_names(std::move(names));
  stops_->set_ticks(std::move(ticks));
  const Stop* here = workbench_.lessons().at_introduction() ? nullptr : stop_in_force();
  stops_->setValue(here ? static_cast<int>(here - lesson->stops.data()) + 1 : 0);
}

void AudienceWindow::show_step() {
  end_ = false;
  if (panes_.contains("tree")) static_cast<TreePane&>(pane("tree")).show_finished(false);
  if (workbench_.lessons().stop_index() >= 0 && scene_->is_2d() && !scene_->fitted_to())
    scene_->set_camera_preset(CameraPreset::reset);  // a stop is about the whole plane
  const Step& step = workbench_.playback().cursor()->current();
  const int stops = static_cast<int>(workbench_.lessons().stop_steps().size());
  QString place = step_place(step.ordinal, workbench_.playback().step_count());
  place[0] = place[0].toUpper();
  if (workbench_.lessons().stop_index() >= 0)
    place = tr("Stop %1 of %2").arg(workbench_.lessons().stop_index() + 1).arg(stops);
  else if (step.level >= 0)
    place += tr(", level %1").arg(step.level);
  place_text_ = place;

  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index();
  QString heading = foreign_text(step_heading(step));
  if (lesson && stop >= 0) heading = foreign_text(lesson->stops[static_cast<std::size_t>(stop)].title);
  heading_->set_markdown(QStringLiteral("**%1**").arg(heading));
  show_stops();
  drawing_->set_place(QStringLiteral("%1 %2 %3 %4")
                          .arg(step.ordinal)
                          .arg(stop)
                          .arg(workbench_.lessons().at_introduction())
                          .arg(QString::fromStdString(alone_)));
  share_room();
  // Once more: the table chooses its rows by the room that it has got, and its columns by its rows.
  QMetaObject::invokeMethod(this, &AudienceWindow::share_room, Qt::QueuedConnection);
}

QString AudienceWindow::place_of_areas() const {
  return QStringLiteral("%1 %2 %3 %4x%5 %6")
      .arg(workbench_.playback().step())
      .arg(workbench_.lessons().stop_index())
      .arg(QString::fromStdString(alone_))
      .arg(width())
      .arg(height())
      .arg(text_scale_);
}

QString AudienceWindow::place_of_question() const {
  return QStringLiteral("%1 %2").arg(place_of_areas()).arg(workbench_.questions().current());
}

bool AudienceWindow::nothing_answered() const {
  const Questions& questions = workbench_.questions();
  for (int i = 0; i < questions.count(); ++i)
    if (questions.state(i) != QuestionState::open) return false;
  return true;
}

/// The least width of a picture at any step: a tree can show the numbers of its leaves, a plot has its least height.
int AudienceWindow::least_width(const std::string& name) const {
  const double share = name == "tree" ? tree_width : picture_width;
  const int least = static_cast<int>(share * width());
  if (name != "view") return least;
  // Beside a plot stand its ticks; the ground of a box in space may be wide
  const Scene& scene = scene_->scene();
  const int around = (scene.is_2d() ? 12 : 20) * width_of_character(*this);
  const double aspect = scene.is_2d() ? scene.aspect() : std::min(scene.aspect(), 1.15);
  return std::max(least, static_cast<int>(plot_height * height() * aspect) + around);
}

/// What each pane needs. Once an answer is shown, the table keeps what it had before.
std::vector<PaneRoom> AudienceWindow::rooms_of(const std::vector<std::string>& names, bool settled) {
  std::vector<PaneRoom> rooms;
  for (const std::string& name : names) {
    PaneRoom wanted{pane_named(name).form};
    wanted.on_the_left = name == "view";
    if (wanted.form == PaneForm::table) {
      if (!settled) table_height_ = arrays().comfortable_height(width());  // the only table
      wanted.least = table_height_;
    } else if (wanted.form == PaneForm::picture) {
      wanted.least = least_width(name);
      if (name == "inside") wanted.weight = 1.2;  // a row per lane, a column per line of code
      if (name == "view") wanted.weight = std::clamp(scene_->scene().aspect(), 1.0, 1.5);
    } else {
      wanted.least = width_of_column();
      if (name == "narration") {
        wanted.height_for = [this](int width) {
          return narration().height_for(width, text_form_.words, text_form_.left);
        };
      } else if (QWidget& text = pane(name); text.heightForWidth(wanted.least) > 0) {
        wanted.height_for = [this, &text](int width) { return text_form_.search > 0 ? text.heightForWidth(width) : 0; };
        wanted.grows = false;
      }
    }
    rooms.push_back(wanted);
  }
  return rooms;
}

/// The width of the column of texts, the same at every stop of a lesson: figures stay where they are.
int AudienceWindow::width_of_column() {
  double left = wide_column * width();
  if (const Lesson* lesson = workbench_.lessons().lesson())
    for (const Stop& stop : lesson->stops) {
      int first = 0, beside = 0;
      for (const std::string& name : panes_of(&stop))
        if (pane_named(name).form == PaneForm::picture) {
          int& column = first == 0 ? first : beside;
          column = std::max(column, least_width(name));
        }
      left = std::min<double>(left, width() - first - beside);
    }
  return std::max(
      {narration().width_of_tables(small_text), static_cast<int>(left), static_cast<int>(column_width * width())});
}

void AudienceWindow::set_text_form(const TextForm& form) {
  text_form_ = form;
  question_->set_text_sizes(form.words, least_text());
  if (const auto search = panes_.find("search"); search != panes_.end() && form.search > 0)
    static_cast<AudienceSearch*>(search->second)->set_text_size(form.search);
}

/// The smallest size of a text that an audience can read: of large text, what is usual without it.
double AudienceWindow::least_text() const {
  return std::min(small_text, TextForm().words * presentation_scale(height()) /
                                  (1.0 * text_scale_of(*this, workbench_.looks().appearance())));
}

/// The size of words at the stops of a lesson, for a column beside tables as high as any: the largest in which each
/// stop has room for its first question and its tables. A stop whose tables have no room even in small text needs only
/// room for a sentence in place of them, and one that lacks that, too, has it beside a low table. So does every stop in
/// larger text than the screen needs. One stop in ten may need the next smaller size, and shrinks no other.
double AudienceWindow::words_of_lesson(int column, int height) {
  using Left = NarrationPane::Left;
  const Lesson* lesson = workbench_.lessons().lesson();
  if (alone_ == "narration" && !asks_alone_) {
    double words = most_alone;
    while (words > TextForm().words && narration().height_for(width(), words, Left::all) > height)
      words = std::max(TextForm().words, size_step * words);
    return workbench_.lessons().stop_index() < 0 ? TextForm().words : words;
  }
  if (!lesson || !alone_.empty()) return TextForm().words;
  const QString key = QStringLiteral("%1 %2x%3 %4 %5")
                          .arg(QString::fromStdString(lesson->id))
                          .arg(column)
                          .arg(height)
                          .arg(width())
                          .arg(text_scale_);
  if (std::exchange(lesson_measured_, key) == key) return lesson_words_;
  const auto fits = [&](const Stop& stop, double words, Left left, double table = 1) {
    const std::vector<std::string> names = panes_of(&stop);
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    const auto texts =
        std::ranges::count_if(names, [](const auto& name) { return pane_named(name).form == PaneForm::text; });
    int needed = gap * (std::max<int>(1, static_cast<int>(texts)) - 1);
    if (has("narration")) needed += narration().height_for(column, words, left, &stop);
    if (!stop.questions.empty())
      needed += gap + question_->height_of(stop.questions.front(), 0, static_cast<int>(stop.questions.size()),
                                           QuestionPanel::Shows::question, column, words);
    MarkdownLabel title;
    title.setFont(interface_font(text_scale_, heading_size));
    title.set_markdown(QStringLiteral("**%1**").arg(foreign_text(stop.title)));
    const int room = height - heading_height(title, width());
    return needed <= room - (has("arrays") ? static_cast<int>(table * room / most_of_table) + gap : 0);
  };
  const bool enlarged = text_scale_ > presentation_scale(this->height());
  const auto has_room = [&](const Stop& stop, double words) {
    if (!enlarged && fits(stop, small_text, Left::tables)) return fits(stop, words, Left::tables);
    return fits(stop, words, Left::least, !enlarged && fits(stop, small_text, Left::least) ? 1 : low_table);
  };
  const auto exceptions = [&](double words) {
    return std::ranges::count_if(lesson->stops, [&](const Stop& stop) { return !has_room(stop, words); });
  };
  const auto few = static_cast<std::ptrdiff_t>(lesson->stops.size() + most_exceptions - 1) / most_exceptions;
  lesson_words_ = TextForm().words;
  while (lesson_words_ > least_text() &&
         (exceptions(lesson_words_) > few || exceptions(exception_size * lesson_words_) > 0))
    lesson_words_ = std::max(least_text(), size_step * lesson_words_);
  return lesson_words_;
}

/// The height of a question while it is open, or also of its answer below the right choice.
int AudienceWindow::height_of_question(int width, bool with_answer) {
  using Shows = QuestionPanel::Shows;
  const int open =
      question_->shows_answer() ? question_->height_of_this(Shows::question, width) : question_->height_for(width);
  return with_answer ? std::max(open, question_->height_of_this(Shows::answer_alone, width)) : open;
}

/// Gives texts and the question the size that they have in the whole lesson, and their column its height. Where they
/// have no room, first what a search says is smaller, then the narration is shorter, then the answer has no room below
/// its question, then the table is lower, and all rather go than that the narration and the question are smaller.
void AudienceWindow::fit_texts(const QRect& room, std::vector<PaneRoom>& rooms, bool usually_tall, bool may_be_tall) {
  using Left = NarrationPane::Left;
  const double least = least_text(), usual = words_of_lesson(width_of_column(), room.bottom() + 1),
               small = std::min(usual, small_text);
  std::vector<TextForm> forms{{usual, usual / TextForm().words}, {usual, small},
                              {usual, small, Left::tables},      {usual, 0, Left::tables},
                              {usual, small, Left::least},       {usual, 0, Left::least}};
  const auto missing = [&](const TextForm& form, bool tall, bool with_answer = false) {
    tall_ = tall;
    set_text_form(form);
    const QRect column = column_of(rooms, share_out(room, rooms, gap, tall));
    const int asked = !question_->isHidden() ? height_of_question(column.width(), with_answer) + gap : 0;
    return height_of_texts(rooms, column.width(), gap) + asked - column.height();
  };
  for (const bool with_answer : {true, false})
    for (const TextForm& form : forms)
      for (const bool tall : {usually_tall, may_be_tall})
        if ((form.search > 0 || !with_answer) && missing(form, tall, with_answer) <= 0) return;
  // A lower table has fewer rows: those of which the stop does not speak go first
  const auto table = std::ranges::find(rooms, PaneForm::table, &PaneRoom::form);
  if (const int more = missing(forms.back(), may_be_tall); table != rooms.end()) {
    const int high = std::min(table_height_, room.height() / most_of_table);
    table_height_ = table->least = std::max(static_cast<int>(high * low_table), high - more);
  }
  for (double words = usual; missing({words, 0, Left::least}, may_be_tall) > 0 && words > least;)
    words = std::max(least, exception_size * words);
}

/// Fills the card in front of the first stop or behind the last one. A long introduction is shortened rather than
/// written much smaller; the speaker's notes have all.
void AudienceWindow::fit_card() {
  const int em = width_of_character(*this);
  const QRect all = rect().adjusted(2 * em, em, -2 * em, -em);
  const int usual = std::min(all.width(), static_cast<int>(em * card_size * card_characters));
  QRect place(all.left() + (all.width() - usual) / 2, all.top(), usual, all.height());
  // What the lesson builds; in space, what it builds it on
  const std::string picture = workbench_.playback().axes()[2] < 0 ? "tree" : "view";  // the view may be hidden and old
  Lesson lesson = *workbench_.lessons().lesson();
  const auto fits = [&](const std::string& introduction, int width) {
    constexpr double least_size = 0.94 * 0.94;  // two steps of MarkdownLabel::fit()
    lesson.introduction = introduction;
    card_->set_markdown(end_ ? end_text_
                             : title_card(lesson, workbench_.lessons().catalogue(), 2) + QStringLiteral("\n\n---\n\n") +
                                   tr("**PageDown** or **Right** begins"));
    card_->setFont(interface_font(text_scale_, card_size * least_size));
    return card_->height_for(width) <= all.height();
  };
  // The picture stands beside a text that has room for it.
  const std::string whole = without_controls(lesson.introduction);
  const int narrow = all.width() * 58 / 100;
  const bool has_picture = fits(whole, narrow);
  if (has_picture) {
    place = {all.left(), all.top(), narrow, all.height()};
    pane(picture).setGeometry(place.right() + 2 * em, all.top(), all.right() - place.right() - 2 * em, all.height());
    pane(picture).lower();
  } else if (!fits(whole, usual)) {
    for (const std::string& version : in_short(whole))
      if (fits(version, usual)) break;
  }
  card_->fit(place.size(), interface_font(text_scale_, card_size));
  card_->setGeometry(place);
  for (const char* name : {"tree", "view"}) pane(name).setVisible(has_picture && name == picture);
}

void AudienceWindow::share_room() {
  if (!workbench_.playback().cursor()) return;
  // An answer may show more rows or words, but changes no area.
  // The same for the next question of a stop.
  const QString place_now = place_of_areas();
  const int question = workbench_.questions().current();
  const bool settled = open_place_ == place_now && (!nothing_answered() || question != open_question_);
  if (!settled) {
    open_place_ = nothing_answered() ? place_now : QString();
    open_question_ = question;
  }
  // Put the place and the legend at the bottom.
  const int line = stops_->isHidden() ? 0 : stops_->sizeHint().height();
  stops_->setGeometry(0, height() - line, width(), line);
  const auto set_foot_size = [&](double size) {
    for (QWidget* each : std::initializer_list<QWidget*>{place_, legend_})
      each->setFont(interface_font(text_scale_, size));
  };
  if (!settled) {
    set_foot_size(1);  // the height of the foot goes by no stop's words
    foot_height_ = std::max(place_->sizeHint().height(), legend_->sizeHint().height() + 3) + line;
  }
  const int foot = foot_height_;
  const auto put_foot = [&](const QString& place) {
    place_->setText(place);
    const int place_width = std::min(place_->sizeHint().width(), static_cast<int>(most_of_foot * width())),
              high = foot - line;
    place_->setGeometry(side_margin, height() - foot, place_width, high);
    legend_->setGeometry(place_width + 2 * side_margin, height() - foot + 3, width() - place_width - 3 * side_margin,
                         high - 3);
  };
  put_foot(place_text_);
  QRect room(0, 0, width(), height() - foot);

  // Put the title on top, or let the title card or a pane alone fill the window.
  const bool alone = !alone_.empty(), card = (end_ || workbench_.lessons().at_introduction()) && !alone;
  const bool asked = !card && (!alone || asks_alone_) && workbench_.questions().question();
  const bool reads = !card && read_ == place_now;
  if (workbench_.questions().is_open() && away_ == place_of_question()) away_.clear();
  question_->put_answer_away(away_ == place_of_question());
  card_->setVisible(card);
  const bool titled = !card && (!alone || alone_ == "narration");
  // A title is larger than the words below it, in the same proportion where these have little room; the foot is at
  // most as large as they are
  if (titled && !settled && !alone) {
    const double words = words_of_lesson(width_of_column(), room.bottom() + 1);
    heading_->setFont(interface_font(text_scale_, heading_size / TextForm().words * words));
    set_foot_size(std::min(1.0, words));
  }
  heading_->setVisible(titled);
  place_->setVisible(!card);
  legend_->setVisible(!card);
  question_->setVisible(asked && !reads);
  if (panes_.contains("narration")) narration().show_all(reads || alone_ == "narration");
  if (card) {
    fit_card();
  } else if (titled) {
    const int high = heading_height(*heading_, width());
    heading_->setGeometry(side_margin, 6, width() - 2 * side_margin, high - 10);
    room.setTop(high);
  }

  const std::vector<std::string> names = shown_panes();
  legend_->show(names);
  const bool has_narration = std::ranges::find(names, "narration") != names.end();
  if (has_narration) narration().keep_text(settled);
  if (!settled && std::ranges::find(names, "arrays") != names.end())
    arrays().set_largest_digits(alone ? digits_alone : words_of_lesson(width_of_column(), room.bottom() + 1));
  std::vector<PaneRoom> rooms = rooms_of(names, settled);
  // Questions and answers are a card over the column of texts. A stop without texts keeps a column free for it, as long
  // as it has questions: no answer changes the size of a figure.
  const bool has_column =
      std::any_of(rooms.begin(), rooms.end(), [](const PaneRoom& pane) { return pane.form == PaneForm::text; });
  const bool keeps_column = !has_column && !card && (!alone || asks_alone_) && workbench_.questions().count() > 0;
  if (keeps_column) rooms.push_back({PaneForm::text, width_of_column()});
  const bool has_table = std::ranges::find(names, "arrays") != names.end();
  set_text_form(settled ? text_form_ : TextForm());
  if (!settled) {
    tall_ = false;
    if (has_column) {
      const int left = column_of(rooms, share_out(room, rooms, gap)).left() - gap;
      // A table that leaves the room below the column blank, or whose digits need no more width, leaves it to the
      // column
      const auto has_room = [&](int width) {
        return has_table && arrays().view().width_in({width, table_height_}) <= left;
      };
      const auto digits = [&](int width) { return arrays().view().digits_in({width, table_height_}); };
      const bool is_narrow = has_room(width()), may_be_tall = is_narrow || has_room(left);
      fit_texts(room, rooms, is_narrow || (may_be_tall && digits(left) == digits(width())), may_be_tall);
    }
  }
  std::vector<QRect> rects = share_out(room, rooms, gap, tall_);
  bool covered = false;  // the texts, by an answer: rather none of them than a cut one
  bool chooses = false;  // the narration, once more, for its new room
  if (reads) {
    const QRect column = column_of(rooms, rects);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (rooms[i].form == PaneForm::text) rects[i] = names[i] == "narration" ? column : QRect();
  } else if (asked) {
    const QRect column = column_of(rooms, rects);
    // Texts end above a question, which is whole and has room below it for its answer, so that neither moves as it is
    // answered. What has no room below the texts covers them all: an answer until it is put away, a later question
    // where less text would not help.
    const int wide = column.width();
    const auto left_for = [&] { return column.height() - (has_column ? height_of_texts(rooms, wide, gap) + gap : 0); };
    const bool answered = question_->shows_answer();
    const int open = height_of_question(wide, false), folded = height_of_question(wide, true),
              whole = std::max(open, question_->height_of_this(QuestionPanel::Shows::answer, wide));
    if (const int kept = left_for(); folded > kept && has_narration && settled && !answered) {
      const auto form = std::exchange(text_form_.left, NarrationPane::Left::least);
      narration().keep_text(false);
      chooses = open > kept || folded <= left_for();
      if (!chooses) {
        narration().keep_text(true);
        text_form_.left = form;
      }
    }
    const int left = left_for();
    const bool fits = (answered ? folded : open) <= left;
    covered = has_column && !fits && (settled || answered);
    int high = !fits ? column.height() : folded <= left ? std::min(left, whole) : open;
    const int needed = question_->height_within(wide, high);
    if (!fits && !covered) high = needed;
    if (has_column && !covered) stack_texts_in(column.adjusted(0, 0, 0, -high - gap), rooms, gap, rects);
    const int top = covered ? column.top() : column.bottom() + 1 - high;
    question_->setGeometry(column.left(), top, column.width(), column.bottom() + 1 - top);
    question_->raise();
    drawing_->raise();
    black_->raise();
  }
  for (const auto& [name, pane] : panes_)
    if (!(card && (name == "tree" || name == "view")) && std::find(names.begin(), names.end(), name) == names.end())
      pane->hide();
  if (has_narration) narration().set_text_size(text_form_.words);
  for (std::size_t i = 0; i < names.size(); ++i) {
    QWidget& shown = pane(names[i]);
    shown.setGeometry(rects[i]);
    shown.setVisible((!covered || rooms[i].form != PaneForm::text) && !rects[i].isEmpty());
  }
  if (chooses) narration().choose_text();  // the longest version that fits now
  QStringList foot_texts(place_text_);
  if (const int before = workbench_.questions().current() - 1;
      !reads && asked && before >= 0 && workbench_.questions().state(before) == QuestionState::open)
    foot_texts << tr("PageUp: question %1").arg(before + 1);
  if (!reads && asked && (workbench_.questions().is_open() || away_ == place_of_question()))
    foot_texts << tr("A: answer");
  if (has_table && !arrays().rows_left_out().isEmpty()) foot_texts << arrays().rows_left_out();
  if (!reads && has_narration && narration().is_shortened()) foot_texts << tr("Down: all text");
  const auto words = [&] { return foot_texts.join(QStringLiteral(", ")); };
  while (foot_texts.size() > 1 && place_->fontMetrics().horizontalAdvance(words()) > most_of_foot * width())
    foot_texts.removeLast();
  put_foot(words());
  place_badge(card ? std::vector<std::string>() : names, rooms, rects, titled);
  drawing_->setGeometry(rect());
  black_->setGeometry(rect());
}

/// The mark of figures that wait for an answer stands above their right edge, beside the title: it moves none of them.
void AudienceWindow::place_badge(const std::vector<std::string>& names, const std::vector<PaneRoom>& rooms,
                                 const std::vector<QRect>& rects, bool titled) {
  std::vector<std::string> figures;
  int right = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (rooms[i].form == PaneForm::picture) figures.push_back(names[i]), right = std::max(right, rects[i].right() + 1);
  before_->set_panes(std::move(figures));
  before_->setFont(place_->font());
  const QSize whole = before_->sizeHint();
  QFont bold = heading_->font();
  bold.setBold(true);
  const int from = titled ? 2 * side_margin + QFontMetrics(bold).horizontalAdvance(heading_->text()) : side_margin;
  right = std::min(std::max(right, from + whole.width()), width() - side_margin);
  const int left = std::max(from, right - whole.width());
  const int high = titled ? heading_->height() : whole.height();
  before_->setGeometry(left, 6 + (high - whole.height()) / 2, right - left, whole.height());
  before_->raise();
}

void AudienceWindow::resizeEvent(QResizeEvent*) { share_room(); }

void AudienceWindow::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  // Once more after the first layout: texts have their fonts and heights only then.
  QMetaObject::invokeMethod(this, &AudienceWindow::share_room, Qt::QueuedConnection);
}

}  // namespace kdscope
