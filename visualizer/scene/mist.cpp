#include "visualizer/scene/mist.hpp"

#include <vtkShaderProperty.h>
#include <vtkUniforms.h>

#include <algorithm>

namespace kdscope {

void set_mist(vtkActor& actor, Rgb colour, double share) {
  vtkUniforms& uniforms = *actor.GetShaderProperty()->GetFragmentCustomUniforms();
  const float rgb[3]{static_cast<float>(colour.r) / 255, static_cast<float>(colour.g) / 255,
                     static_cast<float>(colour.b) / 255};
  uniforms.SetUniform3f("mist_colour", rgb);
  uniforms.SetUniformf("mist_share", static_cast<float>(share));
  uniforms.SetUniformf("mist_shrunk", static_cast<float>(most_shrunk));
}

void set_mist_range(vtkActor& actor, std::array<double, 2> range) {
  const float ends[2]{static_cast<float>(range[0]), static_cast<float>(std::max(range[1], range[0] + 1e-6))};
  actor.GetShaderProperty()->GetFragmentCustomUniforms()->SetUniform2f("mist_range", ends);
}

}  // namespace kdscope
