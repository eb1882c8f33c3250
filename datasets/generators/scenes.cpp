#include "datasets/generators/scenes.hpp"

#include <algorithm>
#include <array>

namespace kdscope {

std::span<const SceneModel> scene_models() {
  static constexpr std::array models = {
      SceneModel{"toys", "Toys", "A train, blocks, a bear and other toys on a floor; frames move them.", 11'000, true,
                 toys_scene},
      SceneModel{"museum", "Museum", "A hall with columns and exhibits; frames turn the mobile in its middle.", 27'000,
                 true, museum_scene},
      SceneModel{"robots", "Robots", "Robots in a street; frames let them walk.", 71'000, true, robots_scene},
      SceneModel{"kitchen", "Kitchen", "A kitchen with a laid table; frames drive a toy car over its floor.", 111'000,
                 true, kitchen_scene},
      SceneModel{"fairy-forest", "Fairy forest",
                 "Trees, mushrooms, grass and fairies, finely made in a wide scene; frames let the fairies fly.",
                 178'000, true, fairy_forest_scene},
      SceneModel{"dragon", "Dragon", "A scaled dragon, nearly all of it small triangles; frames burst it into pieces.",
                 252'000, true, dragon_scene},
      SceneModel{"metal-ring", "Metal ring", "A polished ring on a table, for caustics; frames push the ring.", 3'000,
                 true, metal_ring_scene},
      SceneModel{"champagne", "Glass of champagne",
                 "A glass with champagne and bubbles on a table, for caustics; frames push the glass.", 19'000, true,
                 champagne_scene},
  };
  return models;
}

DataSet scene_frame(const SceneModel& model, std::uint32_t frame, std::uint32_t triangles) {
  TriangleMesh mesh = model.make(double(frame) / scene_frames);
  mesh.refine_to(std::max(model.triangles, triangles));
  return mesh.data_set();
}

}  // namespace kdscope
