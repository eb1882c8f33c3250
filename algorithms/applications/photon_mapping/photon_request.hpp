#pragma once
// What a photon map is asked for, and what became of its photons.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithms/applications/application.hpp"

namespace kdscope {

/// Photons for the caustics of a picture (Zhou et al. 2008, section 5).
struct PhotonRequest {
  std::uint32_t count = 200'000;  ///< photons that the lights emit together
  std::uint32_t k = 50;           ///< nearest photons in an estimate, 1 to 128
  std::uint32_t bounces = 6;      ///< how often a photon is reflected or refracted at most
  std::uint64_t seed = 1;
  /// The faintest light that matters, as a share of a light's own: the least density from which R is derived (App. A).
  double faintest = 0.02;
  bool keep = false;  ///< whether PhotonReport::photons is wanted, which takes a download
};

/// Returns the photons by which the source shows a scene: those of Fig. 7(b) for champagne, those of Fig. 7(a) for
/// others. scene: data specification.
PhotonRequest usual_photons(std::string_view scene);

namespace photon_mapping {
/// The trees over stored photons.
const Application& application();
}  // namespace photon_mapping

/// A stored photon.
struct Photon {
  std::array<float, 3> at;    ///< where it ended
  std::array<float, 3> flux;  ///< red, green and blue
};

/// Where the light of photons ends.
enum class PhotonEnd : std::uint8_t {
  stored,    ///< on a matte surface, after a mirror or glass
  direct,    ///< on a matte surface at once: no caustic, so it is not stored
  escaped,   ///< out of the scene
  absorbed,  ///< by mirrors and coloured glass, or after too many bounces
};
inline constexpr int photon_ends = 4;
const char* name_of(PhotonEnd end);  ///< "stored", "direct", "escaped", "absorbed"

struct PhotonReport {
  std::uint32_t emitted = 0, stored = 0;
  /// Red, green and blue light that ended in each way; a photon is emitted with 1 of each. Their sum over the ends is
  /// `emitted`, up to 2^-20 of each photon for each bounce.
  std::array<std::array<double, 3>, photon_ends> light{};
  double radius = 0;  ///< R, in the scene's units
  /// One per picture: emission and travel; the tree; and gathering, which is a part of the picture's trace.
  std::vector<double> trace_ms, build_ms, gather_ms;
  std::vector<Photon> photons;  ///< the stored ones; empty unless they were to be kept
};

}  // namespace kdscope
