#include "app/export/step_painter.hpp"

#include <QFontMetricsF>
#include <QOpenGLContext>
#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/unseen.hpp"
#include "app/export/coordinates_figure.hpp"
#include "app/export/partition_figure.hpp"
#include "app/questioning/questioning.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/tree_view.hpp"
#include "visualizer/model/lesson_overlay.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/scene/off_screen.hpp"

namespace kdscope {
namespace {

struct Caption {
  QString title, place;
};

Caption caption_of(const Cursor& cursor, const Stop* stop, const Concealment& concealed) {
  const Step& step = cursor.current();
  return {QString::fromStdString(stop                                     ? stop->title
                                 : hides_steps(concealed, cursor.trace()) ? step.name
                                                                          : step_heading(step)),
          QStringLiteral("%1   %2").arg(step_place(cursor.step(), cursor.step_count()),
                                        QString::fromStdString(path_text(step)))};
}

const Theme& theme_of(const ExportRequest& request) {
  return theme(theme_named(request.theme).value_or(ThemeId::light));
}

/// Pixels of a raster picture per pixel of a figure, so that text is as large as in pictures of the view.
double raster_scale(const ExportRequest& request) { return std::max(0.5, request.height / 720.0); }

}  // namespace

StepPainter::StepPainter(const ExportRequest& request, Selection selection, const Scene* look,
                         std::function<Concealment(std::uint32_t)> concealed, const Lesson* lesson,
                         std::vector<std::uint32_t> stops)
    : request_(request),
      selection_(std::move(selection)),
      look_(look),
      concealed_(std::move(concealed)),
      lesson_(lesson),
      stops_(std::move(stops)) {
  const bool raster = request.format != ExportFormat::svg && request.format != ExportFormat::pdf;
  size_ = QSizeF(request.width, request.height) / (raster ? raster_scale(request) : 1.0);
}

StepPainter::~StepPainter() = default;

Concealment StepPainter::concealed_at(const Cursor& cursor) const {
  return concealed_ ? concealed_(cursor.step()) : Concealment();
}

/// Returns the first stop of the lesson at a step; null if there is none.
const Stop* StepPainter::stop_at(const Cursor& cursor) const {
  const auto stop = std::ranges::find(stops_, cursor.step());
  return lesson_ && stop != stops_.end() ? &lesson_->stops[std::size_t(stop - stops_.begin())] : nullptr;
}

Overlay StepPainter::marks_at(const Cursor& cursor) const {
  return lesson_ ? overlay_of(*lesson_, stop_at(cursor)) : Overlay();
}

/// What is selected, except for what is hidden.
LinkedSelection StepPainter::linked_at(const Cursor& cursor) const {
  LinkedSelection linked = resolve_selection(cursor, selection_);
  if (const Concealment concealed = concealed_at(cursor)) leave_out(linked, concealed, cursor, selection_, {});
  return linked;
}

/// Whether a figure would show what is hidden, and cannot leave it out.
bool StepPainter::hides_figure(const Cursor& cursor) const {
  const Concealment concealed = concealed_at(cursor);
  if (request_.what == ExportWhat::tree) return concealed.tree;
  return request_.what == ExportWhat::coordinates && (concealed.splits || concealed.hides_nodes(cursor.trace()));
}

double StepPainter::text() const { return 15 * request_.text_scale / 100.0; }
double StepPainter::caption_height() const { return request_.captions ? 4.6 * text() : 0; }

Result<QImage> StepPainter::picture(const Cursor& cursor) {
  if (request_.what == ExportWhat::view) return view_picture(cursor);
  const QSizeF page = page_size(cursor);
  QImage image(request_.width, request_.height, QImage::Format_RGB32);
  if (image.isNull())
    return Error{ErrorKind::out_of_memory, "there is no memory for the picture", "", "choose a smaller size"};
  image.fill(colour(theme_of(request_).base));
  QPainter painter(&image);
  const double scale = std::min(request_.width / page.width(), request_.height / page.height());
  painter.translate((request_.width - scale * page.width()) / 2, 0);
  painter.scale(scale, scale);
  paint_figure(painter, cursor);
  return image;
}

Result<QImage> StepPainter::view_picture(const Cursor& cursor) {
  if (!view_) {
    auto opened = OffScreen::of_size(request_.width, request_.height);
    if (!opened) return opened.error();
    view_ = std::move(*opened);
    view_->scene().set_text_width(text_width_in(interface_font(100)));
    if (look_)
      view_->scene().look_like(*look_);
    else if (request_.axes)
      view_->scene().set_axes(*request_.axes);
    view_->scene().set_theme(theme_of(request_).id);
    view_->scene().set_text_scale(request_.text_scale / 100.0);
    SceneOptions options = view_->scene().options();
    options.tight_boxes = request_.smallest_boxes;
    options.surface = request_.surface;
    options.all_planes = request_.all_planes;
    options.equal_scales = request_.equal_scales;
    options.colouring = request_.colouring;
    view_->scene().set_options(options);
  }
  Scene& scene = view_->scene();
  const Concealment concealed = concealed_at(cursor);
  if (lesson_) scene.show_overlay("lesson", marks_at(cursor));
  if (auto shown = scene.show(cursor, {}, concealed); !shown) return shown.error();
  if (selection_) {
    SelectionMarks marks = marks_of(selection_, linked_at(cursor));
    scene.select(std::move(marks.points), marks.framed, std::move(marks.triangles), marks.plane);
  }
  const Caption caption = caption_of(cursor, stop_at(cursor), concealed);
  if (request_.captions)
    scene.set_caption(caption.title.toStdString(), caption.place.toStdString());
  else
    scene.set_caption({}, {});
  // Release the current context, because VTK makes its own current.
  if (QOpenGLContext* current = QOpenGLContext::currentContext()) current->doneCurrent();
  const DrawnScene picture = view_->draw();
  QImage image = QImage(picture.rgb.data(), picture.width, picture.height, picture.width * 3, QImage::Format_RGB888)
                     .mirrored()
                     .scaled(request_.width, request_.height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                     .convertToFormat(QImage::Format_RGB32);
  const DisplayList annotations = scene.annotations();
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(image.width() / annotations.width, image.height() / annotations.height);
  paint_display_list(painter, annotations, theme_of(request_), interface_font(100));
  return image;
}

void StepPainter::show_tree(const Cursor& cursor) {
  if (!tree_) {
    tree_ = std::make_unique<TreeView>();
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->set_theme(theme_of(request_).id);
    tree_->set_text_scale(request_.text_scale / 100.0);
    tree_->setFont(interface_font(request_.text_scale));
    show_unseen(*tree_);
  }
  tree_->show_step(cursor, {}, concealed_at(cursor));
  // Limit the height to what the rows need, so that a small tree leaves no empty space.
  const double rows = tree_->diagram().final_levels;
  const double wanted = 7 * text() * std::max(2.0, rows) + text();
  tree_->resize(QSizeF(size_.width(), std::clamp(size_.height() - caption_height(), 40.0, wanted)).toSize());
  tree_->select_nodes(marks_of(selection_, linked_at(cursor)).nodes);
}

/// Shows the rows of the step, marked against the step before. Columns that do not fit are left out.
void StepPainter::show_table(const Cursor& cursor) {
  const Axes axes = axes_or_first(request_.axes, cursor.trace().header.dim);
  if (!table_) {
    table_ = std::make_unique<ArrayTableView>();
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->set_appearance(theme_of(request_), request_.text_scale);
    show_unseen(*table_);
  }
  table_->open(cursor, request_.table, axes);
  const Concealment concealed = concealed_at(cursor);
  before_.reset();
  if (cursor.step() > 0 && !concealed.hides_values()) {
    before_.emplace(cursor.shared_trace());
    before_->seek(cursor.step() - 1);
  }
  const int wanted = static_cast<int>(size_.height() - caption_height());
  table_->resize(static_cast<int>(size_.width()), std::max(40, wanted));
  table_->show_step(cursor, before_ ? &*before_ : nullptr, {}, concealed);
  table_->resize(table_->width(), std::max(1, table_->height_of_rows()));
  if (const auto [first, end] = table_->table()->written_rows(false); first < end)
    table_->scroll_to_any(table_->table()->changes(first));
}

std::string StepPainter::table_note() const {
  const ArrayTable& table = *table_->table();
  if (table_->visible_count() >= table.column_count()) return {};
  const std::uint64_t first = table_->first_visible(),
                      last = std::min(first + table_->visible_count(), table.column_count()) - 1;
  return "Columns " + grouped(first) + " to " + grouped(last) + " of " + grouped(table.column_count()) + " are shown.";
}

QSizeF StepPainter::page_size(const Cursor& cursor) {
  if (request_.what == ExportWhat::table) {
    show_table(cursor);
    const double note = request_.captions && !table_note().empty() ? 1.4 * text() : 0;
    return table_->page_size() + QSizeF(text(), caption_height() + note + 0.5 * text());
  }
  if (request_.what != ExportWhat::tree) return size_;
  show_tree(cursor);
  return tree_->page_size() + QSizeF(0, caption_height());
}

void StepPainter::paint_figure(QPainter& painter, const Cursor& cursor) {
  const Theme& t = theme_of(request_);
  painter.setRenderHint(QPainter::Antialiasing);
  const QSizeF page = page_size(cursor);
  painter.fillRect(QRectF(QPointF(), page), colour(t.base));
  painter.setFont(interface_font(100));
  if (hides_figure(cursor)) {
    paint_caption(painter, cursor, page.width(), {});
    painter.setPen(colour(t.muted_text));
    painter.drawText(QRectF(QPointF(), page).adjusted(text(), caption_height(), -text(), 0),
                     Qt::AlignCenter | Qt::TextWordWrap, hidden_words());
    return;
  }
  if (request_.what == ExportWhat::tree) {
    paint_caption(painter, cursor, page.width(), {});
    painter.translate(0, caption_height());
    tree_->paint_to(painter);
    return;
  }
  const auto paint_below = [&](const std::string& words, auto paint) {
    const QString note = QString::fromStdString(words);
    paint_caption(painter, cursor, page.width(), note);
    const double below = caption_height() + (request_.captions && !note.isEmpty() ? 1.4 * text() : 0);
    paint(QRectF(0, below, page.width(), page.height() - below));
  };
  if (request_.what == ExportWhat::table)
    return paint_below(table_note(), [&](const QRectF& area) {
      painter.translate(area.topLeft());
      table_->paint_to(painter);
    });
  if (request_.what == ExportWhat::coordinates) {
    if (!coordinates_) coordinates_ = std::make_unique<CoordinatesFigure>(cursor.shared_trace(), request_.axes);
    coordinates_->show(cursor, selection_);
    paint_below(coordinates_->note(),
                [&](const QRectF& area) { coordinates_->paint(painter, area, t, request_.text_scale); });
    return;
  }
  const PartitionFigure figure(cursor, marks_of(selection_, linked_at(cursor)),
                               {.axes = request_.axes,
                                .tight_boxes = request_.smallest_boxes,
                                .equal_scales = request_.equal_scales,
                                .marks = marks_at(cursor)},
                               {}, concealed_at(cursor));
  paint_below(figure.note(), [&](const QRectF& area) { figure.paint(painter, area, t, text()); });
}

void StepPainter::paint_caption(QPainter& painter, const Cursor& cursor, double width, const QString& note) const {
  if (!request_.captions) return;
  const Theme& t = theme_of(request_);
  const Caption caption = caption_of(cursor, stop_at(cursor), concealed_at(cursor));
  double y = 0.8 * text();
  const auto line = [&](const QString& words, double size, Rgb ink, bool bold) {
    if (words.isEmpty()) return;
    QFont font = painter.font();
    font.setBold(bold);
    font.setPixelSize(static_cast<int>(std::lround(size)));
    // Set long lines in a smaller font instead of cutting them off.
    const double wide = QFontMetricsF(font, painter.device()).horizontalAdvance(words), room = width - 2 * text();
    if (wide > room) font.setPixelSize(std::max(5, static_cast<int>(size * room / wide)));
    painter.setFont(font);
    painter.setPen(colour(ink));
    painter.drawText(QRectF(text(), y, room + text(), 1.4 * size), Qt::AlignLeft | Qt::AlignVCenter, words);
    y += 1.4 * size;
  };
  line(caption.title, 1.45 * text(), t.text, true);
  line(caption.place, text(), t.muted_text, false);
  line(note, text(), t.muted_text, false);
}

}  // namespace kdscope
