#include "app/panes/tree_pane.hpp"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_marked_nodes = 2000;
constexpr double faint = 0.35;

}  // namespace

/// A faint picture of a tree over a view of another one, which keeps the keyboard and the mouse.
class TreePreview : public QWidget {
 public:
  explicit TreePreview(TreeView& over) : QWidget(&over) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    over.installEventFilter(this);
    tree_.setAttribute(Qt::WA_DontShowOnScreen);
    tree_.show();
  }
  void show_tree(const Cursor& cursor, ThemeId theme) {
    tree_.set_theme(theme);
    tree_.show_step(cursor);
    fit();
    show();
    raise();
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize) fit();
    return QWidget::eventFilter(watched, event);
  }
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setOpacity(faint);
    tree_.paint_to(painter);
  }

 private:
  void fit() {
    setGeometry(parentWidget()->rect());
    tree_.resize(size());
    update();
  }

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

void TreePane::preview(const Cursor* other) {
  if (other) {
    if (!preview_) preview_ = new TreePreview(*view_);
    preview_->show_tree(*other, view_->theme_id());
  } else if (preview_) {
    preview_->hide();
  }
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
