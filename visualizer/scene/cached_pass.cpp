#include "visualizer/scene/cached_pass.hpp"

#include <vtkObjectFactory.h>
#include <vtkOpenGLFXAAPass.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkRenderState.h>
#include <vtkRenderStepsPass.h>
#include <vtkRenderer.h>
#include <vtk_glew.h>

namespace kdscope {

vtkStandardNewMacro(CachedPass)

    CachedPass::CachedPass() {
  fxaa_->SetDelegatePass(steps_);
}
CachedPass::~CachedPass() = default;

void CachedPass::copy(vtkOpenGLFramebufferObject* from, vtkOpenGLFramebufferObject* to, int width, int height) {
  const int extent[4]{0, width - 1, 0, height - 1};
  from->Bind(vtkOpenGLFramebufferObject::GetReadMode());
  from->ActivateReadBuffer(0);
  to->Bind(vtkOpenGLFramebufferObject::GetDrawMode());
  to->ActivateDrawBuffer(0);
  vtkOpenGLFramebufferObject::Blit(extent, extent, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void CachedPass::Render(const vtkRenderState* state) {
  auto* window = vtkOpenGLRenderWindow::SafeDownCast(state->GetRenderer()->GetRenderWindow());
  const int width = window->GetSize()[0], height = window->GetSize()[1];
  vtkOpenGLState* gl = window->GetState();
  if (valid_ && width == width_ && height == height_) {
    gl->PushFramebufferBindings();
    gl->vtkglDisable(GL_SCISSOR_TEST);
    copy(picture_, window->GetRenderFramebuffer(), width, height);
    gl->PopFramebufferBindings();
    return;
  }
  ++drawn_;
  if (smooth_ && oblique_)
    fxaa_->Render(state);
  else
    steps_->Render(state);
  gl->PushFramebufferBindings();
  gl->vtkglDisable(GL_SCISSOR_TEST);
  picture_->SetContext(window);
  picture_->PopulateFramebuffer(width, height, true, 1, VTK_UNSIGNED_CHAR, false, 0, 0);
  copy(window->GetRenderFramebuffer(), picture_, width, height);
  gl->PopFramebufferBindings();
  valid_ = true;
  width_ = width;
  height_ = height;
}

void CachedPass::ReleaseGraphicsResources(vtkWindow* window) {
  valid_ = false;
  steps_->ReleaseGraphicsResources(window);
  fxaa_->ReleaseGraphicsResources(window);
  picture_->ReleaseGraphicsResources(window);
}

}  // namespace kdscope
