#include "algorithms/run/applications.hpp"

#include "algorithms/run/application_fields.hpp"
#include "algorithms/run/run_work.hpp"

namespace kdscope {
namespace {

using variants::Work;

Result<DeviceReport> found_devices(const DevicesRequest&, const RunControl&) { return find_devices(); }
Result<CopyBandwidth> copied(const CopyRequest& request, const RunControl& control) {
  return copy_bandwidth(request.device, control.stop);
}

const Work<DevicesRequest, DeviceReport> devices_work{"the list of devices", found_devices};
const Work<CopyRequest, CopyBandwidth> copy_work{"a copy of memory", copied};
const Work<PictureRequest, Picture> picture_work{"a picture", trace_picture};
const Work<TrackingRequest, Tracking> tracking_work{"tracking", track};
const Work<CloudRequest, Cloud> cloud_work{"the estimate of normals", estimate_cloud};
const Work<StrengthRequest, StrengthField> strength_work{"a strength field", strength_field};
const Work<DeformRequest, DeformedCloud> deformation_work{"a deformation", deform_cloud};

}  // namespace

Result<Picture> run(const PictureRequest& request, const RunControl& control) {
  return run_work(picture_work, request, control);
}
Result<Tracking> run(const TrackingRequest& request, const RunControl& control) {
  return run_work(tracking_work, request, control);
}
Result<Cloud> run(const CloudRequest& request, const RunControl& control) {
  return run_work(cloud_work, request, control);
}
Result<StrengthField> run(const StrengthRequest& request, const RunControl& control) {
  return run_work(strength_work, request, control);
}
Result<DeformedCloud> run(const DeformRequest& request, const RunControl& control) {
  return run_work(deformation_work, request, control);
}

Result<DeviceReport> run(const DevicesRequest& request, const RunControl& control) {
  return run_work(devices_work, request, control);
}
Result<CopyBandwidth> run(const CopyRequest& request, const RunControl& control) {
  return run_work(copy_work, request, control);
}

std::vector<variants::ServedWork> application_works() {
  return {served(devices_work), served(copy_work),     served(picture_work),    served(tracking_work),
          served(cloud_work),   served(strength_work), served(deformation_work)};
}

}  // namespace kdscope
