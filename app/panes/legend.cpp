#include "app/panes/legend.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/viewer.hpp"
#include "app/recording/navigation.hpp"
#include "app/views/step_slider.hpp"
#include "visualizer/figure/legend.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/highlights.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

constexpr double sample_width = 2.6;  // in text heights
/// Of more points, what is in sight is not looked for at every step: what the run can show is taken for it.
constexpr std::uint64_t most_searched = 5000;

/// Draws two table cells side by side as the tables draw them. If `settled`, the first one is pale.
void draw_cells(QPainter& painter, const QRectF& at, const Theme& t, std::uint32_t node, bool settled) {
  const double width = at.width() / 2;
  for (int i = 0; i < 2; ++i) {
    const Rgb ground = cell_ground(t, subtree_colour(t, NodeId{node}), settled && i == 0);
    painter.fillRect(QRectF(at.left() + i * width, at.top(), width - 1, at.height()), colour(ground));
  }
}

/// Draws a frame whose line lies inside of a rectangle.
void draw_frame(QPainter& painter, const QRectF& at, Rgb ink, double width) {
  painter.setPen(QPen(colour(ink), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(at.adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

/// Writes a name as the figures do, small enough for a sample.
void draw_name(QPainter& painter, const QRectF& at, const Theme& t, const QString& name) {
  QFont bold = painter.font();
  bold.setBold(true);
  bold.setPixelSize(std::max(1, static_cast<int>(at.height() * 0.8)));
  painter.setFont(bold);
  painter.setPen(colour(t.text));
  painter.drawText(at, Qt::AlignCenter | Qt::TextDontClip, name);
}

template <Role role>
void draw_role(QPainter& painter, const QRectF& at, const Theme& t) {
  draw_cells(painter, at, t, 0, false);  // in the grey of the root: any subtree may be read
  const double thick = std::max(2.0, at.height() / 9);
  for (const Stroke& stroke : role_line(role, at.width() - 1, thick))
    painter.fillRect(QRectF(at.left() + stroke.x0, at.top() + (role_line_height - 1) * thick - stroke.up,
                            stroke.x1 - stroke.x0, thick),
                     colour(role_colour(t, role)));
}

/// The panes in which the legend explains something.
constexpr const char* legend_panes[]{"view", "tree", "arrays", "coordinates", "histogram", "candidates", "inside"};

/// What is in front of an audience.
struct InSight {
  const Playback& playback;
  const Inside& inside;
  Partition partition;             ///< that the view shows
  bool all_planes, compares;       ///< `compares`: with the run before an edit
  std::vector<std::string> panes;  ///< all if empty
  const Stop* stop;                ///< null between the stops of a lesson
  /// Whether the lesson has drawn something into the view.
  bool has_lesson_marks() const {
    const auto found = playback.added_overlays().find("lesson");
    if (!shows("view") || found == playback.added_overlays().end()) return false;
    const Overlay& o = *found->second;
    return !(o.balls.empty() && o.segments.empty() && o.rings.empty() && o.labels.empty());
  }
  bool shows(const char* pane) const { return panes.empty() || std::ranges::find(panes, pane) != panes.end(); }
  bool shows_elements() const {
    return std::ranges::any_of(legend_panes, [&](std::string_view pane) {
      return pane != "histogram" && pane != "inside" && shows(pane.data());
    });
  }
  const Trace& trace() const { return playback.cursor()->trace(); }
  bool is_large() const { return trace().header.n > most_searched; }
  bool has_node(bool (*is)(const PartitionNode&)) const {
    return is_large() ||
           std::ranges::any_of(partition.nodes(), [is](const PartitionNode& node) { return node.alive && is(node); });
  }
};

/// Whether a row of the tables differs from the baseline.
bool has_change(const InSight& now) {
  const Concealment& concealed = now.playback.concealment();
  if (concealed.changes || !now.shows("arrays")) return false;
  if (now.is_large()) return now.playback.baseline();
  return std::ranges::any_of(now.playback.changes().arrays(), [&](const ChangedArray& changed) {
    const Trace::Array* array = now.trace().find(changed.name);
    return changed.seen_in == SeenIn::table && array && !concealed.hides(array->info);
  });
}

/// Whether a segment begins behind the first column.
bool has_border(const InSight& now) {
  bool found = false;
  each_highlight(*now.playback.cursor(), now.playback.added_highlights(), now.playback.concealment(),
                 [&](const Highlight& highlight) {
                   if (highlight.role == Role::segment)
                     for (const IndexRange& range : highlight.ranges) found = found || range.begin > 0;
                 });
  return found && now.shows("arrays");
}

bool has_plane(const InSight& now) {
  const auto& planes = now.partition.planes();
  const int first = now.all_planes || now.playback.axes()[2] < 0 ? 0 : first_of_newest_levels(now.partition);
  return now.shows("view") && (now.is_large() || (!planes.empty() && planes.back().level >= first));
}
bool has_subtree(const InSight& now) {
  if (!now.shows_elements() && !now.shows("histogram")) return false;
  return now.is_large() || now.has_node([](const PartitionNode& node) { return node.parent != no_id; });
}
bool has_bucket(const InSight& now) {
  return now.shows("tree") && !now.playback.concealment().tree &&
         now.has_node([](const PartitionNode& node) { return node.bucket; });
}
bool has_tight_box(const InSight& now) { return now.shows("view") && now.partition.has_tight_boxes(); }
bool has_empty(const InSight& now) {
  return now.shows("view") &&
         now.has_node([](const PartitionNode& node) { return node.empty || lacks_one_child(node); });
}

/// Whether the table of an array is the one in front: that of the row which the stop names first.
bool is_in_front(const InSight& now, const ArrayInfo& info) {
  if (!now.stop || (now.stop->rows.empty() && now.stop->shows.empty())) return true;
  const Trace::Array* row = now.trace().find(now.stop->rows.empty() ? now.stop->shows[0].row : now.stop->rows[0]);
  return !row || row->info.index_space == info.index_space;
}

/// Whether a row of the table in front names elements of a space.
bool has_row_of(const InSight& now, const Space& space) {
  const auto is_row = [&](const Trace::Array& array) {
    const TypedArray* elements = now.playback.cursor()->array(array.info.name);
    if (!elements || !array.info.shown_as_row || array.info.value_space != space) return false;
    for (std::uint64_t i = 0; i < elements->size(); ++i)
      if (elements->number(i) != no_id)
        return is_in_front(now, array.info) && !now.playback.concealment().hides(array.info);
    return false;
  };
  return now.shows("arrays") && std::ranges::any_of(now.trace().arrays, is_row);
}

/// Whether points have their names beside them, in nodes or in rows of the table.
bool has_point_name(const InSight& now) {
  const bool named = now.trace().header.n <= most_point_labels && !now.trace().find(triangles_array);
  return (named && (now.shows("view") || now.shows("tree"))) || has_row_of(now, Space::point);
}

/// Whether triangles have their names in the view or in rows of the table.
bool has_triangle_name(const InSight& now) {
  if (!sorts_triangles(now.trace())) return false;
  const bool named = now.playback.cursor()->row_size(triangles_array) / 3 <= most_point_labels;
  return (named && now.shows("view")) || has_row_of(now, Space::triangle);
}
/// Whether the tree has nodes beside the root: it alone needs no explanation.
bool has_node_number(const InSight& now) {
  return now.shows("tree") && !now.playback.concealment().tree &&
         now.has_node([](const PartitionNode& node) { return node.parent != no_id; });
}

/// Whether a search has a node in a state.
template <SearchState state>
bool has_state(const InSight& now) {
  const std::vector<SearchState> states = search_states(*now.playback.cursor());
  return !now.playback.concealment().marks && (now.shows("tree") || now.shows("view")) &&
         std::ranges::find(states, state) != states.end();
}
bool has_query(const InSight& now) {
  return now.shows("view") && !search_overlay(*now.playback.cursor()).balls.empty();
}
bool has_answer(const InSight& now) {
  return now.shows("view") && !search_overlay(*now.playback.cursor(), now.playback.concealment()).rings.empty();
}

/// Whether a lane of the interval at hand makes such an access, in front of an audience.
template <access_log::AccessKind kind>
bool has_access(const InSight& now) {
  if (now.panes.empty() || !now.shows("inside") || !now.inside.is_open() || now.inside.walk().empty()) return false;
  const access_log::Stretch& here = now.inside.walk().stretch();
  const auto accesses = std::span(now.inside.look().recording().accesses).subspan(here.begin, here.end - here.begin);
  return std::ranges::any_of(accesses, [](const auto& access) { return access_log::AccessKind(access.kind) == kind; });
}

/// Draws two nodes of a tree, the second one in its state.
void draw_nodes(QPainter& painter, const QRectF& at, const Theme& t, double fainter, bool dashed) {
  const double radius = at.height() * 0.4;
  for (const bool second : {false, true}) {
    const QPointF centre(at.left() + at.width() * (second ? 0.74 : 0.26), at.center().y());
    painter.setPen(QPen(colour(mark_rim(t)), 1));
    painter.setBrush(colour(mix(subtree_colour(t, NodeId{second ? 2u : 1u}), t.base, second ? fainter : 0.0)));
    painter.drawEllipse(centre, radius, radius);
    if (!second || !dashed) continue;
    painter.setPen(QPen(colour(t.text), 1.5, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(centre, radius + 2, radius + 2);
  }
}

/// One row of the legend.
struct LegendRow {
  const char* word;  ///< of legend_texts()
  void (*draw)(QPainter&, const QRectF&, const Theme&);
  std::optional<Role> role = {};
  bool of_window = false;
  bool (*in_sight)(const InSight&) = nullptr;  ///< whether this step has it; null: where the role is, or always
};

// Where not all have room, those go first, from the last, that explain neither changes nor a role.
const LegendRow legend_rows[]{
    {"changed",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       for (const double left : {at.left(), at.center().x()}) {  // neither has a subtree's colour
         painter.fillRect(QRectF(left, at.top(), at.width() / 2, at.height()), colour(t.base));
         draw_frame(painter, {left, at.top(), at.width() / 2, at.height()}, t.line, 1);
       }
       painter.fillRect(QRectF(at.left() + at.width() * 0.08, at.bottom() - at.height() * 0.28, at.width() * 0.32,
                               at.height() * 0.14),
                        colour(t.changed));
     },
     {},
     false,
     has_change},
    {"query",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.setBrush(Qt::NoBrush);
       for (const double radius : {0.14, 0.48}) {
         painter.setPen(QPen(colour(t.selection), radius < 0.2 ? 2.5 : 1.5));
         painter.drawEllipse(at.center(), radius * at.height(), radius * at.height());
       }
     },
     {},
     false,
     has_query},
    {"found",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const double radius = 0.4 * at.height();
       const QPointF centre(at.right() - radius - 2, at.center().y());
       painter.setPen(QPen(colour(t.selection), 2));
       painter.setBrush(Qt::NoBrush);
       painter.drawEllipse(centre, radius, radius);
       painter.drawLine(QPointF(at.left(), at.center().y()), QPointF(centre.x() - radius, at.center().y()));
     },
     {},
     false,
     has_answer},
    {"waiting",
     [](QPainter& painter, const QRectF& at, const Theme& t) { draw_nodes(painter, at, t, 0, true); },
     {},
     false,
     has_state<SearchState::waiting>},
    {"skipped",
     [](QPainter& painter, const QRectF& at, const Theme& t) { draw_nodes(painter, at, t, 0.8, false); },
     {},
     false,
     has_state<SearchState::skipped>},
    {"subtree",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const double radius = at.height() * 0.24;
       for (int i = 0; i < 3; ++i) {
         const NodeId node{static_cast<std::uint32_t>(i == 0 ? 1 : i == 1 ? 2 : 6)};
         painter.setPen(QPen(colour(mark_rim(t)), 1));
         painter.setBrush(colour(subtree_colour(t, node)));
         painter.drawPath(glyph_path(subtree_glyph(place_of(node)),
                                     {at.left() + at.width() * (i + 0.5) / 3, at.center().y()}, radius));
       }
     },
     {},
     false,
     has_subtree},
    {"pivot",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       draw_cells(painter, at, t, 1, false);
       draw_frame(painter, {at.left(), at.top(), at.width() / 2 - 1, at.height()}, t.pivot, 1.5 * t.outline);
     },
     Role::pivot},
    {"settled", [](QPainter& painter, const QRectF& at, const Theme& t) { draw_cells(painter, at, t, 6, true); },
     Role::settled},
    {"segment",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       draw_cells(painter, at, t, 1, false);
       painter.fillRect(QRectF(at.center().x() - 1.5, at.top(), 3, at.height()), colour(t.text));
     },
     Role::segment, false, has_border},
    {"selection",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       draw_cells(painter, at, t, 2, false);
       draw_frame(painter, at, t.selection, 2 * t.outline);
     },
     {},
     true},  // an audience sees the lecturer select
    {"split plane",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       for (int i = 0; i < 3; ++i) {
         painter.setPen(QPen(colour(i == 0 ? t.plane : i == 1 ? t.new_plane : t.changed), 2 + i));
         const double x = at.left() + at.width() * (i + 0.5) / 3;
         painter.drawLine(QPointF(x, at.top()), QPointF(x, at.bottom()));
       }
     },
     {},
     false,
     has_plane},
    {"bucket",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const Rgb fill = subtree_colour(t, NodeId{5});
       painter.setPen(QPen(colour(mix(fill, t.text, 0.35)), 1));
       painter.setBrush(colour(fill));
       painter.drawRect(at.adjusted(at.width() * 0.2, 0, -at.width() * 0.2, 0));
       painter.setPen(colour(text_on(fill)));
       painter.drawText(at, Qt::AlignCenter, QStringLiteral("5"));
     },
     {},
     false,
     has_bucket},
    {"smallest box",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.fillRect(at, colour(mix(subtree_colour(t, NodeId{5}), t.base, 0.7)));
       painter.setPen(QPen(colour(mix(subtree_colour(t, NodeId{5}), t.text, 0.4)), 1.5));
       painter.setBrush(Qt::NoBrush);
       painter.drawRect(at.adjusted(at.width() * 0.3, at.height() * 0.25, -at.width() * 0.1, -at.height() * 0.1));
     },
     {},
     false,
     has_tight_box},
    {"empty",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.setPen(QPen(colour(mix(t.muted_text, t.base, 0.55)), 1.2));
       painter.setBrush(Qt::NoBrush);
       painter.drawRect(at);
       painter.setClipRect(at);
       for (double x = at.left() - at.height(); x < at.right(); x += at.height() / 2)
         painter.drawLine(QLineF(x, at.bottom(), x + at.height(), at.top()));
     },
     {},
     false,
     has_empty},
    {"drawn by the lesson",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const double radius = 0.18 * at.height();
       painter.setBrush(Qt::NoBrush);
       painter.setPen(QPen(colour(t.selection), 2));
       for (const double x : {at.left() + 2 * radius, at.right() - 2 * radius})
         painter.drawEllipse(QPointF(x, at.center().y()), radius, radius);
       painter.setPen(QPen(colour(t.selection), 2, Qt::DashLine));
       painter.drawLine(QLineF(at.left() + 3 * radius, at.center().y(), at.right() - 3 * radius, at.center().y()));
     },
     {},
     false,
     [](const InSight& now) { return now.has_lesson_marks(); }},
    {"differs",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const double side = at.height();
       painter.setClipRect(QRectF(at.left(), at.top(), side, side));
       painter.setPen(QPen(colour(t.changed), 1.2));
       for (double x = at.left() - side; x < at.left() + side; x += side / 3)
         painter.drawLine(QLineF(x, at.bottom(), x + side, at.top()));
       painter.setClipping(false);
       painter.setPen(QPen(colour(t.muted_text), 2.5, Qt::DashLine));
       painter.drawLine(QLineF(at.left() + 1.4 * side, at.top(), at.left() + 1.4 * side, at.bottom()));
       draw_name(painter, {at.right() - side, at.top(), side, side}, t, QStringLiteral("\u2260"));
     },
     {},
     false,
     [](const InSight& now) { return now.compares && now.shows("view"); }},
    {"read", draw_role<Role::read>, Role::read, false},
    {"written", draw_role<Role::write>, Role::write, false},
    {"compared", draw_role<Role::compare>, Role::compare, false},
    {"= point 3",
     [](QPainter& painter, const QRectF& at, const Theme& t) { draw_name(painter, at, t, QStringLiteral("p3")); },
     {},
     false,
     has_point_name},
    {"= triangle 3",
     [](QPainter& painter, const QRectF& at, const Theme& t) { draw_name(painter, at, t, QStringLiteral("t3")); },
     {},
     false,
     has_triangle_name},
    {"= node 7",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.setPen(QPen(colour(t.text), 1.2));
       const double radius = at.height() / 2;
       painter.drawEllipse(at.center(), radius, radius);
       draw_name(painter, at, t, QStringLiteral("7"));
     },
     {},
     false,
     has_node_number},
    {"lane writes",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.fillRect(at, colour(lane_writes_ground(t, t.base)));
     },
     {},
     false,
     has_access<access_log::AccessKind::write>},
    {"lane adds",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       painter.fillRect(at, colour(lane_adds_ground(t, t.base)));
     },
     {},
     false,
     has_access<access_log::AccessKind::atomic>},
    {"checks",
     [](QPainter& painter, const QRectF& at, const Theme& t) {
       const QSizeF half(at.width() / 2, at.height());
       icon(Symbol::passed, colour(t.passed)).paint(&painter, QRectF(at.topLeft(), half).toRect());
       icon(Symbol::failed, colour(t.failed)).paint(&painter, QRectF({at.center().x(), at.top()}, half).toRect());
     },
     {},
     true},
};

/// Returns whether there is something at this step that the row explains.
bool is_in_sight(const LegendRow& row, const InSight& now) {
  if (row.of_window || (row.role && !now.shows_elements())) return false;
  if (row.in_sight) return row.in_sight(now);
  bool found = !row.role;
  each_highlight(
      *now.playback.cursor(), now.playback.added_highlights(), now.playback.concealment(),
      [&](const Highlight& highlight) { found = found || (highlight.role == *row.role && !highlight.ranges.empty()); });
  return found;
}

/// The rows for what the open run can show, with their texts.
std::vector<std::pair<const LegendRow*, const LegendText*>> rows_of_run(const Workbench& workbench) {
  std::vector<Highlight> added;
  if (const Lesson* lesson = workbench.lessons().lesson())
    for (const Stop& stop : lesson->stops) added.insert(added.end(), stop.highlights.begin(), stop.highlights.end());
  const Trace* trace = workbench.playback().trace().get();
  std::vector<std::pair<const LegendRow*, const LegendText*>> rows;
  for (const LegendRow& row : legend_rows) {
    const LegendText& text = *std::ranges::find(legend_texts(), std::string_view(row.word), &LegendText::word);
    if (!text.shown || (trace && text.shown(*trace, added))) rows.emplace_back(&row, &text);
  }
  return rows;
}

LegendEntry entry_of(const LegendRow& row, const LegendText& text) {
  constexpr const char *lasting[]{"subtree", "split plane", "bucket", "smallest box"},
      *names[]{"= point 3", "= triangle 3", "= node 7"};
  const auto is_in = [&](const auto& words) {
    return std::ranges::find(words, std::string_view(row.word)) != std::end(words);
  };
  const bool is_name = is_in(names);
  return {.draw = row.draw,
          .word = QObject::tr(text.word),
          .sentence = QObject::tr(text.sentence),
          .role = row.role,
          .of_window = row.of_window,
          .lasts = is_name || is_in(lasting),
          .is_name = is_name,
          .is_usual = !row.role && row.in_sight != has_change};
}

}  // namespace

Rgb lane_writes_ground(const Theme& theme, Rgb row) { return mix(row, theme.changed, theme.dark ? 0.34 : 0.2); }
Rgb lane_adds_ground(const Theme& theme, Rgb row) { return mix(row, theme.focus, theme.dark ? 0.4 : 0.25); }

Rgb writer_ground(const Theme& theme, std::uint32_t number) {
  constexpr std::array order{0, 4, 1, 5, 2, 6, 3, 7};
  return mix(theme.base, theme.muted_text, 0.12 + 0.09 * order[number % order.size()]);
}

std::vector<LegendEntry> legend_entries(const Workbench& workbench) {
  std::vector<LegendEntry> entries;
  for (const auto& [row, text] : rows_of_run(workbench)) entries.push_back(entry_of(*row, *text));
  if (!workbench.playback().cursor()) return entries;
  for (const PhaseBand& band : band_kinds(phase_bands(workbench.playback().cursor()->trace())))
    entries.push_back({[kind = band.kind](QPainter& painter, const QRectF& at, const Theme& t) {
                         paint_phase(painter, at, t, kind, false, QString::fromStdString(letter_of_kind(kind)));
                       },
                       QString::fromStdString(band.name),
                       QObject::tr("Above the slider, and with its letter in the timeline: the steps of this phase."),
                       std::nullopt, true});
  return entries;
}

LegendSample::LegendSample(const LegendEntry& entry, const Theme& theme, QWidget* parent)
    : QWidget(parent), entry_(entry), theme_(theme) {
  setAccessibleName(entry.word);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize LegendSample::sizeHint() const {
  const int height = fontMetrics().height();
  return {static_cast<int>(sample_width * height), height};
}

void LegendSample::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (entry_.draw) entry_.draw(painter, QRectF(rect()).adjusted(1, 1, -1, -1), theme_);
}

LegendPane::LegendPane(Workbench& workbench, QWidget* parent) : QScrollArea(parent), workbench_(workbench) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Legend"));
  connect(&workbench.playback(), &Playback::opened, this, &LegendPane::fill);
  connect(&workbench.looks(), &Looks::changed, this, &LegendPane::fill);
  fill();
}

void LegendPane::fill() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(8);
  grid->setColumnStretch(1, 1);
  int row = 0;
  for (const LegendEntry& entry : legend_entries(workbench_)) {
    QString word = entry.word;
    if (entry.draw) word[0] = word[0].toUpper();
    auto* words = rich_label(QStringLiteral("<b>%1.</b> %2").arg(word.toHtmlEscaped(), entry.sentence.toHtmlEscaped()));
    words->setWordWrap(true);
    grid->addWidget(new LegendSample(entry, t), row, 0, Qt::AlignTop);
    grid->addWidget(words, row++, 1);
  }
  grid->setRowStretch(row, 1);
  setWidget(page);
  page->show();
}

LegendStrip::LegendStrip(Workbench& workbench, QWidget* parent) : QWidget(parent), workbench_(workbench) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setObjectName(QStringLiteral("legend_strip"));
  setAccessibleName(tr("Legend"));
  const auto follow = [this] { show(panes_); };
  connect(&workbench.playback(), &Playback::opened, this, follow);
  when_restyled(*this, workbench, follow);
  for (const auto signal : {&Playback::stepped, &Playback::selected, &Playback::concealment_changed,
                            &Playback::baseline_changed, &Playback::overlay_changed})
    connect(&workbench.playback(), signal, this, follow);
  connect(&workbench.inside(), &Inside::moved, this, follow);
  follow();
}

void LegendStrip::show(const std::vector<std::string>& panes) {
  panes_ = panes;
  entries_.clear();
  const Playback& playback = workbench_.playback();
  if (!playback.cursor()) return;
  ShownPartition shown;
  if (playback.trace()->header.n <= most_searched)
    shown.move_to(*playback.cursor(), {most_planes_drawn(playback.trace()->header.dim)}, playback.concealment());
  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index();
  const InSight now{playback,
                    workbench_.inside(),
                    std::move(shown.partition),
                    workbench_.looks().appearance().all_planes,
                    workbench_.desk().earlier_trace() != nullptr,
                    panes,
                    lesson && stop >= 0 ? &lesson->stops[static_cast<std::size_t>(stop)] : nullptr};
  const bool explains = std::ranges::any_of(legend_panes, [&](const char* pane) { return now.shows(pane); });
  QStringList words;
  for (const auto& [row, text] : rows_of_run(workbench_)) {
    if (!explains || !is_in_sight(*row, now)) continue;
    LegendEntry entry = entry_of(*row, *text);
    entry.is_known = is_known(entry);
    if (entry.is_known && entry.is_name) continue;
    entries_.push_back(std::move(entry));
    words << entries_.back().word + QStringLiteral(": ") + entries_.back().sentence;
  }
  setAccessibleDescription(words.join(QLatin1Char(' ')));
  setToolTip(panes_.empty()
                 ? plain_tip(words.join(QLatin1Char('\n')) + QLatin1Char('\n') + tr("A click shows the legend."))
                 : QString());
  updateGeometry();
  update();
}

bool LegendStrip::is_known(const LegendEntry& entry) {
  const Lesson* lesson = workbench_.lessons().lesson();
  const int stop = workbench_.lessons().stop_index();
  if (!lesson || !entry.lasts) return false;
  if (std::exchange(named_in_, lesson->id) != lesson->id) named_at_.clear();
  if (stop < 0) return named_at_.contains(entry.word);
  int& first = named_at_.try_emplace(entry.word, stop).first->second;
  first = std::min(first, stop);
  constexpr qsizetype long_word = 6;  // every stop speaks of points and nodes
  const bool spoken =
      entry.word.size() >= long_word && QString::fromStdString(lesson->stops[static_cast<std::size_t>(stop)].narration)
                                            .contains(entry.word, Qt::CaseInsensitive);
  return first < stop && !spoken;
}

QSize LegendStrip::sizeHint() const {
  return {static_cast<int>(std::ceil(used_by(entries_))), fontMetrics().height() * 12 / 10};
}

QStringList LegendStrip::words(int width) const {
  QStringList words;
  for (const LegendEntry& entry : entries_within(width)) words << entry.word;
  return words;
}

double LegendStrip::sample_room(const LegendEntry& entry) const {
  const double unit = fontMetrics().height();
  return entry.draw ? sample_width * unit * 0.8 + 0.35 * unit : 0;
}

double LegendStrip::width_of(const LegendEntry& entry) const {
  return sample_room(entry) + fontMetrics().horizontalAdvance(entry.word);
}

double LegendStrip::used_by(const std::vector<LegendEntry>& entries) const {
  double used = -fontMetrics().height();
  for (const LegendEntry& entry : entries) used += width_of(entry) + fontMetrics().height();
  return std::max(0.0, used);
}

QString LegendStrip::words_for(std::size_t left_out, int width) const {
  const bool before_audience = !panes_.empty();  // which cannot ask for more
  if (left_out == 0 || before_audience) return {};
  const QString words = tr("+%1 more").arg(left_out);
  return fontMetrics().horizontalAdvance(words) <= width ? words : QStringLiteral("+%1").arg(left_out);
}

std::vector<LegendEntry> LegendStrip::entries_within(int width) const {
  std::vector<LegendEntry> here = entries_;
  const auto needed = [&] {
    const QString more = words_for(entries_.size() - here.size(), width);
    return used_by(here) + (more.isEmpty() ? 0 : fontMetrics().horizontalAdvance(more) + fontMetrics().height());
  };
  while (!here.empty() && needed() > width) {
    auto last = std::ranges::find_if(here.rbegin(), here.rend(), &LegendEntry::is_known);
    if (last == here.rend()) last = std::ranges::find_if(here.rbegin(), here.rend(), &LegendEntry::is_usual);
    here.erase(last == here.rend() ? std::prev(here.end()) : std::prev(last.base()));
  }
  return here;
}

void LegendStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme_of(workbench_.looks().appearance());
  const double unit = fontMetrics().height(), gap = 0.35 * unit;
  const int high = height();
  const std::vector<LegendEntry> entries = entries_within(width());
  const QString more = words_for(entries_.size() - entries.size(), width());
  const double wide = more.isEmpty() ? 0 : fontMetrics().horizontalAdvance(more);
  double x = width() - used_by(entries) - (wide > 0 && !entries.empty() ? wide + unit : wide);  // aligned to the right
  for (const LegendEntry& entry : entries) {
    const double sample = sample_room(entry);
    painter.save();
    if (sample > 0) entry.draw(painter, QRectF(x, high * 0.14, sample - gap, high * 0.72), t);
    painter.restore();
    const double words = fontMetrics().horizontalAdvance(entry.word);
    painter.setPen(colour(t.text));
    painter.drawText(QRectF(x + sample, 0, words + 2, high), Qt::AlignLeft | Qt::AlignVCenter, entry.word);
    x += width_of(entry) + unit;
  }
  painter.setPen(palette().color(QPalette::Link));
  painter.drawText(QRectF(width() - wide, 0, wide + 2, high), Qt::AlignLeft | Qt::AlignVCenter, more);
}

void LegendStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit pressed();
}

}  // namespace kdscope
