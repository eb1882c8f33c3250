// Off-screen pictures.

#include "visualizer/scene/off_screen.hpp"

#include <vtkImageData.h>
#include <vtkRenderWindow.h>
#include <vtkWindowToImageFilter.h>
#include <xcb/xcb.h>

#include <algorithm>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

constexpr int largest_side = 16384;
constexpr double most_oversampled = 3840.0 * 2160.0;

}  // namespace

bool display_answers() {
  // XCB, because the macros of Xlib (Status, None, Bool) break the headers of VTK 9.3 and Qt. The connection stays
  // open: a server may restart when its last client leaves.
  static xcb_connection_t* const connection = xcb_connect(nullptr, nullptr);
  return xcb_connection_has_error(connection) == 0;
}

struct OffScreen::Parts {
  int width = 0, height = 0, over = 1;
  vtkNew<vtkRenderWindow> window;
  Scene scene;
  ~Parts() { scene.attach(nullptr); }
};

OffScreen::OffScreen() : parts_(std::make_unique<Parts>()) {}
OffScreen::~OffScreen() = default;
Scene& OffScreen::scene() { return parts_->scene; }

Result<std::unique_ptr<OffScreen>> OffScreen::of_size(int width, int height) {
  if (width < 16 || height < 16 || width > largest_side || height > largest_side)
    return Error{ErrorKind::bad_usage,
                 "a picture cannot have " + std::to_string(width) + " x " + std::to_string(height) + " pixels", "",
                 "choose sides of 16 to 16384 pixels"};
  if (!display_answers())
    return Error{ErrorKind::no_device, "no X server answers, and drawing needs one", "",
                 "run under xvfb-run, or set DISPLAY"};
  std::unique_ptr<OffScreen> made(new OffScreen);
  Parts& p = *made->parts_;
  p.width = width;
  p.height = height;
  p.over = double(width) * height <= most_oversampled ? 2 : 1;
  p.window->SetOffScreenRendering(1);
  p.window->SetMultiSamples(0);
  p.window->SetSize(width * p.over, height * p.over);
  p.scene.set_pixel_ratio(p.over * std::max(0.5, height / 720.0));
  p.scene.parts_->pass->set_smooth(p.over == 1);
  p.scene.attach(p.window);
  return made;
}

DrawnScene OffScreen::draw() {
  const Parts& p = *parts_;
  p.window->Render();
  vtkNew<vtkWindowToImageFilter> reader;
  reader->SetInput(p.window);
  reader->SetInputBufferTypeToRGB();
  reader->ReadFrontBufferOff();
  reader->ShouldRerenderOff();
  reader->Update();
  const auto* from = static_cast<const unsigned char*>(reader->GetOutput()->GetScalarPointer());
  const int width = p.width * p.over, height = p.height * p.over;
  return {width, height, {from, from + std::size_t(width) * height * 3}};
}

void Scene::look_like(const Scene& other) {
  parts_->state = other.parts_->state;
  parts_->marks.set_places(parts_->state.places);
  parts_->stale = parts_->surface_stale = parts_->clouds_stale = true;
}

}  // namespace kdscope
