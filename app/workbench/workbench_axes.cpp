// The dimensions on the axes, and how undo takes a choice of them back.

#include "app/workbench/workbench.hpp"

namespace kdscope {

class ChooseAxes : public QUndoCommand {
 public:
  ChooseAxes(Workbench& workbench, const Axes& axes)
      : QUndoCommand(Workbench::tr("choose the axes")),
        workbench_(workbench),
        before_(workbench.session().axes),
        after_(axes) {}
  void undo() override { workbench_.set_axes(before_); }
  void redo() override { workbench_.set_axes(after_); }

 private:
  Workbench& workbench_;
  std::optional<Axes> before_, after_;
};

void Workbench::choose_axes(const Axes& axes) {
  if (!cursor_ || axes == this->axes()) return;
  const std::uint32_t dim = cursor_->trace().header.dim;
  if (!axes_fit(axes, dim))
    return report({ErrorKind::bad_usage, "these axes cannot be drawn", "",
                   "choose different dimensions of the " + std::to_string(dim) + " that there are"});
  undo_.push(new ChooseAxes(*this, axes));
}

void Workbench::set_axes(const std::optional<Axes>& axes) {
  if (session_.axes == axes || (axes && cursor_ && !axes_fit(*axes, cursor_->trace().header.dim))) return;
  session_.axes = axes;
  session_.camera.reset();
  leave_change();  // tables of many dimensions have other rows
  emit axes_changed();
  emit change_walked();
}

}  // namespace kdscope
