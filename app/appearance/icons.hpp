#pragma once
// The workbench's icons: the files of appearance/icons in the colour of the text, for any size and theme.

#include <QIcon>

namespace kdscope {

enum class Symbol {
  first,
  back,
  play,
  pause,
  forward,
  last,
  previous_stop,
  next_stop,
  level_back,
  level_forward,
  bookmark,
  run,
  cancel,
  clock,
  open,
  file,
  parent_folder,
  new_folder,
  close,
  float_dock,
  passed,
  failed,
  warning,
  information
};

/// An icon that uses the application's palette when it is painted, so a change of theme needs no new icon.
QIcon icon(Symbol symbol);
/// An icon in a fixed colour, for check marks.
QIcon icon(Symbol symbol, const QColor& colour);

}  // namespace kdscope
