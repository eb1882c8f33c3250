#include "app/shell/view_menu.hpp"

#include <QActionGroup>
#include <QMenu>
#include <QSignalBlocker>

#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {
namespace {

QString tr(const char* text) { return QObject::tr(text); }

/// An entry that is ticked and enabled as the looks and the open run have it.
struct TickedEntry {
  QString text, key;
  std::function<bool(const Appearance&)> ticked;
  std::function<bool(const Trace&)> enabled;  ///< empty: always, even without a run
  std::function<void(bool)> choose;
  QString tip = {};
  QKeySequence shortcut = {};
};

/// group: the entries of which only one is ticked; or null.
void add_ticked(QMenu& menu, Workbench& workbench, const TickedEntry& entry, QActionGroup* group = nullptr) {
  QAction* action = menu.addAction(entry.text);
  action->setObjectName(entry.key);
  action->setCheckable(true);
  if (!entry.tip.isEmpty()) action->setToolTip(entry.tip);
  action->setShortcut(entry.shortcut);
  if (group) group->addAction(action);
  QObject::connect(action, group ? &QAction::triggered : &QAction::toggled, &workbench, entry.choose);
  const auto follow = [&workbench, action, ticked = entry.ticked, enabled = entry.enabled, lone = !group] {
    const QSignalBlocker quiet(lone ? action : nullptr);
    action->setChecked(ticked(workbench.looks().appearance()));
    action->setEnabled(!enabled || (workbench.playback().trace() && enabled(*workbench.playback().trace())));
  };
  QObject::connect(&workbench.looks(), &Looks::changed, action, follow);
  QObject::connect(&workbench.playback(), &Playback::opened, action, follow);
  follow();
}

/// The optional parts of the view; each is enabled if the run has its array.
std::vector<TickedEntry> parts_of_view(Workbench& workbench) {
  return {
      {tr("Smallest &boxes"), QStringLiteral("smallest_boxes"),
       [](const Appearance& looks) { return looks.smallest_boxes; },
       [](const Trace& trace) { return trace.find(partition_arrays::tight_box) != nullptr; },
       [&workbench](bool on) { workbench.looks().set_part(&Appearance::smallest_boxes, on); }},
      {tr("E&qual scales"), QStringLiteral("equal_scales"), [](const Appearance& looks) { return looks.equal_scales; },
       [](const Trace& trace) { return trace.header.dim > 1; },
       [&workbench](bool on) { workbench.looks().set_equal_scales(on); },
       tr("One scale for all axes; otherwise, each axis fills the view (Shift+X)"), Qt::SHIFT | Qt::Key_X},
      {tr("Sur&face of triangles"), QStringLiteral("surface"), [](const Appearance& looks) { return looks.surface; },
       [](const Trace& trace) { return trace.find(triangles_array) != nullptr; },
       [&workbench](bool on) { workbench.looks().set_part(&Appearance::surface, on); }},
      {tr("All split &planes"), QStringLiteral("all_planes"), [](const Appearance& looks) { return looks.all_planes; },
       [](const Trace& trace) { return trace.header.dim > 2; },
       [&workbench](bool on) { workbench.looks().set_part(&Appearance::all_planes, on); },
       tr("In 3D, also the split planes of older levels (Shift+P)"), Qt::SHIFT | Qt::Key_P}};
}

}  // namespace

void fill_view_menu(QMenu& menu, Workbench& workbench, SceneView& scene) {
  QAction* all = menu.addAction(tr("Show &everything"), Qt::Key_R, &scene,
                                [&scene] { scene.set_camera_preset(CameraPreset::reset); });
  all->setObjectName(QStringLiteral("show_everything"));
  all->setIconText(tr("All"));  // above the view, as above the tree
  all->setToolTip(tr("Show everything (R)"));
  auto* camera = new QMenu(tr("L&ook"), &menu);
  menu.addMenu(camera);
  const std::tuple<QString, CameraPreset> looks[]{{tr("From &above"), CameraPreset::top},
                                                  {tr("Along &x"), CameraPreset::along_x},
                                                  {tr("Along &y"), CameraPreset::along_y},
                                                  {tr("Along &z"), CameraPreset::along_z},
                                                  {tr("From a &corner"), CameraPreset::iso}};
  for (const auto& [text, preset] : looks)
    camera->addAction(text, &scene, [&scene, preset = preset] { scene.set_camera_preset(preset); });
  for (const TickedEntry& part : parts_of_view(workbench)) add_ticked(menu, workbench, part);

  auto* colours = new QMenu(tr("&Colours stand for"), &menu);
  colours->setObjectName(QStringLiteral("colours"));
  menu.addMenu(colours);
  auto* colourings = new QActionGroup(&menu);
  const QString names[] = {tr("The &subtree"), tr("The number in the &leaf"), tr("The &depth in the tree")};
  for (const Colouring colouring : all_colourings)
    add_ticked(*colours, workbench,
               {names[static_cast<std::size_t>(colouring)],
                QStringLiteral("colouring-") + QString::fromUtf8(name_of(colouring)),
                [colouring](const Appearance& looks) { return looks.colouring == colouring; },
                [colouring](const Trace& trace) { return can_colour(trace, colouring); },
                [&workbench, colouring](bool) { workbench.looks().set_colouring(colouring); }},
               colourings);
  menu.addSeparator();
  auto* list = new QMenu(tr("&Theme"), &menu);
  menu.addMenu(list);
  auto* themes = new QActionGroup(&menu);
  for (const ThemeId id : all_themes) {
    const Theme& t = theme(id);
    add_ticked(*list, workbench,
               {tr("%1 theme").arg(QString::fromUtf8(t.title)),
                QString::fromUtf8(t.name),
                [&t](const Appearance& looks) { return looks.theme == t.name; },
                {},
                [&workbench, &t](bool) { workbench.looks().set_theme(t.name); }},
               themes);
  }
  const auto scale = [&workbench](int percent) {
    return [&workbench, percent] {
      workbench.looks().set_text_scale(workbench.looks().appearance().text_scale + percent);
    };
  };
  QAction* larger = menu.addAction(tr("&Larger text"), &workbench, scale(10));
  larger->setShortcuts({QKeySequence(QKeySequence::ZoomIn), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  menu.addAction(tr("&Smaller text"), QKeySequence::ZoomOut, &workbench, scale(-10));
  menu.addAction(tr("&Normal text"), Qt::CTRL | Qt::Key_0, &workbench,
                 [&workbench] { workbench.looks().set_text_scale(workbench.looks().usual_text_scale()); });
}

}  // namespace kdscope
