#include "app/workbench/axes_choice.hpp"

namespace kdscope {
namespace {

class ChooseAxes : public QUndoCommand {
 public:
  ChooseAxes(Workbench& workbench, const Axes& axes)
      : QUndoCommand(Workbench::tr("choose the axes")),
        workbench_(workbench),
        before_(workbench.playback().place().axes),
        after_(axes) {}
  void undo() override { set_axes(workbench_, before_); }
  void redo() override { set_axes(workbench_, after_); }

 private:
  Workbench& workbench_;
  std::optional<Axes> before_, after_;
};

}  // namespace

void choose_axes(Workbench& workbench, const Axes& axes) {
  const Playback& playback = workbench.playback();
  if (!playback.cursor() || axes == playback.axes()) return;
  const std::uint32_t dim = playback.trace()->header.dim;
  if (!axes_fit(axes, dim))
    return workbench.messages().report(
        {ErrorKind::bad_usage, "these axes cannot be drawn", "",
         "choose different dimensions of the " + std::to_string(dim) + " that there are"});
  workbench.undo_stack().push(new ChooseAxes(workbench, axes));
}

void set_axes(Workbench& workbench, const std::optional<Axes>& axes) {
  if (axes != workbench.playback().place().axes) workbench.looks().set_camera(std::nullopt);
  workbench.playback().set_axes(axes);
}

}  // namespace kdscope
