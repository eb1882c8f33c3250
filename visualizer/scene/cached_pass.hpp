#pragma once
// Caches the picture of a renderer, so that an overlay above it can change without redrawing 10^6 points.

#include <vtkNew.h>
#include <vtkRenderPass.h>

class vtkOpenGLFramebufferObject;
class vtkOpenGLFXAAPass;
class vtkRenderStepsPass;

namespace kdscope {

/// Draws with VTK's own steps (smoothed by FXAA if requested and oblique), or copies the last picture while it is
/// valid.
class CachedPass : public vtkRenderPass {
 public:
  static CachedPass* New();
  vtkTypeMacro(CachedPass, vtkRenderPass) void Render(const vtkRenderState* state) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;
  /// Draws the next frame again.
  void invalidate() { valid_ = false; }
  void set_smooth(bool smooth) { smooth_ = smooth; }
  /// Lines that are all level or upright stay sharp: FXAA would taper them at their ends.
  void set_oblique(bool oblique) { oblique_ = oblique; }
  /// Returns how often the renderer was drawn, not copied.
  unsigned long drawn() const { return drawn_; }

 protected:
  CachedPass();
  ~CachedPass() override;

 private:
  void copy(vtkOpenGLFramebufferObject* from, vtkOpenGLFramebufferObject* to, int width, int height);
  vtkNew<vtkRenderStepsPass> steps_;
  vtkNew<vtkOpenGLFXAAPass> fxaa_;
  vtkNew<vtkOpenGLFramebufferObject> picture_;
  bool valid_ = false, smooth_ = true, oblique_ = true;
  int width_ = 0, height_ = 0;
  unsigned long drawn_ = 0;
};

}  // namespace kdscope
