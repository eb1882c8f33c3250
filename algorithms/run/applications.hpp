#pragma once
// The applications through the one door (run.hpp), what devices there are, and copies of memory: each request with its
// result. Errors are those of the function that
// does the work, and device_failure if the process that does it ends.

#include <vector>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/applications/tracking/tracking.hpp"
#include "algorithms/microbench/copy_bandwidth.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/work.hpp"

namespace kdscope {

struct DevicesRequest {};
/// The device whose memory is copied.
struct CopyRequest {
  Device device;
};

Result<Picture> run(const PictureRequest& request, const RunControl& control = {});         ///< trace_picture()
Result<Tracking> run(const TrackingRequest& request, const RunControl& control = {});       ///< track()
Result<Cloud> run(const CloudRequest& request, const RunControl& control = {});             ///< estimate_cloud()
Result<StrengthField> run(const StrengthRequest& request, const RunControl& control = {});  ///< strength_field()
Result<DeformedCloud> run(const DeformRequest& request, const RunControl& control = {});    ///< deform_cloud()
Result<DeviceReport> run(const DevicesRequest& request, const RunControl& control = {});    ///< find_devices()
Result<CopyBandwidth> run(const CopyRequest& request, const RunControl& control = {});      ///< copy_bandwidth()

/// All of these, as a runner does them.
std::vector<variants::ServedWork> application_works();

}  // namespace kdscope
