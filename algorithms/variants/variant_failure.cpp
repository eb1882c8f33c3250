#include "algorithms/variants/variant_failure.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/divergence.hpp"
#include "datasets/data_file.hpp"

namespace kdscope::variants {
namespace {

std::string first_failed_check(const Trace& trace) {
  for (const Step& step : trace.steps)
    for (const CheckResult& check : step.checks)
      if (!check.passed) return "the check '" + check.name + "' fails: " + check.detail;
  return "";
}

/// Returns whether an error is about this machine or a stop request, not about what the variant did.
bool concerns_machine(const Error& error) {
  return error.kind == ErrorKind::cancelled || error.kind == ErrorKind::io_failure ||
         error.kind == ErrorKind::no_device || error.kind == ErrorKind::bad_usage;
}

}  // namespace

VariantTester::VariantTester(VariantFile variant, std::filesystem::path program, Kit kit, RunRequest run,
                             std::stop_token stop, std::uint64_t seed)
    : variant_(std::move(variant)),
      program_(std::move(program)),
      kit_(std::move(kit)),
      run_(std::move(run)),
      stop_(std::move(stop)),
      orders_{{}, {LaneOrder::Kind::descending, 0}, {LaneOrder::Kind::shuffled, seed}},
      used_(variant_.is_builder) {
  run_.algorithm = variant_.algorithm;
  run_.backend = Backend::cpu;
  if (!variant_.has_own_atomics) orders_.push_back({LaneOrder::Kind::at_once, 0});
}

Result<VariantRun> VariantTester::run(const DataSet& data, ProcessRequest request) {
  // A variant that runs for ever costs its whole limit in every test, so limits are short. The first run that passes
  // its limit is repeated with ten times the limit: if it ends, the machine is slow.
  const auto limit = [&] {
    ProgramLimits limits;
    limits.time = grace_ + std::chrono::milliseconds(std::max(data.points.size(), data.triangles.size()) / 5);
    return limits;
  };
  const auto begin = std::chrono::steady_clock::now();
  auto run = run_variant(program_, kit_, request, limit(), stop_);
  const bool too_slow = std::chrono::steady_clock::now() - begin >= limit().time;
  if (!run || run->crash.empty() || !too_slow || never_ends_) return run;
  const auto before = std::exchange(grace_, grace_ * 10);
  run = run_variant(program_, kit_, request, limit(), stop_);
  if (!run || run->crash.empty()) return run;
  grace_ = before;
  never_ends_ = true;
  return run;
}

Result<std::string> VariantTester::failure_on(const DataSet& data) {
  RunRequest request = run_;
  request.points = std::make_shared<const DataSet>(data);
  const auto original = build(request, {stop_, {}});
  if (!original) return original.error();

  const std::string file = (folder_.path() / (data.triangles.empty() ? "data.npy" : "data.ply")).string();
  if (const auto saved = save_data_set(data, file); !saved) return saved.error();
  for (const LaneOrder order : orders_) {
    auto failure = failure_in(order, request, original->tree_hash, file);
    if (!failure) return failure;
    if (failure->empty()) continue;
    if (order != LaneOrder()) *failure = clause_of(order) + ", " + *failure;
    orders_ = {order};
    return failure;
  }
  return std::string();
}

Result<std::string> VariantTester::failure_in(const LaneOrder& order, const RunRequest& original,
                                              std::uint64_t tree_hash, const std::string& file) {
  const DataSet& data = *original.points;
  ProcessRequest request{run_, data.name};
  request.run.data = file;
  request.run.algorithm.clear();
  request.run.replaced_sources = variant_.stages;
  request.order = order;
  const auto variant = run(data, std::move(request));
  if (!variant) {
    if (concerns_machine(variant.error())) return variant.error();
    return "the variant cannot be recorded: " + variant.error().what;
  }
  used_ = used_ || !variant->replaced.empty() || !variant->crash.empty();
  if (!variant->crash.empty()) return variant->crash + " (in " + variant->step + ")";
  if (!variant->trace) return Error{ErrorKind::io_failure, "the variant left no recording", program_.string(), ""};

  const std::string failed_check = first_failed_check(*variant->trace);
  if (variant->trace->header.tree_hash != tree_hash)
    return "the tree differs from the original's" + (failed_check.empty() ? "" : "; " + failed_check);
  if (failed_check.empty()) return failed_check;
  // Only checks that the original passes count.
  const auto recorded = record(original, {stop_, {}});
  if (!recorded) return recorded.error();
  return failed_check_count(*variant->trace) > failed_check_count(**recorded) ? failed_check : std::string();
}

}  // namespace kdscope::variants
