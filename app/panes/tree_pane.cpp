#include "app/panes/tree_pane.hpp"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/smaller_text.hpp"
#include "app/appearance/unseen.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/open_questions.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/search_overlay.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_marked_nodes = 2000;
constexpr int edge = 12, words_flags = Qt::AlignHCenter | Qt::TextWordWrap;

/// The tree that a pane shows in place of the step's, and what this is called.
struct OtherTree {
  std::uint32_t step;
  QString words;
  double opacity;
  bool root_alone = false;  ///< numbers of levels and places of later nodes would answer questions
};

/// The introduction and the end show what the lesson builds. A question that hides the tree leaves what the class
/// knows: the tree of the last stop before, which a badge names so (BeforeBadge), or the root alone.
std::optional<OtherTree> tree_instead(const Workbench& workbench, bool finished) {
  const Playback& playback = workbench.playback();
  const LessonPlayer& lessons = workbench.lessons();
  if (finished || lessons.at_introduction())
    return OtherTree{playback.step_count() - 1,
                     is_search(*playback.trace()) ? TreePane::tr("The tree that is searched")
                                                  : TreePane::tr("What this lesson builds"),
                     preview_opacity(theme_of(workbench.looks().appearance()).id)};
  if (!playback.concealment().tree) return std::nullopt;
  if (shows_tree_before(workbench)) return OtherTree{playback.concealment().before.value_or(0), {}, 1};
  const Partition now = Partition::at(*playback.cursor(), {});
  if (now.nodes().size() != 1 || !now.planes().empty()) return std::nullopt;
  return OtherTree{0, hidden_words(workbench, [](const Concealment& concealed) { return concealed.tree; }), 1, true};
}

}  // namespace

/// A picture of a tree over a view of another one, which keeps the keyboard and the mouse.
class TreePreview : public QWidget {
 public:
  TreePreview(TreeView& over, Workbench& workbench) : QWidget(&over), workbench_(workbench) {
    playback_.fetch_by(&workbench.coming_values());
    setAttribute(Qt::WA_TransparentForMouseEvents);
    over.installEventFilter(this);
    show_unseen(tree_);
  }
  /// Shows the tree once its values are here, and nothing before; nullopt: nothing.
  void show_tree(const std::optional<OtherTree>& other) {
    if (!other) {
      playback_.close();
      return hide();
    }
    if (playback_.trace() != workbench_.playback().trace()) playback_.open(Cursor(workbench_.playback().trace()), {});
    playback_.when_here(other->step, [this, other = *other] {
      words_ = other.words;
      opacity_ = other.opacity;
      root_alone_ = other.root_alone;
      const Appearance& looks = workbench_.looks().appearance();
      tree_.set_theme(theme_of(looks).id);
      tree_.set_text_scale(text_scale_of(*parentWidget(), looks) / 100.0);
      playback_.go_to(other.step);
      Concealment concealed;
      concealed.marks = opacity_ < 1;  // what a search visits answers questions
      tree_.show_step(*playback_.cursor(), {}, concealed);
      fit();
      show();
      raise();
    });
    if (playback_.wait()) hide();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize) fit();
    return QWidget::eventFilter(watched, event);
  }
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.save();
    if (root_alone_) {
      const QPointF root = tree_.place_of_node({0}).value_or(QPointF());
      const double wide = 6 * fontMetrics().height(), high = 2.2 * fontMetrics().height();
      const double left = std::max<double>(root.x() - wide, words_room().left());  // right of the numbers of levels
      painter.setClipRect(QRectF(left, root.y() - high, root.x() + wide - left, 2 * high));
    }
    if (opacity_ == 1) {
      tree_.paint_to(painter);
    } else {  // as a whole: edges do not show through nodes
      painter.setOpacity(opacity_);
      QPixmap picture(tree_.size() * devicePixelRatioF());
      picture.setDevicePixelRatio(devicePixelRatioF());
      QPainter whole(&picture);
      tree_.paint_to(whole);
      whole.end();
      painter.drawPixmap(0, 0, picture);
    }
    painter.restore();
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.setFont(words_font_);
    painter.drawText(words_room().adjusted(0, 0, 0, -edge / 2), Qt::AlignBottom | words_flags, words_);
  }

 private:
  /// Returns where the words may stand, beside the numbers of the levels.
  QRect words_room() const {
    return rect().adjusted(std::max(edge, static_cast<int>(tree_.place_of_level(0).left())), 0, -edge, 0);
  }
  void fit() {
    setGeometry(parentWidget()->rect());
    tree_.resize(size());
    // Rather smaller words than none of the tree
    QRect words;
    words_font_ = smaller_until(font(), 0.92, 0.6, [&](const QFont& tried) {
      words = QFontMetrics(tried).boundingRect(words_room(), words_flags, words_);
      return words.height() <= height() / 3;
    });
    // Words below the nodes change no place of theirs
    const int room = std::max(0, height() - words.height() - edge),
              made = static_cast<int>(tree_.diagram().levels.size()), last = tree_.diagram().final_levels - 1;
    if (made == 0 || tree_.is_strip(last) || tree_.place_of_level(made - 1).bottom() > room)
      tree_.resize(width(), room);
    update();
  }

  Workbench& workbench_;
  Playback playback_;  // of the tree in place of the step's
  QString words_;
  QFont words_font_;
  double opacity_ = 1;
  bool root_alone_ = false;
  TreeView tree_;
};

TreePane::TreePane(QWidget* parent) : QWidget(parent), view_(new TreeView), minimap_(new Minimap(2.4)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(view_, 1);
  column->addWidget(minimap_);
  setFocusProxy(view_);
  connect(view_, &TreeView::drawn_anew, this, &TreePane::draw_minimap);
  connect(view_, &TreeView::window_changed, this, [this] {
    if (drawn_)
      minimap_->set_window(view_->window());
    else
      draw_minimap();
  });
  connect(view_, &TreeView::selection_shown, this, &TreePane::mark_minimap);
  connect(minimap_, &Minimap::pressed, view_, &TreeView::centre);
  connect(view_, &QWidget::windowTitleChanged, this, &QWidget::setWindowTitle);  // shown by the dock
}

void TreePane::show_to_audience() {
  has_minimap_ = false;
  minimap_->hide();
  view_->keep_in_sight();
}

void TreePane::show_finished(bool finished) {
  if (std::exchange(finished_, finished) != finished) shown_->request();
}

void TreePane::follow(Workbench& workbench) {
  attach(*view_, workbench.playback(), workbench);
  const auto show = [this, &workbench] {
    const auto other = workbench.playback().cursor() ? tree_instead(workbench, finished_) : std::nullopt;
    if (other && !preview_) preview_ = new TreePreview(*view_, workbench);
    if (preview_) preview_->show_tree(other);
  };
  shown_ = new ShownUpdate(this, show);
  for (const auto signal : {&Playback::stepped, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, shown_, &ShownUpdate::request);
  connect(&workbench.questions(), &Questions::changed, shown_, &ShownUpdate::request);  // one of several is settled
  when_restyled(*this, workbench, show);
  show();
}

/// Draws one row per level: nodes that exist in colour, later ones pale.
void TreePane::draw_minimap() {
  if (!has_minimap_) return;
  const bool scrolls = view_->window().width() < 0.999 || view_->window().height() < 0.999;
  const TreeDiagram& diagram = view_->diagram();
  if (scrolls && diagram.node_count > 0) {
    const Theme& t = theme(view_->theme_id());
    const int rows = std::max(1, diagram.final_levels), dot = 4, bins = std::max(32, width() / 2);
    QImage picture(bins, rows * dot, QImage::Format_RGB32);
    picture.fill(colour(t.base));
    for (int level = 0; level < std::min(rows, diagram.layout().level_count()); ++level) {
      const std::vector<DensityBin> density = diagram.density(level, 0, 1, bins);
      for (int x = 0; x < bins; ++x) {
        const DensityBin& bin = density[static_cast<std::size_t>(x)];
        if (bin.final_nodes == 0) continue;
        const QColor ink = colour(bin.made + bin.open > 0 ? subtree_colour(t, bin.place) : mix(t.line, t.base, 0.5));
        for (int y = 0; y < dot - 1; ++y) picture.setPixelColor(x, level * dot + y, ink);
      }
    }
    minimap_->set_picture(std::move(picture), t);
    drawn_ = true;
  } else {
    drawn_ = false;
  }
  minimap_->set_window(view_->window());
  mark_minimap();
}

void TreePane::mark_minimap() {
  const TreeDiagram& diagram = view_->diagram();
  std::vector<QRectF> marks;
  const double rows = std::max(1, diagram.final_levels);
  for (const NodeId node : view_->selected()) {
    const std::uint32_t rank = diagram.layout().rank_of(node);
    if (rank == no_id || !diagram.has(rank)) continue;
    marks.emplace_back(diagram.layout().x(rank), diagram.layout().level_of(rank) / rows, 0, 1 / rows);
    if (marks.size() == most_marked_nodes) break;
  }
  minimap_->set_marks(std::move(marks));
}

}  // namespace kdscope
