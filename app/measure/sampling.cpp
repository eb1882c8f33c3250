#include "app/measure/sampling.hpp"

#include "algorithms/text/numbers.hpp"

namespace kdscope {

RowClock::RowClock(std::stop_token rows, double seconds)
    : limit_s_(seconds),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      with_rows_(std::move(rows), [this] { source_.request_stop(); }),
      timer_([this](std::stop_token row_ends) {
        std::unique_lock lock(mutex_);
        waits_.wait_until(lock, row_ends, end_, [] { return false; });
        if (row_ends.stop_requested() || source_.stop_requested()) return;
        over_time_ = true;
        source_.request_stop();
      }) {}

std::chrono::milliseconds RowClock::left() const {
  return std::max(std::chrono::milliseconds(1),
                  std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()));
}

int usual_repeats(double ms) { return static_cast<int>(std::clamp(2000 / std::max(ms, 1e-3), 3.0, 25.0)); }

Result<std::vector<double>> take_samples(const Sampling& how, const RepeatedWork& work) {
  const auto from = std::chrono::steady_clock::now();
  const auto first = work(how.warm_ups);
  if (!first) return first.error();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - from;
  const int repeats = how.wanted > 0 ? how.wanted : usual_repeats(*std::ranges::min_element(*first));
  if (!how.clock) return work(repeats);
  const double fitting = static_cast<double>(how.clock->left().count()) / std::max(taken.count() / how.warm_ups, 1e-6);
  if (fitting < 1)
    return Error{ErrorKind::cancelled, "it takes more than the time limit of " + shortest(how.clock->limit_s()) + " s",
                 "", "raise --time-limit"};
  return work(static_cast<int>(std::min<double>(repeats, fitting)));
}

Result<std::vector<BuildReport>> sample_builds(MeasuredRow& row, RunRequest request, const Sampling& how,
                                               const RunControl& control) {
  const auto run = typed(std::move(request));
  if (!run) return run.error();
  std::vector<BuildReport> reports;
  bool warm = false;
  const auto builds = [&](int times) -> Result<std::vector<double>> {
    TypedRun part = *run;
    const int rounds = part.request.time_steps ? times : 1;
    part.request.repeat = part.request.time_steps ? 1 : times;
    reports.clear();
    std::vector<double> all;
    for (int round = 0; round < rounds; ++round) {
      RunControl of_round = control;
      of_round.progress = nullptr;
      if (warm && control.progress)  // a warm-up is short
        of_round.progress = [&](double share, std::string_view what) {
          control.progress((round + share) / rounds, what);
        };
      auto report = build(part, of_round);
      if (!report) return report.error();
      const std::uint64_t first = reports.empty() ? report->tree_hash : reports.front().tree_hash;
      if (std::ranges::any_of(report->build_hashes, [&](std::uint64_t hash) { return hash != first; }))
        return Error{ErrorKind::failed_check, "its builds give different trees", "", ""};
      all.insert(all.end(), report->build_ms.begin(), report->build_ms.end());
      reports.push_back(std::move(*report));
    }
    warm = true;
    return all;
  };
  auto times = take_samples(how, builds);
  if (!times) return times.error();
  row.samples = {std::move(*times)};
  set_facts(row.facts, reports.back());
  return reports;
}

Result<SearchReport> sample_searches(MeasuredRow& row, SearchRequest request, const Sampling& how,
                                     const RunControl& control) {
  std::optional<SearchReport> found;
  auto times = take_samples(how, [&](int times) -> Result<std::vector<double>> {
    request.repeat = times;
    auto report = search(request, control);
    if (!report) return report.error();
    found = std::move(*report);
    return found->search_ms;
  });
  if (!times) return times.error();
  row.samples = {std::move(*times)};
  row.facts.parameters = request.parameters;
  row.facts.processors = found->device.processors;
  row.facts.peak_bytes = found->peak_bytes;
  return std::move(*found);
}

std::vector<double> sums_of(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < one.size(); ++i) sums.push_back(one[i] + other[i]);
  return sums;
}

void set_facts(MeasuredFacts& facts, const BuildReport& report) {
  facts.hash = report.tree_hash;
  facts.processors = report.device.processors;
  facts.peak_bytes = report.peak_bytes;
  facts.launches = report.launches;
  facts.parameters = report.parameters;
}

std::optional<Device> device_on(Backend backend) {
  for (Device& device : find_devices().devices)
    if (backend == Backend::automatic || backend == device.backend) return std::move(device);
  return std::nullopt;
}

std::uint64_t estimated_host_bytes(std::uint64_t n, std::uint32_t dim, bool on_cpu) {
  return n * (on_cpu ? 16 * dim + 64 : 8 * dim + 32);
}

}  // namespace kdscope
