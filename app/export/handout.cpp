#include "app/export/handout.hpp"

#include <QAbstractTextDocumentLayout>
#include <algorithm>
#include <utility>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/unseen.hpp"
#include "app/export/coordinates_figure.hpp"
#include "app/export/partition_figure.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/cost_curves.hpp"
#include "app/views/histogram_view.hpp"
#include "app/views/tree_view.hpp"
#include "visualizer/model/lesson_overlay.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "walkthroughs/reader/question_text.hpp"

namespace kdscope {
namespace {

constexpr double page_width = 794, page_height = 1123, margin = 56;  // A4 at 96 pixels per inch
constexpr double body = 14, heading = 22, small_text = 11, gap = 10;
constexpr double figure_height = 300, room_for_answer = 66;
constexpr int table_scale = 62;  // percent: digits as large as the text
constexpr int small_scale = 75;  // percent, of figures that are widgets of the window

}  // namespace

HandoutPainter::HandoutPainter(const Lesson& lesson, std::shared_ptr<const Trace> trace,
                               std::span<const std::uint32_t> stops, bool answers, const std::optional<Axes>& axes,
                               QPdfWriter& writer, QPainter& painter)
    : lesson_(lesson),
      steps_(stops.begin(), stops.end()),
      answers_(answers),
      axes_(axes_or_first(axes, trace->header.dim)),
      now_(trace),
      before_(trace),
      writer_(writer),
      painter_(painter),
      tree_(new TreeView),
      table_(new ArrayTableView),
      counts_(new HistogramView),
      costs_(new CostCurves),
      y_(margin) {
  for (QAbstractScrollArea* view :
       std::initializer_list<QAbstractScrollArea*>{tree_.get(), table_.get(), counts_.get()}) {
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    show_unseen(*view);
  }
  tree_->set_theme(ThemeId::light);
  tree_->set_text_scale(0.72);
  tree_->setFont(interface_font(72));
  table_->set_appearance(theme(ThemeId::light), table_scale);
  counts_->set_appearance(theme(ThemeId::light), small_scale);
  costs_->set_appearance(theme(ThemeId::light), small_scale);
  show_unseen(*costs_);
  painter_.setFont(interface_font(100));
}

HandoutPainter::~HandoutPainter() = default;

double HandoutPainter::width() const { return page_width - 2 * margin; }

void HandoutPainter::new_page() {
  writer_.newPage();
  ++pages_;
  y_ = margin;
}

void HandoutPainter::need(double height) {
  if (y_ > margin && y_ + height > page_height - margin) new_page();
}

/// Paints a text paragraph by paragraph, so that it can continue on the next page.
void HandoutPainter::paint_markdown(const std::string& markdown, double size, bool bold) {
  const QString text = foreign_text(markdown);
  for (const QString& part : text.split(QStringLiteral("\n\n"), Qt::SkipEmptyParts)) {
    ClosedDocument document;
    document.documentLayout()->setPaintDevice(&writer_);
    QFont font = interface_font(100);
    font.setPixelSize(static_cast<int>(size));
    font.setBold(bold);
    document.setDefaultFont(font);
    document.setDocumentMargin(0);
    document.setIndentWidth(20);
    document.setMarkdown(
        part, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    document.setTextWidth(width());
    const double height = document.size().height();
    need(height);
    painter_.save();
    painter_.translate(margin, y_);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);
    document.documentLayout()->draw(&painter_, context);
    painter_.restore();
    y_ += height + 0.5 * size;
  }
}

void HandoutPainter::paint_note(const std::string& words) {
  std::string markdown(1, '*');
  markdown += words;
  markdown += '*';
  paint_markdown(markdown, small_text);
}

void HandoutPainter::paint_introduction() {
  paint_markdown("**" + lesson_.title + "**", heading);
  paint_markdown("*" + lesson_.source + "*", body);
  if (!lesson_.aim.empty()) paint_markdown(lesson_.aim, body);
  if (lesson_.minutes > 0) paint_markdown(std::to_string(lesson_.minutes) + " minutes", body);
  y_ += gap;
  paint_markdown(lesson_.introduction, body);
}

void HandoutPainter::paint_stop(std::size_t number) {
  const Stop& stop = lesson_.stops[number];
  new_page();
  now_.seek(steps_[number]);
  if (now_.step() > 0) before_.seek(now_.step() - 1);
  concealed_ = {};
  for (const Question& question : stop.questions)
    if (!answers_) concealed_.add(concealment_of(question));
  if (concealed_) concealed_.before = stop_before(steps_, now_.step());
  const Step& step = now_.current();
  paint_markdown("**" + std::to_string(number + 1) + ". " + stop.title + "**", heading);
  paint_markdown("*" + step_heading(step) + "* (step " + std::to_string(now_.step()) + " of " +
                     std::to_string(now_.step_count() - 1) + ")",
                 body);
  paint_figures(stop);
  paint_table(stop);
  y_ += gap;
  paint_markdown(stop.narration, body);
  for (std::size_t i = 0; i < stop.questions.size(); ++i) {
    const Question& question = stop.questions[i];
    // A question stands on one page with its choices and the room for its answer.
    const bool choice = question.expects && question.expects->kind == AnswerKind::choice;
    need((4 + (choice ? 1.9 * static_cast<double>(question.expects->texts.size()) : 0)) * body +
         (answers_ ? 0 : room_for_answer + gap));
    y_ += gap;
    std::string asked = "**Question";
    if (stop.questions.size() > 1) asked.append(" ").append(std::to_string(i + 1));
    paint_markdown(asked.append(".** ").append(question.text), body);
    if (choice)
      for (const std::string& text : question.expects->texts)
        paint_markdown(std::string("- ").append(starting_with_prose(text)), body);
    if (answers_) {
      paint_markdown("**Answer.** " + question.answer, body);
      continue;
    }
    need(room_for_answer);
    painter_.setPen(QPen(QColor(150, 150, 150), 0.7, Qt::DotLine));
    for (int line = 1; line <= 2; ++line) {
      const double at = y_ + line * room_for_answer / 2.4;
      painter_.drawLine(QLineF(margin, at, page_width - margin, at));
    }
    y_ += room_for_answer;
  }
}

void HandoutPainter::paint_figures(const Stop& stop) {
  std::vector<PaneFigure> figures;
  for (const std::string& id : panes_of(&stop)) figures.push_back(pane_named(id).figure);
  bool done = false;
  for (const PaneFigure figure : figures) switch (figure) {
      case PaneFigure::none:
      case PaneFigure::table:  // below every stop
      case PaneFigure::code:   // on pages alone
      case PaneFigure::lanes:  // in the window alone
        break;
      case PaneFigure::space:
      case PaneFigure::tree:
        if (!std::exchange(done, true)) paint_space_and_tree(stop, figures);
        break;
      case PaneFigure::counts:
        paint_counts();
        break;
      case PaneFigure::costs:
        paint_candidates();
        break;
      case PaneFigure::coordinates:
        paint_coordinates();
        break;
    }
}

/// Paints the view, the tree, or both side by side.
void HandoutPainter::paint_space_and_tree(const Stop& stop, const std::vector<PaneFigure>& figures) {
  const auto has = [&](PaneFigure figure) {
    return std::find(figures.begin(), figures.end(), figure) != figures.end();
  };
  const bool view = has(PaneFigure::space), tree = has(PaneFigure::tree);
  const double wide = view && tree ? width() / 2 - gap / 2 : width();
  const double tree_height = tree ? height_of_tree(stop, wide) : 0;
  const double scale = tree_height > 1.4 * figure_height ? 1.4 * figure_height / tree_height : 1;
  const double height = std::max(view || (tree && concealed_.tree) ? figure_height : 0, scale * tree_height);
  need(height + 2 * small_text);
  const double top = y_;
  painter_.save();
  if (tree && concealed_.tree) paint_hidden("tree", {margin + width() - wide, y_, wide, height});
  if (view) paint_view(stop, {margin, y_, wide, figure_height});
  painter_.translate(margin + width() - wide, top);
  painter_.scale(scale, scale);
  if (tree_height > 0) tree_->paint_to(painter_);
  painter_.restore();
  if (y_ < top + height) y_ = top + height;
  y_ += gap;
  if (view && !note_.empty()) paint_note(note_);
}

void HandoutPainter::paint_view(const Stop& stop, const QRectF& area) {
  const PartitionFigure figure(now_, {}, {.axes = axes_, .marks = overlay_of(lesson_, &stop)}, stop.highlights,
                               concealed_);
  figure.paint(painter_, area, theme(ThemeId::light), small_text);
  note_ = figure.note();
  if (concealed_.splits)
    add_sentence(note_, concealed_.step_of_partition(now_) ? "Draw the splits that are new."
                                                           : "The splits are left out: draw them.");
}

/// Lays the tree out in a width, and returns the height that it needs; 0 without nodes.
double HandoutPainter::height_of_tree(const Stop& stop, double width) {
  tree_->show_step(now_, stop.highlights, concealed_);
  const double rows = std::max(2, tree_->diagram().final_levels);
  tree_->resize(static_cast<int>(width), static_cast<int>(std::clamp(70 * rows, 120.0, figure_height)));
  return tree_->diagram().node_count > 0 ? tree_->page_size().height() : 0;
}

void HandoutPainter::paint_hidden(const char* what, const QRectF& area) {
  painter_.save();
  painter_.setPen(QPen(QColor(150, 150, 150), 0.7, Qt::DashLine));
  painter_.drawRect(area);
  painter_.setFont(interface_font(small_scale));
  painter_.setPen(QColor(110, 110, 110));
  painter_.drawText(area, Qt::AlignHCenter | Qt::AlignTop,
                    QObject::tr("\nThe %1 is left out: sketch it.").arg(QLatin1String(what)));
  painter_.restore();
}

/// Paints the counts that the step wrote, or else the last ones.
void HandoutPainter::paint_counts() {
  const std::vector<std::string>& wrote = now_.current().wrote;
  std::optional<CountArray> counts;
  for (const std::string& name : CountArray::names(now_.trace())) {
    const bool written = std::find(wrote.begin(), wrote.end(), name) != wrote.end();
    if (counts && !written) continue;
    if (auto at = CountArray::at(now_, name)) counts = std::move(*at);
    if (written) break;
  }
  if (!counts) return;
  const double height = 0.7 * figure_height;
  need(height + 2 * small_text);
  if (concealed_.counts) {
    paint_hidden("histogram", {margin, y_, width(), height});
    y_ += height + gap;
    return;
  }
  std::vector<std::optional<TreePlace>> places;
  for (const std::optional<NodeId>& node : counts->layer_nodes())
    places.push_back(node ? std::optional(place_of(now_, *node)) : std::nullopt);
  const std::string label = counts->info().label, rows = counts->rows().name, columns = counts->columns().name;
  counts_->resize(static_cast<int>(width()), static_cast<int>(height));
  counts_->show_counts(std::move(*counts), std::move(places));
  counts_->viewport()->render(&painter_, QPoint(static_cast<int>(margin), static_cast<int>(y_)));
  counts_->clear();  // before the cursor moves
  y_ += height + 4;
  paint_note(label + ": rows by " + rows + ", columns by " + columns);
}

void HandoutPainter::paint_candidates() {
  if (!CandidateArrays(now_.trace())) return;
  const auto node = node_candidates(now_, std::nullopt);
  if (!node) return;
  const double height = 0.7 * figure_height;
  need(height + 2 * small_text);
  if (concealed_.counts) {
    paint_hidden("plot of the costs", {margin, y_, width(), height});
    y_ += height + gap;
    return;
  }
  const std::uint32_t dims = now_.trace().header.dim;
  if (!node->tried.empty() && node->evaluated) {
    costs_->resize(static_cast<int>(width()), static_cast<int>(height));
    costs_->show_node(*node, dims);
    costs_->render(&painter_, QPoint(static_cast<int>(margin), static_cast<int>(y_)));
    y_ += height + 4;
  }
  paint_note(headline_of(*node, dims));
}

void HandoutPainter::paint_coordinates() {
  if (!coordinates_) coordinates_ = std::make_unique<CoordinatesFigure>(now_.shared_trace(), axes_);
  need(figure_height + 2 * small_text);
  if (concealed_.splits || concealed_.hides_nodes(now_.trace())) {
    paint_hidden("plot of the coordinates", {margin, y_, width(), figure_height});
    y_ += figure_height + gap;
    return;
  }
  coordinates_->show(now_, {});
  painter_.save();
  coordinates_->paint(painter_, {margin, y_, width(), figure_height}, theme(ThemeId::light), small_scale);
  painter_.restore();
  y_ += figure_height + gap;
  if (!coordinates_->note().empty()) paint_note(coordinates_->note());
}

/// Paints the table of the first claimed row, or else the one that the step changes.
void HandoutPainter::paint_table(const Stop& stop) {
  const std::vector<Space> spaces = table_spaces(now_.trace());
  if (spaces.empty()) return;
  const Cursor* before = now_.step() > 0 && !concealed_.hides_values() ? &before_ : nullptr;
  Space space = changed_space(now_, before, spaces.front()).value_or(spaces.front());
  if (!stop.shows.empty())
    if (const Trace::Array* claimed = now_.trace().find(stop.shows.front().row)) space = claimed->info.index_space;
  table_->open(now_, space, axes_);
  table_->resize(static_cast<int>(width()), 200);
  table_->show_step(now_, before, stop.highlights, concealed_);
  table_->resize(static_cast<int>(width()), std::max(1, table_->height_of_rows()));
  if (table_->table()->column_count() == 0) return;
  const QSizeF size = table_->page_size();
  const double scale = std::min({1.0, (page_height - 2 * margin - 3 * small_text) / size.height()});
  need(scale * size.height() + 2 * small_text);
  painter_.save();
  painter_.translate(margin, y_);
  painter_.scale(scale, scale);
  table_->paint_to(painter_);
  painter_.restore();
  y_ += scale * size.height() + 4;
  const std::uint64_t all = table_->table()->column_count(), first = table_->first_visible(),
                      shown = std::min(table_->visible_count(), all - first);
  std::string note = "Arrays by " + std::string(name_of(space));
  if (shown < all) note += ": columns " + grouped(first) + " to " + grouped(first + shown - 1) + " of " + grouped(all);
  paint_note(note);
}

}  // namespace kdscope
