#include "app/workbench/messages.hpp"

#include "app/workbench/device_choice.hpp"
#include "app/workbench/run_desk.hpp"

namespace kdscope {

void Messages::report(const Error& error, const RunRequest& run) {
  const KnownDevice& device = devices_.chosen();
  emit failed(error, offer_for(error, run, device.report, device.is_elsewhere()), run);
}

void Messages::report_of_run(const Error& error) { report(error, desk_.request()); }

void Messages::report(const Error& error) { emit failed(error, Offer::none, desk_.request()); }

bool Messages::conclude(const Result<void>& done) {
  if (done)
    emit succeeded();
  else
    report(done.error());
  return done.has_value();
}

}  // namespace kdscope
