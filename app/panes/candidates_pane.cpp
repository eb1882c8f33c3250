#include "app/panes/candidates_pane.hpp"

#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/shown_updates.hpp"
#include "visualizer/model/question_concealment.hpp"

namespace kdscope {

CandidatesPane::CandidatesPane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      head_(new QBoxLayout(QBoxLayout::TopToBottom)),
      tabs_(new QTabBar),
      headline_(plain_label()),
      status_(plain_label()),
      empty_(plain_label()),
      stack_(new QStackedWidget),
      curves_(new CostCurves),
      sets_(new SetMatrix) {
  setAccessibleName(tr("Split candidates pane"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  head_->setSpacing(0);
  head_->addWidget(tabs_);
  head_->addWidget(headline_, 1);
  layout->addLayout(head_);
  layout->addWidget(stack_, 1);
  layout->addWidget(empty_, 1);
  layout->addWidget(status_);
  tabs_->addTab(tr("Costs"));
  tabs_->addTab(tr("Sets"));
  tabs_->setTabToolTip(0, tr("What each candidate would cost, by its position"));
  tabs_->setTabToolTip(1, tr("The sets on the sides of a candidate, one bit per primitive"));
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setAccessibleName(tr("Costs or sets"));
  tabs_->setObjectName(QStringLiteral("candidate_views"));
  tabs_->setFocusPolicy(Qt::TabFocus);
  stack_->addWidget(curves_);
  stack_->addWidget(sets_);
  for (QLabel* label : {headline_, status_}) {
    label->setWordWrap(true);
    label->setContentsMargins(8, 2, 8, 2);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  headline_->setObjectName(QStringLiteral("candidates_headline"));
  status_->setObjectName(QStringLiteral("candidates_status"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setContentsMargins(16, 8, 16, 8);
  empty_->setForegroundRole(QPalette::PlaceholderText);

  connect(tabs_, &QTabBar::currentChanged, this, &CandidatesPane::show_tab);
  connect(&workbench.playback(), &Playback::opened, this, &CandidatesPane::open_run);
  auto* state_shown = new ShownUpdate(this, [this] { show_state(); });
  connect(&workbench.playback(), &Playback::stepped, state_shown, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::selected, state_shown, &ShownUpdate::request);
  when_restyled(*this, workbench, [this] { show_appearance(); });
  connect(curves_, &CostCurves::candidate_picked, this, &CandidatesPane::pick);
  connect(sets_, &SetMatrix::candidate_picked, this, &CandidatesPane::pick);
  connect(sets_, &SetMatrix::candidate_walked, this, &CandidatesPane::walk);
  connect(sets_, &SetMatrix::primitive_picked, this, [this](std::uint32_t primitive) {
    workbench_.playback().select({node_->primitive_space, primitive});
  });
  connect(curves_, &CostCurves::picked_nothing, this, [this] { workbench_.playback().select(Selection{}); });
  connect(sets_, &SetMatrix::picked_nothing, this, [this] { workbench_.playback().select(Selection{}); });
  auto* curtain = new Curtain(this, workbench, hides_candidates);
  curtain->set_picture([this](QPainter& painter, const QRect& room) {
    const Playback& playback = workbench_.playback();
    std::optional<NodeId> node;
    if (playback.linked().node) node = NodeId{*playback.linked().node};
    if (const auto drawn = drawn_candidates(*playback.cursor(), playback.concealment(), node))
      curves_->paint(painter, *drawn, playback.trace()->header.dim, room.adjusted(0, 4, 0, -4));
  });
  show_appearance();
  say_empty(tr("Open a run that tries split candidates: their costs and sets appear here."));
  if (workbench.playback().cursor()) {
    open_run();
    state_shown->request();
  }
}

void CandidatesPane::show_to_audience() {
  for_audience_ = true;
  if (node_) show_words();
}

/// Words above and below leave a low pane's height to the plot.
void CandidatesPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  constexpr int words_beside_tabs = 70;
  const bool wide = width() > words_beside_tabs * fontMetrics().averageCharWidth();
  head_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  if (node_) show_words();
}

bool CandidatesPane::has_room_for_hints() const {
  constexpr int lines = 16;
  return !for_audience_ && height() > lines * fontMetrics().height();
}

void CandidatesPane::say_empty(const QString& words) {
  if (!words.isEmpty()) {
    node_.reset();
    picked_.reset();
    curves_->clear();
    sets_->clear();
  }
  empty_->setText(words.left(1).toUpper() + words.mid(1));
  empty_->setVisible(!words.isEmpty());
  for (QWidget* part : std::initializer_list<QWidget*>{stack_, headline_, status_}) part->setVisible(words.isEmpty());
}

bool CandidatesPane::shows_candidates() const {
  return has_candidates_ && workbench_.playback().cursor()->array(
                                CandidateArrays(workbench_.playback().cursor()->trace()).root->info.name);
}

void CandidatesPane::open_run() {
  has_candidates_ = bool(CandidateArrays(workbench_.playback().cursor()->trace()));
  tabs_->setVisible(has_candidates_);
  node_.reset();
  if (!has_candidates_) say_empty(tr("This run tries no split candidates. Run an algorithm that splits by cost."));
}

/// Shows the selected node, or the node of the selected candidate. If a primitive is selected, the node shown before
/// stays.
void CandidatesPane::show_state() {
  if (!has_candidates_ || !workbench_.playback().cursor()) return;
  const Selection& selection = workbench_.playback().selection();
  const bool is_primitive = selection.space == Space::point || selection.space == Space::triangle;
  std::optional<NodeId> wanted;
  const bool keeps =
      selection.space == Space::candidate && node_ && node_->place_of(static_cast<std::uint32_t>(selection.index));
  if (const auto& linked = workbench_.playback().linked(); keeps)
    wanted = node_->node;
  else if (linked.plane)
    wanted = linked.plane->node;
  else if (!is_primitive && linked.node)
    wanted = NodeId{*linked.node};
  else if (is_primitive && node_ && !node_->first_split)
    wanted = node_->node;
  auto node = node_candidates(*workbench_.playback().cursor(), wanted);
  if (!node) return say_empty(foreign_text(node.error().message()));
  say_empty({});
  show_node(*node);
}

void CandidatesPane::show_node(const NodeCandidates& node) {
  const Selection& selection = workbench_.playback().selection();
  const std::uint32_t dims = workbench_.playback().cursor()->trace().header.dim;
  node_ = node;
  picked_.reset();
  for (std::size_t i = 0; i < node_->tried.size(); ++i) {
    const TriedCandidate& c = node_->tried[i];
    if ((selection.space == Space::evaluation && c.evaluation == selection.index) ||
        (selection.space == Space::candidate && c.candidate == selection.index))
      picked_ = i;
  }
  curves_->show_node(*node_, dims);
  curves_->set_picked(picked_);
  show_sets();
  std::vector<std::size_t> columns;
  const bool of_points = node_->primitive_space == Space::point;
  const std::vector<std::uint32_t>& primitives =
      of_points ? workbench_.playback().linked().points : workbench_.playback().linked().triangles;
  for (std::size_t column = 0; selection.space == node_->primitive_space && column < node_->primitives.size(); ++column)
    if (std::binary_search(primitives.begin(), primitives.end(), node_->primitives[column])) columns.push_back(column);
  sets_->set_selected(std::move(columns));
  sets_->set_picked(picked_);
  show_words();
}

std::optional<std::size_t> CandidatesPane::at_hand() const {
  if (picked_) return picked_;
  if (node_->chosen) return node_->chosen;
  return node_->tried.empty() ? std::nullopt : std::optional<std::size_t>(0);
}

void CandidatesPane::show_sets() {
  sets_->show_rows(set_rows(*workbench_.playback().cursor(), *node_, at_hand()), node_->primitives,
                   node_->primitive_space);
}

void CandidatesPane::show_words() {
  const std::uint32_t dims = workbench_.playback().cursor()->trace().header.dim;
  const bool of_points = node_->primitive_space == Space::point;
  const QString head = foreign_text(headline_of(*node_, dims));
  // On a low stage the plot has the room, and shows what was chosen
  constexpr int few_lines = 12;
  const bool low = for_audience_ && height() < few_lines * fontMetrics().height();
  const qsizetype end = head.indexOf(QStringLiteral(". "));
  headline_->setText(low && end > 0 ? head.left(end + 1) : head);
  tabs_->setHidden(low);
  QStringList sentences;
  if (node_->evaluated && node_->step < workbench_.playback().step())
    sentences << tr("As step %1 evaluated it.").arg(node_->step);
  if (picked_) sentences << candidate_text(*node_, *picked_, dims) + QLatin1Char('.');
  const QString hint = picked_              ? QString()
                       : node_->first_split ? tr("Select a node to see its candidates, or click one here.")
                                            : tr("Click a candidate to select it.");
  if (has_room_for_hints() && !hint.isEmpty()) sentences << hint;
  if (tabs_->currentIndex() == 1)
    sentences << tr("A column is a %1 of small root %2; struck-out bits are not in s.")
                     .arg(of_points ? tr("point") : tr("triangle"))
                     .arg(node_->root);
  status_->setText(sentences.join(QLatin1Char(' ')));
  status_->setVisible(!sentences.isEmpty() && !low);
  const QString words = QStringList{head, status_->text(), has_room_for_hints() ? QString() : hint}.join(' ').trimmed();
  curves_->setAccessibleDescription(words + tr(" Alt+arrows move from candidate to candidate."));
  sets_->setAccessibleDescription(words + tr(" Alt+arrows move among candidates and primitives."));
}

void CandidatesPane::show_tab() {
  stack_->setCurrentIndex(tabs_->currentIndex());
  if (node_) show_words();
}

void CandidatesPane::show_appearance() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  curves_->set_appearance(t, scale);
  sets_->set_appearance(t, scale);
}

void CandidatesPane::pick(std::size_t candidate) {
  const TriedCandidate& c = node_->tried[candidate];
  if (c.evaluation)
    workbench_.playback().select({Space::evaluation, *c.evaluation});
  else
    workbench_.playback().select({Space::candidate, c.candidate});
}

void CandidatesPane::walk(int direction) {
  const auto from = at_hand();
  if (!from) return;
  if (!picked_) return pick(*from);
  if (direction < 0 ? *from > 0 : *from + 1 < node_->tried.size()) pick(direction < 0 ? *from - 1 : *from + 1);
}

}  // namespace kdscope
