#pragma once
// How processes exchange the applications' requests and results (trace_stream.hpp): all members in the order of their
// declaration. A new member does not compile until it is counted here.

#include "algorithms/run/applications.hpp"
#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

// clang-format off
template <class Io> void fields(Io&, DevicesRequest&) {}
template <class Io> void fields(Io& io, DeviceReport& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, CopyRequest& value) { auto& [a] = value; io(a); }
template <class Io> void fields(Io& io, CopyBandwidth& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, Vector3& value) { auto& [a, b, c] = value; io(a, b, c); }
template <class Io> void fields(Io& io, Placement& value) { auto& [a, b, c, d] = value; io(a, b, c, d); }

template <class Io> void fields(Io& io, Material& value) { auto& [a, b, c, d] = value; io(a, b, c, d); }
template <class Io> void fields(Io& io, PointLight& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, SceneLook& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, Camera& value) { auto& [a, b, c, d, e, f] = value; io(a, b, c, d, e, f); }
constexpr SceneTree last_of(SceneTree) { return SceneTree::median; }
constexpr Primitive last_of(Primitive) { return Primitive::triangle; }
template <class Io> void fields(Io& io, SplitPlaneRules& value) {
  auto& [a, b, c, d, e, f] = value;
  io(a, b, c, d, e, f);
}
template <class Io> void fields(Io& io, SplitPlaneTree& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
  io(a, b, c, d, e, f, g, h, i, j, k, l, m);
}
template <class Io> void fields(Io& io, PhotonRequest& value) {
  auto& [a, b, c, d, e, f] = value;
  io(a, b, c, d, e, f);
}
template <class Io> void fields(Io& io, Photon& value) { auto& [a, b] = value; io(a, b); }
template <class Io> void fields(Io& io, PhotonReport& value) {
  auto& [a, b, c, d, e, f, g, h] = value;
  io(a, b, c, d, e, f, g, h);
}
template <class Io> void fields(Io& io, PictureRequest& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
  io(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}
template <class Io> void fields(Io& io, RayCounts& value) { auto& [a, b, c] = value; io(a, b, c); }
template <class Io> void fields(Io& io, Picture& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
  io(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}

template <class Io>
void fields(Io& io, PointId& id) {
  io(id.value);
}
template <class Io> void fields(Io& io, TrackedObject& value) { auto& [a, b] = value; io(a, b); }
constexpr TrackingFit last_of(TrackingFit) { return TrackingFit::planes; }
template <class Io> void fields(Io& io, TrackingRequest& value) {
  auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
  io(a, b, c, d, e, f, g, h, i, j, k);
}
template <class Io> void fields(Io& io, TrackingStep& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, TrackedFrame& value) { auto& [a, b, c, d, e, f] = value; io(a, b, c, d, e, f); }
template <class Io> void fields(Io& io, Tracking& value) { auto& [a, b, c] = value; io(a, b, c); }

template <class Io> void fields(Io& io, CloudRequest& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, Cloud& value) {
  auto& [a, b, c, d, e, f, g, h, i] = value;
  io(a, b, c, d, e, f, g, h, i);
}
template <class Io> void fields(Io& io, StrengthRequest& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, StrengthField& value) { auto& [a, b, c, d, e] = value; io(a, b, c, d, e); }
template <class Io> void fields(Io& io, DeformRequest& value) { auto& [a, b, c, d] = value; io(a, b, c, d); }
template <class Io> void fields(Io& io, DeformedCloud& value) { auto& [a, b] = value; io(a, b); }
// clang-format on

}  // namespace kdscope
