#include "algorithms/registry/registry.hpp"

#include <algorithm>

#include "algorithms/builders/builders.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/exec/devices.hpp"
#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/registry/parameter_check.hpp"
#include "algorithms/registry/run_on.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "algorithms/registry/trace_estimate.hpp"
#include "algorithms/registry/tuning.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trees/trace_arrays.hpp"

namespace kdscope {
namespace {

const Builder* find_builder(std::string_view id) {
  for (const Builder* b : builders())
    if (b->spec.id == id) return b;
  return nullptr;
}

Result<const Builder*> known_builder(std::string_view id) {
  if (const Builder* builder = find_builder(id)) return builder;
  std::vector<std::string> ids;
  for (const Builder* b : builders()) ids.push_back(b->spec.id);
  return no_such("algorithm", id, ids);
}

Error no_data() { return {ErrorKind::bad_usage, "no data set is open", "", "open one first"}; }

/// Returns the amount of input: "11000 triangles".
std::string amount(const AlgorithmSpec& spec, const DataSet& data) {
  return spec.takes_triangles ? count_text(data.triangles.size() / 3, "triangle", "triangles")
                              : count_text(data.points.size(), "point", "points");
}

/// Returns "use fewer points" or "use a smaller mesh".
std::string use_less(const AlgorithmSpec& spec) {
  return spec.takes_triangles ? "use a smaller mesh" : "use fewer points";
}

/// Returns success if the builder can build these points with these options.
Result<void> takes(const Builder& builder, const PointSet& points, const TypedOptions& options, Backend backend) {
  return builder.check ? builder.check(points, options, backend) : Result<void>();
}

/// Replaces every "auto" by a value: the result of a search on this device or, if the other options rule it out or its
/// file cannot be used, the builder's own choice.
TypedOptions with_automatic(const Builder& builder, const PointSet& points, const Device& device,
                            TypedOptions options) {
  for (const ParameterSpec& p : builder.spec.parameters) {
    if (!p.automatic || options.texts().at(p.name) != automatic_value) continue;
    if (const auto found = tuned_value(device, builder.spec.id, p.name, points.size()); found && *found)
      if (const auto tuned = integer_of(p, **found)) {
        TypedOptions with_tuned = builder.with(options, p.name, *tuned);
        if (takes(builder, points, with_tuned, device.backend)) {
          options = std::move(with_tuned);
          continue;
        }
      }
    options = builder.with(options, p.name, builder.automatic(p.name, points, options, device.backend));
  }
  return options;
}

/// Chooses the automatic ones among options. An error if the builder does not take them.
Result<TypedOptions> resolved(const Builder& builder, const TypedOptions& given, const PointSet& points,
                              const Device& device) {
  if (auto ok = takes(builder, points, given, device.backend); !ok) return ok.error();
  TypedOptions options = with_automatic(builder, points, device, given);
  if (options.texts() == given.texts()) return options;
  if (auto ok = takes(builder, points, options, device.backend); !ok) return ok.error();
  return options;
}

/// Upper bound of a recording's size as a multiple of its data. A recording that fits by this bound needs no estimate.
constexpr std::uint64_t most_growth = 20'000;

/// A run whose data, options and device have been checked, with all options chosen.
struct CheckedRun {
  const Builder& builder;
  const RunRequest& request;
  TypedOptions options;
  Device device;
};

Result<CheckedRun> checked(const TypedRun& run) {
  const RunRequest& request = run.request;
  if (!request.points) return no_data();
  const Builder* builder = run.builder;
  const AlgorithmSpec& spec = builder->spec;
  const PointSet& points = request.points->points;
  const std::string is = spec.id + " builds ";
  if (spec.takes_triangles && request.points->triangles.empty() && points.size() > 0)  // an empty mesh is valid
    return Error{ErrorKind::bad_input, is + "trees of triangles, and this data set has none", request.points->name,
                 "take a mesh or a scene"};
  if (points.dim < spec.min_dim || points.dim > spec.max_dim)
    return Error{ErrorKind::bad_input,
                 is + "points of " + std::to_string(spec.min_dim) + " to " + std::to_string(spec.max_dim) +
                     " dimensions, these have " + std::to_string(points.dim),
                 request.points->name, "choose other data or another algorithm"};
  if (std::find(spec.scalars.begin(), spec.scalars.end(), points.type) == spec.scalars.end())
    return Error{ErrorKind::bad_input, spec.id + " does not take coordinates of type " + name_of(points.type),
                 request.points->name, "convert them"};
  if (const std::size_t n = spec.takes_triangles ? request.points->triangles.size() / 3 : points.size();
      n > spec.max_points)
    return Error{ErrorKind::bad_input,
                 amount(spec, *request.points) + " are more than " + spec.id + " takes (" +
                     std::to_string(spec.max_points) + ")",
                 request.points->name, use_less(spec)};
  auto device = choose_device(request.backend, builder->cpu, builder->cuda);
  if (!device) return device.error();
  auto options = resolved(*builder, run.options, points, *device);
  if (!options) return options.error();
  const std::uint64_t needed = builder->host_bytes(*request.points, *options, device->backend == Backend::cpu),
                      there = available_memory();
  if (needed > there)
    return Error{ErrorKind::out_of_memory,
                 "building " + amount(spec, *request.points) + " needs about " + memory_text(needed) +
                     " of host memory, " + memory_text(there) + " are available",
                 request.points->name, use_less(spec) + ", or close other programs"};
  const std::uint64_t on_device =
      device->backend == Backend::cuda && builder->device_bytes ? builder->device_bytes(*request.points, *options) : 0;
  if (on_device > device->memory_bytes)
    return Error{ErrorKind::out_of_memory,
                 "building " + amount(spec, *request.points) + " of " + std::to_string(points.dim) +
                     " dimensions needs about " + memory_text(on_device) + " of GPU memory, " + device->name + " has " +
                     memory_text(device->memory_bytes),
                 request.points->name,
                 use_less(spec) + (spec.takes_triangles ? "" : " or dimensions") + ", or the CPU back end"};
  auto share = limited(*device, request.processors);
  if (!share) return share.error();
  return CheckedRun{*builder, request, std::move(*options), std::move(*share)};
}

const BackEnd& back_end(const CheckedRun& ready) {
  return ready.device.backend == Backend::cuda ? *ready.builder.cuda : *ready.builder.cpu;
}

}  // namespace

Device cpu_device() {
  const CpuDescription cpu = describe_cpu();
  return {Backend::cpu,
          0,
          std::to_string(cpu.threads) + (cpu.threads == 1 ? " thread" : " threads"),
          cpu.memory_bytes,
          "Thrust, " + cpu.library,
          cpu.threads};
}

DeviceReport find_devices() {
  DeviceReport report;
  const CudaDevices cuda = find_cuda_devices();
  report.cuda_status = cuda.status;
  for (const CudaDevice& d : cuda.devices)
    report.devices.push_back({Backend::cuda, d.ordinal, d.name, d.memory_bytes,
                              "compute capability " + std::to_string(d.major) + "." + std::to_string(d.minor) + ", " +
                                  std::to_string(d.multiprocessors) + " multiprocessors",
                              d.multiprocessors});
  report.devices.push_back(cpu_device());
  return report;
}

const std::vector<AlgorithmSpec>& algorithms() {
  static const std::vector<AlgorithmSpec> all = [] {
    std::vector<AlgorithmSpec> specs;
    for (const Builder* b : builders()) specs.push_back(b->spec);
    return specs;
  }();
  return all;
}

const AlgorithmSpec* find_algorithm(std::string_view id) {
  for (const AlgorithmSpec& s : algorithms())
    if (s.id == id) return &s;
  return nullptr;
}

Result<const AlgorithmSpec*> known_algorithm(std::string_view id) {
  const auto builder = known_builder(id);
  if (!builder) return builder.error();
  return &(*builder)->spec;
}

std::uint32_t most_dimensions() {
  std::uint32_t most = 1;
  for (const AlgorithmSpec& algorithm : algorithms()) most = std::max(most, algorithm.max_dim);
  return most;
}

Result<void> check_parameters(std::string_view algorithm, const Parameters& given, Backend backend,
                              const PointSet& points) {
  const auto builder = known_builder(algorithm);
  if (!builder) return builder.error();
  const auto options = (*builder)->parse(given);
  if (!options) return options.error();
  const auto device = choose_device(backend, (*builder)->cpu, (*builder)->cuda);
  if (!device) return device.error();
  return takes(**builder, points, *options, device->backend);
}

Result<TypedOptions> typed_options(std::string_view algorithm, const Parameters& given) {
  const auto builder = known_builder(algorithm);
  if (!builder) return builder.error();
  return (*builder)->parse(given);
}

Result<TypedOptions> resolved_options(std::string_view algorithm, const Parameters& given, const PointSet& points,
                                      const Device& device) {
  const auto builder = known_builder(algorithm);
  if (!builder) return builder.error();
  const auto options = (*builder)->parse(given);
  if (!options) return options.error();
  return resolved(**builder, *options, points, device);
}

Result<TypedRun> typed(RunRequest request) {
  if (request.algorithm.empty() && !request.points) return no_data();
  const auto builder =
      known_builder(request.algorithm.empty() ? usual_algorithm(request.points->points) : request.algorithm);
  if (!builder) return builder.error();
  auto options = (*builder)->parse(request.parameters);
  if (!options) return options.error();
  request.algorithm = (*builder)->spec.id;
  return TypedRun(std::move(request), **builder, std::move(*options));
}

Result<BuildReport> build(const TypedRun& run, const RunControl& control) {
  const auto ready = checked(run);
  if (!ready) return ready.error();
  auto report = guarded(ready->device,
                        [&] { return back_end(*ready).build(ready->request, ready->options, ready->device, control); });
  if (report) report->parameters = ready->options.texts();
  return report;
}

Result<std::shared_ptr<const Trace>> record(const TypedRun& run, const RunControl& control) {
  const auto ready = checked(run);
  if (!ready) return ready.error();
  RunRequest request = run.request;
  const PointSet& points = request.points->points;
  const AlgorithmSpec& spec = ready->builder.spec;
  std::optional<SearchOfRun> search;
  if (!request.search.empty()) {
    auto read = search_in(request.search);
    if (!read) return read.error();
    if (auto possible = check_before_build(*read, spec.id, *request.points); !possible) return possible.error();
    search = std::move(*read);
  }
  std::uint64_t& budget = request.trace_budget_bytes;
  if (budget == 0) budget = default_trace_budget();
  if (const std::uint64_t input = 4 * (points.words.size() + request.points->triangles.size());
      input > budget / most_growth) {
    const auto bytes =
        guarded(cpu_device(), [&] { return sampled_trace_bytes(ready->builder, request, ready->options, control); });
    if (!bytes) return bytes.error();
    // The recorder stops at the budget, so try a recording that may just fit.
    if (*bytes / 3 * 2 > budget)
      return Error{ErrorKind::over_budget,
                   "recording " + amount(spec, *request.points) + " takes about " + memory_text(*bytes) +
                       " of memory, its budget is " + memory_text(budget) + " (" + memory_text(available_memory()) +
                       " are free)",
                   "",
                   "raise the budget, " + std::string(request.thin ? "" : "record only the last step of each level, ") +
                       "or " + use_less(spec)};
  }
  TraceHeader header{spec.id,
                     spec.title,
                     spec.citation,
                     ready->options.texts(),
                     request.points->name,
                     points.size(),
                     points.dim,
                     points.type,
                     request.points->up_axis,
                     name_of(ready->device.backend),
                     ready->device.name,
                     version(),
                     0,
                     {},
                     build_provenance(),
                     {},
                     request.points->warnings};
  header.sources = request.replaced_sources;
  for (const SourceRegion& region : source_regions()) {
    const auto is_region = [&](const RecordedSource& source) { return source.region == region.name; };
    if (std::ranges::none_of(request.replaced_sources, is_region))
      header.sources.push_back({std::string(region.name), std::string(region.file),
                                static_cast<std::uint32_t>(region.first_line), std::string(region.text)});
  }
  const auto recorded = [&](const RunRequest& wanted, const RunControl& of) {
    return guarded(ready->device,
                   [&] { return back_end(*ready).record(wanted, ready->options, ready->device, header, of); });
  };
  if (!search) return recorded(request, control);
  RunRequest whole = request;
  whole.thin = true;  // only the last state matters
  whole.most_steps = 0;
  auto built = recorded(whole, {control.stop, control.progress});
  if (!built) return built.error();
  return record_search(std::move(*built), *search, request.backend, control, request.most_steps);
}

std::uint64_t default_trace_budget() { return available_memory() / 2; }

Result<std::uint64_t> estimated_trace_bytes(const RunRequest& request, const RunControl& control) {
  const auto run = typed(request);
  if (!run) return run.error();
  const auto ready = checked(*run);
  if (!ready) return ready.error();
  return guarded(cpu_device(),
                 [&] { return sampled_trace_bytes(ready->builder, ready->request, ready->options, control); });
}

std::optional<KeyLoss> key_loss(const TypedRun& run) {
  if (!run.builder->key_loss) return std::nullopt;
  return run.builder->key_loss(run.request.points->points, run.options);
}

Result<RecordedTree> recorded_tree(std::shared_ptr<const Trace> trace) try {
  const TraceHeader& header = trace->header;
  const Builder* builder = find_builder(header.algorithm);
  const TreeKind* kind =
      header.tree_kind.empty() ? (builder ? &builder->tree_kind() : nullptr) : find_tree_kind(header.tree_kind);
  RecordedTree recorded;
  if (!kind) {
    recorded.unchecked = "tree: not checked, because this kdscope does not know " +
                         (header.tree_kind.empty() ? "the algorithm " + kdscope::quoted(header.algorithm)
                                                   : "trees of kind " + kdscope::quoted(header.tree_kind));
    return recorded;
  }
  Cursor end(std::move(trace));
  end.seek(end.step_count());
  recorded.tree = kind->from_trace(end);
  recorded.input = trace_arrays::points(end);
  if (!builder || &builder->tree_kind() != kind) return recorded;
  if (const auto options = builder->parse(header.parameters); !options)
    recorded.unchecked = "rules: not checked, because " + options.error().what;
  else
    builder->set_rules(recorded.tree, *options);
  return recorded;
} catch (const ErrorException& e) {
  return e.error();
}

const char* version() { return KDSCOPE_VERSION; }

}  // namespace kdscope
