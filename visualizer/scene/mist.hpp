#pragma once
// Depth in a 3D picture: what is further away is paler and, if it is a mark, smaller.

#include <vtkActor.h>

#include <array>

#include "visualizer/style/colour.hpp"

namespace kdscope {

/// The share of the ground in the colour of what is furthest away, and the share of its size that a mark has lost
/// there.
inline constexpr double thickest_mist = 0.65, most_shrunk = 0.35;

/// GLSL for fragment shaders with the uniforms of set_mist(): `far`, from 0 at the front of the box to 1 at its back,
/// and code that mixes the colours with the mist.
inline constexpr const char *far_glsl =
                                "  float far = clamp((1.0 / gl_FragCoord.w - mist_range.x) / "
                                "(mist_range.y - mist_range.x), 0.0, 1.0);\n",
                            *mist_glsl =
                                "  ambientColor *= 1.0 - mist_share * far;\n"
                                "  diffuseColor = mix(diffuseColor, mist_colour, mist_share * far);\n";
/// Sets the uniforms of an actor.
void set_mist(vtkActor& actor, Rgb colour, double share);
/// Sets the distances from the eye at which the mist begins and ends, in scene units.
void set_mist_range(vtkActor& actor, std::array<double, 2> range);

}  // namespace kdscope
