#pragma once
// How the window shows a run: theme, text scale, what views of space draw, and the camera that the user moved.

#include <QObject>
#include <optional>
#include <string>

#include "app/session/session.hpp"

namespace kdscope {

class Looks : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Appearance& appearance() const { return appearance_; }

  void set_theme(const std::string& theme);
  void set_text_scale(int percent);
  /// The text scale until a person chooses another one: what suits the screen, in percent.
  int usual_text_scale() const { return usual_text_scale_; }
  /// Sets this, and shows texts at it.
  void set_usual_text_scale(int percent);
  /// Shows or hides an optional part of views of space.
  void set_part(bool Appearance::*part, bool shown);
  void set_equal_scales(bool equal);
  void set_colouring(Colouring colouring);
  /// Keeps the camera that the user moved; nullopt: fitted to the points. Undo does not revert this by itself. Emits no
  /// signal.
  void set_camera(std::optional<CameraState> camera) { appearance_.camera = camera; }
  /// Takes over everything but the camera. Returns false, and keeps the theme, if the other theme is unknown here.
  bool restore(Appearance looks);

 signals:
  void changed();

 private:
  Appearance appearance_;
  int usual_text_scale_ = Appearance().text_scale;
};

}  // namespace kdscope
