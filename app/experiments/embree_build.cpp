#include "app/experiments/embree_build.hpp"

#if defined(KDSCOPE_HAS_EMBREE)
#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <algorithm>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/scalar.hpp"
#endif

namespace kdscope {

#if defined(KDSCOPE_HAS_EMBREE)
namespace {

/// Throws the device's last error, if there is one.
void check(RTCDevice device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  const bool memory = error == RTC_ERROR_OUT_OF_MEMORY;
  throw ErrorException({memory ? ErrorKind::out_of_memory : ErrorKind::device_failure,
                        memory ? "host memory has no room for Embree's hierarchy"
                               : "Embree reported error " + std::to_string(static_cast<int>(error)),
                        "", "use fewer triangles"});
}

}  // namespace

std::function<void()> embree_build(std::shared_ptr<const DataSet> data) {
  const std::shared_ptr<RTCDeviceTy> device(rtcNewDevice(nullptr), [](RTCDevice d) {
    if (d) rtcReleaseDevice(d);
  });
  check(device.get());
  const std::shared_ptr<RTCGeometryTy> mesh(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE),
                                            [](RTCGeometry g) {
                                              if (g) rtcReleaseGeometry(g);
                                            });
  const PointSet& points = data->points;
  if (auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(
          mesh.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), points.size())))
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::uint32_t d = 0; d < 3; ++d) *vertices++ = float_of(points.word(i, d));
  if (void* corners = rtcSetNewGeometryBuffer(mesh.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              3 * sizeof(unsigned), data->triangles.size() / 3))
    std::copy(data->triangles.begin(), data->triangles.end(), static_cast<unsigned*>(corners));
  rtcCommitGeometry(mesh.get());
  check(device.get());
  return [device, mesh] {
    const std::shared_ptr<RTCSceneTy> scene(rtcNewScene(device.get()), [](RTCScene s) {
      if (s) rtcReleaseScene(s);
    });
    rtcAttachGeometry(scene.get(), mesh.get());
    rtcCommitScene(scene.get());
    check(device.get());
  };
}
#else
std::function<void()> embree_build(std::shared_ptr<const DataSet>) { return {}; }
#endif

}  // namespace kdscope
