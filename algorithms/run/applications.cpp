#include "algorithms/run/applications.hpp"

#include "algorithms/run/application_fields.hpp"
#include "algorithms/run/run_work.hpp"

namespace kdscope {
namespace {

using variants::Work;

const Work<PictureRequest, Picture> picture{"a picture", trace_picture};
const Work<TrackingRequest, Tracking> tracking{"tracking", track};
const Work<CloudRequest, Cloud> cloud{"the estimate of normals", estimate_cloud};
const Work<StrengthRequest, StrengthField> strength{"a strength field", strength_field};
const Work<DeformRequest, DeformedCloud> deformation{"a deformation", deform_cloud};

}  // namespace

Result<Picture> run(const PictureRequest& request, const RunControl& control) {
  return run_work(picture, request, control);
}
Result<Tracking> run(const TrackingRequest& request, const RunControl& control) {
  return run_work(tracking, request, control);
}
Result<Cloud> run(const CloudRequest& request, const RunControl& control) { return run_work(cloud, request, control); }
Result<StrengthField> run(const StrengthRequest& request, const RunControl& control) {
  return run_work(strength, request, control);
}
Result<DeformedCloud> run(const DeformRequest& request, const RunControl& control) {
  return run_work(deformation, request, control);
}

std::vector<variants::ServedWork> application_works() {
  return {served(picture), served(tracking), served(cloud), served(strength), served(deformation)};
}

}  // namespace kdscope
