#pragma once
// Procedural stand-ins for the scenes that Zhou et al. 2008 build their trees for (Fig. 4 and 7): the same numbers of
// triangles in thousands, made of parts of very different sizes, with empty space between them. z is up.

#include <cstdint>
#include <span>

#include "algorithms/core/points.hpp"
#include "datasets/generators/triangle_mesh.hpp"

namespace kdscope {

/// One scene. The bytes of its triangles are the same on every machine: +, -, *, / and square roots of doubles alone.
struct SceneModel {
  const char* id;
  const char* title;
  const char* description;            ///< one sentence
  std::uint32_t triangles;            ///< exactly so many, in every frame
  bool animated;                      ///< frames differ, and all have the same triangles over vertices that move
  TriangleMesh (*make)(double time);  ///< at most that many triangles; time in [0, 1) of the animation
};

/// Frames from the start of an animation to its end.
inline constexpr std::uint32_t scene_frames = 100;

/// Every scene, in the order of the source's figures.
std::span<const SceneModel> scene_models();
/// Frame 0 to scene_frames - 1 of a scene, without a name. Where more `triangles` are asked for than the model has, the
/// longest edges are halved until there are so many; frames then differ in which. Work O(triangles log triangles).
DataSet scene_frame(const SceneModel& model, std::uint32_t frame, std::uint32_t triangles = 0);

TriangleMesh toys_scene(double time);
TriangleMesh museum_scene(double time);
TriangleMesh robots_scene(double time);
TriangleMesh kitchen_scene(double time);
TriangleMesh fairy_forest_scene(double time);
TriangleMesh dragon_scene(double time);
TriangleMesh metal_ring_scene(double time);
TriangleMesh champagne_scene(double time);

}  // namespace kdscope
