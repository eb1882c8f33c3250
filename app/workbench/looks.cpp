#include "app/workbench/looks.hpp"

#include <algorithm>
#include <utility>

#include "visualizer/style/theme.hpp"

namespace kdscope {

void Looks::set_theme(const std::string& theme) {
  appearance_.theme = theme;
  emit changed();
}

void Looks::set_text_scale(int percent) {
  appearance_.text_scale = std::clamp(percent, min_text_scale, max_text_scale);
  emit changed();
}

void Looks::set_usual_text_scale(int percent) {
  usual_text_scale_ = percent;
  set_text_scale(percent);
}

void Looks::set_part(bool Appearance::*part, bool shown) {
  appearance_.*part = shown;
  emit changed();
}

void Looks::set_equal_scales(bool equal) {
  if (equal != appearance_.equal_scales) appearance_.camera.reset();
  appearance_.equal_scales = equal;
  emit changed();
}

void Looks::set_colouring(Colouring colouring) {
  appearance_.colouring = colouring;
  emit changed();
}

bool Looks::restore(Appearance looks) {
  const bool known = theme_named(looks.theme).has_value();
  if (!known) looks.theme = appearance_.theme;
  looks.camera = appearance_.camera;
  looks.text_scale = std::clamp(looks.text_scale, min_text_scale, max_text_scale);
  appearance_ = std::move(looks);
  emit changed();
  return known;
}

}  // namespace kdscope
