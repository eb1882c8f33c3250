// Split candidates in the window, for every algorithm that evaluates some: cost curves, sets as bits, the effects of a
// click on other panes, and the presentation of trees over triangles in other views of space.

#include <QAction>
#include <QDockWidget>
#include <cmath>
#include <map>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/candidates_pane.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenCandidates : OpenWorkbench {
  using OpenWorkbench::OpenWorkbench;
  CandidatesPane& pane() { return *window.findChild<CandidatesPane*>(); }
  QDockWidget& dock() { return *window.dock(QStringLiteral("candidates")); }

  void run(const AlgorithmSpec& algorithm) {
    Parameters parameters;
    for (const ParameterSpec& parameter : algorithm.parameters)
      if (parameter.name == "small" || parameter.name == "chunk") parameters[parameter.name] = "8";
    const auto before = workbench.playback().trace();
    workbench.desk().run({algorithm.takes_triangles ? "triangles:kind=soup,n=40,seed=3" : "uniform:n=60,dim=3,seed=3",
                          algorithm.id, parameters, Backend::cpu});
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
    settle();
  }
  /// Returns the steps that evaluate candidates.
  std::vector<std::uint32_t> evaluations() const {
    std::vector<std::uint32_t> steps;
    if (const Trace::Array* cost = CandidateArrays(*workbench.playback().trace()).cost)
      for (const ArrayVersion& version : cost->versions) steps.push_back(version.step);
    return steps;
  }
  const Selection& selection() const { return workbench.playback().selection(); }
  void click_candidate(std::size_t place) {
    CostCurves& curves = pane().curves();
    const auto at = curves.place_of(place);
    REQUIRE(at);
    QTest::mouseClick(&curves, Qt::LeftButton, {}, at->toPoint());
  }
};

/// The plot has this share of a low pane's height, in percent.
constexpr int plot_share_of_pane = 55;

std::vector<AlgorithmSpec> algorithms_with_candidates(OpenCandidates& open) {
  std::vector<AlgorithmSpec> found;
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    if (algorithm.max_dim < 3) continue;
    open.run(algorithm);
    open.show_end();
    INFO(algorithm.id);
    const bool has = bool(CandidateArrays(*open.workbench.playback().trace()));
    CHECK(open.dock().isVisible() == has);
    if (has) found.push_back(algorithm);
  }
  return found;
}

/// Returns the algorithms to show. In a quick run, returns one of them without examining the others.
std::vector<AlgorithmSpec> shown_algorithms_with_candidates(OpenCandidates& open) {
  if (test::everything()) return algorithms_with_candidates(open);
  REQUIRE(find_algorithm("zhou-sah"));
  return {*find_algorithm("zhou-sah")};
}

}  // namespace

TEST_CASE("on 1280 x 720 the costs of splits have most of their pane's height, and the words come back with room") {
  OpenCandidates open({1280, 720});
  open.show_answers();
  open.open_lesson("zhou/surface-area-heuristic");
  open.workbench.lessons().go_to_stop(5);
  open.rest();
  REQUIRE(open.dock().isVisible());
  CandidatesPane& pane = open.pane();
  REQUIRE(pane.shows_candidates());
  CHECK(pane.height() < open.window.height() / 2);
  CHECK(pane.curves().height() >= 100);
  CHECK(100 * pane.curves().height() >= plot_share_of_pane * pane.height());
  CHECK_FALSE(pane.status().contains(QStringLiteral("lick")));
  open.dock().setFloating(true);
  open.dock().resize(600, 500);
  open.settle();
  CHECK(pane.status().contains(QStringLiteral("lick")));
}

TEST_CASE(
    "candidates appear with the step that finds them; costs are one curve per dimension, and a click selects one "
    "everywhere",
    "[screen][share]") {
  OpenCandidates open({1600, 1000});
  const auto found = algorithms_with_candidates(open);
  REQUIRE_FALSE(found.empty());
  for (const AlgorithmSpec& algorithm : found) {
    INFO(algorithm.id);
    open.run(algorithm);
    open.workbench.transport().first();
    open.settle();
    CHECK_FALSE(open.dock().isVisible());
    const std::vector<std::uint32_t> steps = open.evaluations();
    REQUIRE(steps.size() > 1);
    open.show_step(steps[0]);
    REQUIRE(open.dock().isVisible());
    CandidatesPane& pane = open.pane();
    CostCurves& curves = pane.curves();
    REQUIRE(curves.node());
    CHECK(pane.headline().contains(QStringLiteral("the first that is split")));
    REQUIRE(curves.node()->chosen);
    CHECK(curves.dimensions_in_sight() == curves.node()->dimensions());
    CHECK_FALSE(curves.picked());
    // Candidates below the leaf's line pay off.
    const std::size_t chosen = *curves.node()->chosen;
    for (std::size_t i = 0; i < curves.node()->tried.size(); ++i) {
      REQUIRE(curves.place_of(i));
      CHECK(curves.place_of(i)->y() <= curves.place_of(chosen)->y() + 0.01);
    }

    open.click_candidate(chosen);
    const NodeId node = curves.node()->node;
    REQUIRE(open.selection().space == Space::evaluation);
    REQUIRE(curves.picked());
    CHECK(curves.node()->tried[*curves.picked()].cost == curves.node()->tried[chosen].cost);
    CHECK(open.window.scene().selected_node() == node);
    REQUIRE(open.workbench.playback().linked().plane);
    CHECK(open.workbench.playback().linked().plane->value == curves.node()->tried[*curves.picked()].position);
    const auto in_table = indices_in(*open.workbench.playback().cursor(), open.selection(),
                                     open.workbench.playback().linked(), Space::candidate);
    REQUIRE(in_table.size() == 1);
    CHECK(in_table[0].begin == curves.node()->tried[*curves.picked()].candidate);
    CHECK(pane.status().contains(QStringLiteral("candidate %1").arg(in_table[0].begin)));
    CHECK(curves.accessibleDescription().contains(QStringLiteral("cost")));
    open.settle();
    const QImage with_its_plane = open.window.scene().picture();

    // Keys move along the curve and to other dimensions.
    const std::size_t from = *curves.picked();
    QTest::keyClick(&curves, from > 0 ? Qt::Key_Left : Qt::Key_Right, Qt::AltModifier);
    CHECK(*curves.picked() == (from > 0 ? from - 1 : from + 1));
    open.settle();
    CHECK(differing_pixels(with_its_plane, open.window.scene().picture()) > 20);  // the plane is drawn
    const std::uint32_t dim = curves.node()->tried[*curves.picked()].dim;
    QTest::keyClick(&curves, dim == curves.node()->dimensions().front() ? Qt::Key_Down : Qt::Key_Up, Qt::AltModifier);
    CHECK(curves.node()->tried[*curves.picked()].dim != dim);
    CHECK(curves.node()->node == node);

    // The selection stays while the evaluations are the same; after that, its node remains selected.
    const Selection before = open.selection();
    open.workbench.transport().forward();
    CHECK(open.selection() == before);
    CHECK(pane.status().contains(QStringLiteral("As step %1 evaluated it").arg(steps[0])));
    open.workbench.playback().seek(steps[1]);
    CHECK((open.selection() == Selection{Space::node, node.value}));
    CHECK(curves.node()->node == node);
    CHECK(curves.node()->chosen);
    QTest::mouseClick(&curves, Qt::LeftButton, {}, QPoint(2, 2));
    CHECK_FALSE(open.selection());
  }
}

TEST_CASE("sets are rows of bits: what a child gets is what its parent's set and the candidate's side have in common",
          "[share]") {
  OpenCandidates open({1600, 1000});
  for (const AlgorithmSpec& algorithm : shown_algorithms_with_candidates(open)) {
    INFO(algorithm.id);
    open.run(algorithm);
    open.workbench.playback().seek(open.evaluations().at(0));
    open.workbench.transport().forward();
    CandidatesPane& pane = open.pane();
    pane.tabs().setCurrentIndex(1);
    open.settle();
    SetMatrix& sets = pane.sets();
    REQUIRE(sets.isVisible());
    const std::vector<SetRow> rows = sets.rows();
    REQUIRE(rows.size() > 6);
    const NodeCandidates node = *pane.curves().node();
    CHECK(rows[0].mask == node.set);
    CHECK(rows[2].mask == node.left_set);
    CHECK(rows[5].mask == node.right_set);
    CHECK(rows.size() == 6 + 2 * node.tried.size());

    // A bit selects its primitive; a row selects its candidate, whose sets the upper rows then show.
    const QRect bit = sets.cell_rect(0, 1);
    REQUIRE_FALSE(bit.isEmpty());
    QTest::mouseClick(sets.viewport(), Qt::LeftButton, {}, bit.center());
    CHECK((open.selection() == Selection{node.primitive_space, node.primitives[1]}));
    CHECK(sets.cell_tip(0, 1).contains(QString::number(node.primitives[1])));
    QTest::keyClick(&sets, Qt::Key_Right, Qt::AltModifier);
    CHECK(open.selection().index == node.primitives[2]);
    open.workbench.playback().select(Selection{});
    QTest::keyClick(&sets, Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(&sets, Qt::Key_Down, Qt::AltModifier);
    REQUIRE(pane.curves().picked());
    const TriedCandidate& picked = node.tried[*pane.curves().picked()];
    CHECK(sets.rows()[1].mask == picked.left);
    CHECK(sets.rows()[4].mask == picked.right);
    pane.tabs().setCurrentIndex(0);
  }
}

TEST_CASE("texts of curves and sets are inside and stand out in every theme at every size", "[share]") {
  OpenCandidates open({1600, 1000});
  const auto found = shown_algorithms_with_candidates(open);
  open.run(found.front());
  open.workbench.playback().seek(open.evaluations().at(0));
  open.workbench.transport().forward();
  CandidatesPane& pane = open.pane();
  std::size_t number = 0;
  for (const ThemeId id : all_themes)
    for (const int scale : {80, 100, 200, 300}) {
      if (number++ % test::every_nth(5) != 0) continue;
      open.workbench.looks().set_theme(theme(id).name);
      open.workbench.looks().set_text_scale(scale);
      for (const int tab : {0, 1}) {
        open.dock().raise();
        pane.tabs().setCurrentIndex(tab);
        open.settle();
        QWidget& view = tab == 0 ? static_cast<QWidget&>(pane.curves()) : *pane.sets().viewport();
        INFO(theme(id).name << " at " << scale << ", tab " << tab);
        const auto texts = painted_texts(view, {});
        REQUIRE_FALSE(texts.empty());
        for (const PaintedText& text : texts) {
          INFO(text.text.toStdString());
          CHECK(text.box.left() >= -2);
          CHECK(text.box.right() <= view.width() + 2);
          const Rgb ink{static_cast<std::uint8_t>(text.ink.red()), static_cast<std::uint8_t>(text.ink.green()),
                        static_cast<std::uint8_t>(text.ink.blue())};
          CHECK(contrast(ink, theme(id).base) >= (id == ThemeId::high_contrast ? 7 : 4.5));
        }
      }
    }
}

TEST_CASE("the candidates leave their room to others while a question hides them, and where a lesson is about others") {
  OpenCandidates open({1280, 720});
  open.open_lesson("zhou/photons");
  open.workbench.lessons().go_to_stop(3);
  open.settle();
  REQUIRE(open.pane().shows_candidates());
  CHECK_FALSE(open.dock().isVisible());
  open.show_answers();
  CHECK(open.dock().isVisible());
  open.workbench.lessons().go_to_stop(4);  // it speaks of searches
  open.settle();
  REQUIRE(open.pane().shows_candidates());
  CHECK_FALSE(open.dock().isVisible());
  open.open_lesson("zhou/whole-pipeline");  // which does not speak of them
  open.show_end();
  REQUIRE(open.pane().shows_candidates());
  CHECK_FALSE(open.dock().isVisible());
}

TEST_CASE("numbers along the axes differ, however close the candidates stand") {
  const float face = 3.58159f;
  for (const double last : {4.0, 3.5817, 3.58163, double(std::nextafter(face, 4.0f))}) {
    INFO(last);
    NodeCandidates node;
    for (const double position : {double(face), last}) {
      TriedCandidate c;
      c.position = position;
      c.cost = 2 + node.tried.size();
      node.tried.push_back(c);
    }
    CostCurves curves;
    curves.resize(600, 240);
    curves.show_node(node, 1);
    std::vector<QString> along;
    for (const PaintedText& text : painted_texts(curves, {}))
      if (text.box.top() > curves.height() - 30 && text.text != QStringLiteral("x")) along.push_back(text.text);
    REQUIRE_FALSE(along.empty());
    for (std::size_t i = 1; i < along.size(); ++i) CHECK(along[i] != along[i - 1]);
    // Show each candidate at its own place, or both at one place.
    REQUIRE(curves.place_of(1));
    CHECK(curves.place_of(1)->x() >= curves.place_of(0)->x());
  }
}

TEST_CASE("a click on a triangle selects it in every pane, and its edges are marked", "[screen][share]") {
  OpenCandidates open;
  int over_triangles = 0;
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    if (!algorithm.takes_triangles) continue;
    ++over_triangles;
    INFO(algorithm.id);
    open.run(algorithm);
    open.workbench.transport().first();
    open.settle();
    SceneView& view = open.window.scene();
    REQUIRE(view.can_draw());
    const QImage before = view.picture();
    std::uint32_t picked = no_id;
    for (std::uint32_t t = 0; t < 10 && picked == no_id; ++t)
      if (const auto at = view.place_of_triangle(t)) {
        QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, view.canvas()->mapFrom(&view, at->toPoint()));
        if (open.selection().space == Space::triangle && open.selection().index == t) picked = t;
      }
    REQUIRE(picked != no_id);
    CHECK(view.selected_triangles() == std::vector{picked});
    CHECK(differing_pixels(before, view.picture()) > 20);
    CHECK((indices_in(*open.workbench.playback().cursor(), open.selection(), open.workbench.playback().linked(),
                      Space::triangle) == std::vector<IndexRange>{{picked, picked + 1ull}}));
    // In the finished tree, a primitive belongs to the leaves whose sets contain it.
    open.workbench.transport().last();
    CHECK_FALSE(open.workbench.playback().linked().nodes.empty());
    open.workbench.playback().select({Space::node, open.workbench.playback().linked().nodes.front()});
    CHECK(std::find(view.selected_triangles().begin(), view.selected_triangles().end(), picked) !=
          view.selected_triangles().end());
    open.workbench.playback().select(Selection{});
    CHECK(view.selected_triangles().empty());
  }
  CHECK(over_triangles > 0);
}

TEST_CASE("colours tell leaf sizes or depths where a run has them, with a legend, and go back", "[screen][share]") {
  OpenCandidates open;
  std::map<Colouring, int> tried;
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    if (algorithm.max_dim < 3) continue;
    INFO(algorithm.id);
    open.run(algorithm);
    open.show_end();
    SceneView& view = open.window.scene();
    // The docks reach their final sizes with the first change of the view.
    open.find<QAction>("colouring-subtree").trigger();
    open.settle();
    const QImage subtrees = view.picture();
    for (const Colouring colouring : all_colourings) {
      QAction& action = open.find<QAction>((std::string("colouring-") + name_of(colouring)).c_str());
      CHECK(action.isEnabled() == can_colour(*open.workbench.playback().trace(), colouring));
      if (!action.isEnabled()) continue;
      ++tried[colouring];
      action.trigger();
      open.settle();
      CHECK(action.isChecked());
      const QImage now = view.picture();
      const auto texts = view.texts();
      const bool legend = std::any_of(texts.begin(), texts.end(), [](const auto& text) {
        return text.first.find("in the leaf") != std::string::npos || text.first.find("depth") != std::string::npos;
      });
      CHECK(legend == (colouring != Colouring::subtree));
      CHECK((differing_pixels(subtrees, now) > 200) == (colouring != Colouring::subtree));
    }
    open.find<QAction>("colouring-subtree").trigger();
    open.settle();
    CHECK(differing_pixels(subtrees, view.picture()) == 0);
  }
  for (const Colouring colouring : all_colourings) {
    INFO(name_of(colouring));
    CHECK(tried[colouring] > 0);
  }
}
