// The dimensions on the axes, and how undo takes a choice of them back.

#include "app/workbench/workbench.hpp"

namespace kdscope {

class ChooseAxes : public QUndoCommand {
 public:
  ChooseAxes(Workbench& workbench, const Axes& axes)
      : QUndoCommand(Workbench::tr("choose the axes")),
        workbench_(workbench),
        before_(workbench.playback().place().axes),
        after_(axes) {}
  void undo() override { workbench_.set_axes(before_); }
  void redo() override { workbench_.set_axes(after_); }

 private:
  Workbench& workbench_;
  std::optional<Axes> before_, after_;
};

void Workbench::choose_axes(const Axes& axes) {
  if (!cursor() || axes == this->axes()) return;
  const std::uint32_t dim = trace()->header.dim;
  if (!axes_fit(axes, dim))
    return report({ErrorKind::bad_usage, "these axes cannot be drawn", "",
                   "choose different dimensions of the " + std::to_string(dim) + " that there are"});
  undo_.push(new ChooseAxes(*this, axes));
}

void Workbench::set_axes(const std::optional<Axes>& axes) {
  if (axes != playback_.place().axes) session_.camera.reset();
  playback_.set_axes(axes);
}

}  // namespace kdscope
