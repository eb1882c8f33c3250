// Pictures off-screen.

#include <X11/Xlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <vtkImageData.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

constexpr int largest_side = 16384;
/// Pictures up to this many pixels are drawn at twice the size and averaged.
constexpr double most_oversampled = 3840.0 * 2160.0;

/// Every 2 x 2 block as one pixel.
vtkSmartPointer<vtkImageData> halved(vtkImageData* image) {
  const int width = image->GetDimensions()[0] / 2, height = image->GetDimensions()[1] / 2;
  auto half = vtkSmartPointer<vtkImageData>::New();
  half->SetDimensions(width, height, 1);
  half->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  const auto* from = static_cast<const unsigned char*>(image->GetScalarPointer());
  auto* to = static_cast<unsigned char*>(half->GetScalarPointer());
  const std::size_t row = std::size_t(image->GetDimensions()[0]) * 3;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        const unsigned char* at = from + 2 * y * row + 6 * x + c;
        *to++ = static_cast<unsigned char>((at[0] + at[3] + at[row] + at[row + 3] + 2) / 4);
      }
  return half;
}

Result<void> write_png(vtkImageData* image, const std::string& path) {
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(image);
  writer->WriteToMemoryOn();
  writer->Write();
  const vtkUnsignedCharArray* bytes = writer->GetResult();
  // A failed save keeps the old file.
  const std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary);
  file.write(reinterpret_cast<const char*>(const_cast<vtkUnsignedCharArray*>(bytes)->GetPointer(0)), bytes->GetNumberOfValues());
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(temporary, path, failed);
  if (file && !failed) return {};
  std::filesystem::remove(temporary, failed);
  return Error{ErrorKind::io_failure, "the picture cannot be written", path, "check that the folder exists and has room"};
}

}  // namespace

bool display_answers() {
  static Display* const display = XOpenDisplay(nullptr);
  return display != nullptr;
}

Result<void> Scene::save_png(int width, int height, const std::string& path) const {
  if (width < 16 || height < 16 || width > largest_side || height > largest_side)
    return Error{ErrorKind::bad_usage, "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels is asked for",
                 path, "choose sides of 16 to 16384 pixels"};
  if (!display_answers())
    return Error{ErrorKind::no_device, "no X server answers, and drawing needs one", "", "run under xvfb-run, or set DISPLAY"};
  const int over = double(width) * height <= most_oversampled ? 2 : 1;
  auto window = vtkSmartPointer<vtkRenderWindow>::New();
  window->SetOffScreenRendering(1);
  window->SetMultiSamples(0);
  window->SetSize(width * over, height * over);
  Scene copy;
  copy.parts_->state = parts_->state;
  copy.parts_->marks.set_places(copy.parts_->state.places);
  // A picture is looked at as a whole: 24 px text at 1080 rows, and in proportion.
  copy.set_pixel_ratio(over * std::max(0.5, height / 720.0));
  copy.parts_->pass->set_smooth(over == 1);
  copy.attach(window);
  window->Render();
  vtkNew<vtkWindowToImageFilter> reader;
  reader->SetInput(window);
  reader->SetInputBufferTypeToRGB();
  reader->ReadFrontBufferOff();
  reader->ShouldRerenderOff();
  reader->Update();
  vtkSmartPointer<vtkImageData> image = reader->GetOutput();
  if (over == 2) image = halved(image);
  const Result<void> written = write_png(image, path);
  copy.attach(nullptr);
  return written;
}

Result<void> render_to_png(const Cursor& cursor, const PngOptions& options, const std::string& path) {
  Scene scene;
  scene.set_theme(options.theme);
  scene.set_text_scale(options.text_scale);
  scene.set_options(options.scene);
  if (auto shown = scene.show(cursor); !shown) return shown;
  if (options.preset) scene.set_camera_preset(*options.preset);
  if (options.camera) scene.set_camera(*options.camera);
  scene.select_point(options.selected);
  if (options.caption) {
    const Step& step = cursor.current();
    const std::string number = "step " + std::to_string(cursor.step() + 1) + " / " + std::to_string(cursor.step_count());
    scene.set_caption(step.title.empty() ? step.name : step.title, number + "   " + path_text(step));
  }
  return scene.save_png(options.width, options.height, path);
}

}  // namespace kdscope
