#include "app/experiments/sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>

#include "algorithms/text/printable_text.hpp"
#include "app/experiments/measured_build.hpp"
#include "app/measure/data_shape.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

/// Several data sets stand in charts side by side; more than this many would be too narrow.
constexpr std::size_t most_charts = 4;
/// Data sets of this many points or triangles are opened to check them; larger ones would take too long.
constexpr std::uint64_t most_opened = 100'000;

/// A data set of the sweep with its placeholders replaced.
struct SweptData {
  std::string written;   ///< as in the file: the same from every folder
  std::string distribution;  ///< the same without a size
  std::string opened;    ///< as open_data_set() takes it
  std::size_t entry;     ///< index in Sweep::data
  std::uint64_t n, dim;  ///< points, or triangles if the algorithms take triangles
};

/// Sets size and dimensions. Throws ErrorException if the specification is wrong.
void inspect(SweptData& data, bool triangles) {
  if (const auto shape = shape_from_parameters(data.opened); shape && shape->n > most_opened) {
    data.n = shape->n;
    data.dim = shape->dim;
    return;
  }
  const auto set = open_data_set(data.opened);
  if (!set) throw ErrorException(set.error());
  data.n = triangles ? (*set)->triangles.size() / 3 : (*set)->points.size();
  data.dim = (*set)->points.dim;
  if (data.n == 0)
    throw ErrorException({ErrorKind::bad_input, std::string("it has no ") + (triangles ? "triangles" : "points"),
                          data.written, "choose other data"});
}

bool take_triangles(const Sweep& sweep) {
  return std::ranges::all_of(sweep.algorithms,
                             [](const std::string& id) { return find_algorithm(id)->takes_triangles; });
}

std::string place_of(const std::string& specification, const std::string& folder) {
  const std::filesystem::path path(specification);
  if (data_source_of(specification) || folder.empty() || path.is_absolute()) return specification;
  return (std::filesystem::path(folder) / path).string();
}

/// Every data set with every dim and n, in this order of nesting.
std::vector<SweptData> data_of(const Sweep& sweep) {
  const bool triangles = take_triangles(sweep);
  const std::vector<std::uint64_t> none{0};
  std::vector<SweptData> all;
  for (std::size_t entry = 0; entry < sweep.data.size(); ++entry)
    for (const std::uint64_t dim : sweep.dims.empty() ? none : sweep.dims)
      for (const std::uint64_t n : sweep.sizes.empty() ? none : sweep.sizes) {
        const std::string distribution = replaced(sweep.data[entry], "{dim}", std::to_string(dim));
        const std::string written = replaced(distribution, "{n}", std::to_string(n));
        all.push_back({written, distribution, place_of(written, sweep.folder), entry, 0, 0});
        inspect(all.back(), triangles);
      }
  return all;
}

bool has_parameter(const std::string& algorithm, const std::string& name) {
  const auto& parameters = find_algorithm(algorithm)->parameters;
  return std::ranges::find(parameters, name, &ParameterSpec::name) != parameters.end();
}

/// Every combination of the listed parameters that the algorithm has.
std::vector<Parameters> parameters_for(const std::string& algorithm, const Sweep& sweep) {
  std::vector<Parameters> combinations{{}};
  for (const auto& [name, values] : sweep.parameters) {
    if (!has_parameter(algorithm, name)) continue;
    std::vector<Parameters> longer;
    for (const Parameters& combination : combinations)
      for (const std::string& value : values) {
        longer.push_back(combination);
        longer.back()[name] = value;
      }
    combinations = std::move(longer);
  }
  return combinations;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::uint64_t(1) << 63;
  return b != 0 && a > most / b ? most : a * b;
}

/// The parts of a label, joined with ", ".
class Label {
 public:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : ", ") + part; }
  void add(const std::string& name, const std::string& value) { add(name + "=" + value); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Makes the rows of one sweep. How a row is named depends on which lists have several values.
class SweepRows {
 public:
  SweepRows(const Sweep& sweep, ExperimentSpec& spec) : sweep_(sweep), spec_(spec), data_(data_of(sweep)) {
    std::set<std::uint64_t> sizes;
    for (const SweptData& data : data_) sizes.insert(data.n);
    sizes_along_x_ = sweep.x == "n" && sweep.sizes.empty() && sizes.size() == data_.size();
    const std::size_t places = sweep.data.size() * (dims_named() ? sweep.dims.size() : 1);
    charts_ = !sizes_along_x_ && places > 1 && places <= most_charts;
    if (charts_) spec.facet_column = "data";
  }

  void add_all() {
    for (const SweptData& data : data_)
      for (const std::string& algorithm : sweep_.algorithms)
        for (const Parameters& parameters : parameters_for(algorithm, sweep_))
          for (const std::uint64_t processors : sweep_.processors)
            for (const Backend backend : sweep_.backends)
              add({.subject = algorithm, .given = parameters, .processors = static_cast<int>(processors)}, backend,
                  data);
    const auto place = [&](const ExperimentRow& row) {
      return std::tuple(std::ranges::find(spec_.facets, row.facet) - spec_.facets.begin(),
                        std::ranges::find(spec_.series, row.series) - spec_.series.begin(), row.x);
    };
    std::ranges::stable_sort(spec_.rows, {}, place);
  }

 private:
  bool dims_named() const { return sweep_.dims.size() > 1 && sweep_.x != "dim"; }

  void add(const MeasuredWork& work, Backend backend, const SweptData& data) {
    ExperimentRow& row = add_row(spec_, series_of(work, backend, data), data.n);
    row.x = x_of(work, data);
    if (charts_) row.facet = data_label(data);
    row.details = {work.subject, data.written};
    row.what = work;
    row.what.data = printable(data.written);
    row.distribution = printable(data.distribution);
    row.opened = data.opened;
    row.backend = backend;
    row.facts.dim = static_cast<std::uint32_t>(data.dim);
    if (charts_ && std::ranges::find(spec_.facets, row.facet) == spec_.facets.end()) spec_.facets.push_back(row.facet);
    if (std::ranges::find(spec_.series, row.series) == spec_.series.end()) spec_.series.push_back(row.series);
  }

  double x_of(const MeasuredWork& work, const SweptData& data) const {
    if (sweep_.x == "n") return static_cast<double>(data.n);
    if (sweep_.x == "dim") return static_cast<double>(data.dim);
    if (sweep_.x == "processors") return work.processors;
    return std::stod(work.given.at(sweep_.x));
  }

  /// What distinguishes a row from those of other series: the values of lists with several, except along x.
  std::string series_of(const MeasuredWork& work, Backend backend, const SweptData& data) const {
    Label label;
    if (!charts_ && !sizes_along_x_ && sweep_.data.size() * (dims_named() ? 2 : 1) > 1) label.add(data_label(data));
    if (sweep_.algorithms.size() > 1) label.add(work.subject);
    for (const auto& [name, values] : sweep_.parameters)
      if (values.size() > 1 && name != sweep_.x && work.given.contains(name)) label.add(name, work.given.at(name));
    if (sweep_.processors.size() > 1 && sweep_.x != "processors")
      label.add("processors", std::to_string(work.processors));
    if (sweep_.backends.size() > 1) label.add(name_of(backend));
    if (sweep_.sizes.size() > 1 && sweep_.x != "n") label.add("n", std::to_string(data.n));
    return label.text().empty() ? work.subject : label.text();
  }

  /// "uniform, dim=2": the source without its parameters, unless two data sets share it.
  std::string data_label(const SweptData& data) const {
    const auto name = [&](std::size_t entry) { return sweep_.data[entry].substr(0, sweep_.data[entry].find(':')); };
    std::size_t sharing = 0;
    for (std::size_t entry = 0; entry < sweep_.data.size(); ++entry) sharing += name(entry) == name(data.entry);
    Label label;
    label.add(sharing > 1 ? sweep_.data[data.entry] : name(data.entry));
    if (dims_named()) label.add("dim", std::to_string(data.dim));
    return label.text();
  }

  const Sweep& sweep_;
  ExperimentSpec& spec_;
  const std::vector<SweptData> data_;
  bool sizes_along_x_;  ///< data sets of different sizes, not made for a list of sizes: each is a place along x
  bool charts_;         ///< one chart per data set
};

/// A logarithmic axis suits sizes, and values over more than a decade.
Axis x_axis(const ExperimentSpec& spec) {
  const auto [least, most] = std::ranges::minmax(spec.rows, {}, &ExperimentRow::x);
  const bool sizes = spec.x_column == "n";
  return {sizes ? spec.counted : spec.x_column, "", least.x > 0 && (sizes || most.x >= 10 * least.x)};
}

}  // namespace

Result<void> measure_sweep(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  for (ExperimentRow& row : rows) {
    const auto measured = measure_build({&row, 1}, options, control);
    if (measured) continue;
    const ErrorKind kind = measured.error().kind;
    if (kind != ErrorKind::bad_input && kind != ErrorKind::bad_usage && kind != ErrorKind::failed_check)
      return measured.error();
    row.reason = measured.error().what;
  }
  return {};
}

std::uint64_t row_count(const Sweep& sweep) {
  std::uint64_t common = 1, all = 0;
  for (const std::size_t size :
       {sweep.data.size(), std::max<std::size_t>(1, sweep.sizes.size()), std::max<std::size_t>(1, sweep.dims.size()),
        sweep.backends.size(), sweep.processors.size()})
    common = product(common, size);
  for (const std::string& algorithm : sweep.algorithms) {
    std::uint64_t own = common;
    for (const auto& [name, values] : sweep.parameters)
      if (has_parameter(algorithm, name)) own = product(own, values.size());
    all = std::min(all + own, std::uint64_t(1) << 63);
  }
  return all;
}

Result<Experiment> experiment_of(const Sweep& sweep) try {
  Experiment made{{}, measure_sweep};
  ExperimentSpec& spec = made.spec;
  spec.id = sweep.id;
  spec.title = sweep.title;
  spec.notes = sweep.notes;
  spec.series_column = "series";
  spec.x_column = sweep.x;
  spec.counted = take_triangles(sweep) ? "triangles" : "points";
  spec.y = {"build time", "ms", true};
  spec.usual_max_n_on_cpu = std::numeric_limits<std::uint64_t>::max();  // the file chose its sizes
  spec.repeats = sweep.repeats;
  spec.details = {"algorithm", "specification"};
  for (const auto& [name, values] : sweep.parameters)
    if (name != sweep.x) spec.shown_parameters.push_back(name);
  SweepRows(sweep, spec).add_all();
  spec.x = x_axis(spec);
  return made;
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace kdscope
