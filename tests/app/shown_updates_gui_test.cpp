#include <QString>

#include "app/views/shown_updates.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("shown updates: those of a hidden pane run once when it is shown, in the order in which they were made") {
  QWidget pane;
  QString ran;
  ShownUpdate step(&pane, [&] { ran += 's'; }), change(&pane, [&] { ran += 'c'; }), other(&pane, [&] { ran += 'o'; });
  change.request();
  step.request();
  change.request();
  CHECK(ran.isEmpty());
  pane.show();
  CHECK(ran == QStringLiteral("sc"));
  pane.hide();
  pane.show();
  CHECK(ran == QStringLiteral("sc"));
  other.request();
  CHECK(ran == QStringLiteral("sco"));
}
