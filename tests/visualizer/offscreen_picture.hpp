#pragma once
// Renders a scene in an off-screen window, with its annotations, and reads the colours of its pixels. Needs an X
// server.

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkSmartPointer.h>
#include <vtkWindowToImageFilter.h>

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include "app/appearance/display_painter.hpp"
#include "visualizer/scene/scene.hpp"

namespace kdscope {

/// RGB pixels. Places are counted from the lower left.
struct Picture {
  QImage image;
  int width() const { return image.width(); }
  int height() const { return image.height(); }
  Rgb at(double x, double y) const {
    const uchar* p = image.constScanLine(height() - 1 - static_cast<int>(y)) + 3 * static_cast<int>(x);
    return {p[0], p[1], p[2]};
  }
  /// Returns the number of pixels in the square around (x, y) whose colour is nearer to `colour` than `tolerance`
  /// (OKLab).
  int count(double x, double y, int reach, Rgb colour, double tolerance = 0.03) const {
    int found = 0;
    for (int v = std::max(0, int(y) - reach); v <= std::min(height() - 1, int(y) + reach); ++v)
      for (int u = std::max(0, int(x) - reach); u <= std::min(width() - 1, int(x) + reach); ++u)
        found += colour_distance(at(u, v), colour) < tolerance;
    return found;
  }
  bool operator==(const Picture& other) const = default;
};

/// A scene and its off-screen window. The destructor detaches the scene before the window is destroyed.
struct OffscreenScene {
  vtkSmartPointer<vtkRenderWindow> window = vtkSmartPointer<vtkRenderWindow>::New();
  Scene scene;

  OffscreenScene(int width = 640, int height = 480) {
    if (!display_answers())
      throw ErrorException({ErrorKind::no_device, "no X server answers", "", "run under xvfb-run"});
    window->SetOffScreenRendering(1);
    window->SetMultiSamples(0);
    window->SetSize(width, height);
    scene.set_text_width(text_width_in(QGuiApplication::font()));
    scene.attach(window);
  }
  ~OffscreenScene() { scene.attach(nullptr); }
  Picture draw() {
    window->Render();
    vtkNew<vtkWindowToImageFilter> reader;
    reader->SetInput(window);
    reader->SetInputBufferTypeToRGB();
    reader->ReadFrontBufferOff();
    reader->ShouldRerenderOff();
    reader->Update();
    const auto* drawn = static_cast<const uchar*>(reader->GetOutput()->GetScalarPointer());
    const int *size = window->GetSize(), width = size[0], height = size[1];
    QImage image = QImage(drawn, width, height, 3 * width, QImage::Format_RGB888).mirrored();
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_display_list(painter, scene.annotations(), theme(scene.theme_id()), QGuiApplication::font());
    return {image};
  }
};

/// Returns the texts that lie on one another or reach out of a picture.
inline std::vector<std::string> illegible_texts(const Scene& scene, double width, double height) {
  std::vector<std::string> illegible;
  const auto& texts = scene.texts();
  const auto rooms = scene.text_rooms();
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    const auto& [left, bottom, right, top] = rooms[i];
    bool bad = left < 0 || bottom < 0 || right > width || top > height;
    for (std::size_t j = 0; j < i; ++j)
      bad = bad || (left < rooms[j][2] && rooms[j][0] < right && bottom < rooms[j][3] && rooms[j][1] < top);
    if (bad) illegible.push_back(texts[i].first);
  }
  return illegible;
}

/// Returns the middle of a text in a picture; nullopt if it is not drawn.
inline std::optional<std::array<double, 2>> place_of_text(const Scene& scene, const std::string& words) {
  for (std::size_t i = 0; i < scene.texts().size(); ++i) {
    if (scene.texts()[i].first != words) continue;
    const auto room = scene.text_rooms()[i];
    return std::array{(room[0] + room[2]) / 2, (room[1] + room[3]) / 2};
  }
  return std::nullopt;
}

}  // namespace kdscope
