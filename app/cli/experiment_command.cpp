// experiment: redraw a table of a source on this machine, printed values beside measured ones.

#include <algorithm>
#include <fstream>

#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/available_memory.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

/// A row of Wald 2023, Table 1: times as printed, in ms.
struct PrintedRow {
  std::uint64_t n;
  const char *rtx_8000, *a6000, *rtx_3090ti;
};

struct PrintedTable {
  const char* data;  ///< the paper's name of the data type
  std::uint32_t dim;
  const char* type;
  PrintedRow rows[7];
};

constexpr PrintedTable wald_table_1[] = {{"int1",
                                          1,
                                          "int32",
                                          {{1'000, "<1", "<1", "<1"},
                                           {10'000, "0.6", "0.6", "0.6"},
                                           {100'000, "1.4", "1.2", "1.2"},
                                           {1'000'000, "12.8", "11.9", "11.0"},
                                           {10'000'000, "165", "124", "106"},
                                           {100'000'000, "1890", "1370", "1070"},
                                           {1'000'000'000, "24700", "17700", "16800"}}},
                                         {"float4",
                                          4,
                                          "float",
                                          {{1'000, "<1", "<1", "<1"},
                                           {10'000, "0.9", "0.9", "0.9"},
                                           {100'000, "6.0", "5.6", "5.6"},
                                           {1'000'000, "54.4", "49.7", "44.4"},
                                           {10'000'000, "783", "536", "424"},
                                           {100'000'000, "10300", "6500", "5300"},
                                           {1'000'000'000, "oom", "oom", "oom"}}}};

/// Enough for a steady median, few where a build takes long.
int usual_repeats(std::uint64_t n) { return n <= 1'000'000 ? 21 : n <= 10'000'000 ? 11 : n <= 100'000'000 ? 5 : 3; }

/// Host memory for points, tree and transfers, and on the CPU back end for the build itself; from above.
bool host_holds(std::uint64_t n, std::uint32_t dim, bool on_cpu) {
  const std::uint64_t bytes_a_point = on_cpu ? 16 * dim + 64 : 8 * dim + 32;
  return n * bytes_a_point <= available_memory();
}

std::string quoted_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

Result<BuildReport> measured(const PrintedTable& table, const PrintedRow& row, BuildRequest request, bool on_cpu,
                             Console& console) {
  if (!host_holds(row.n, table.dim, on_cpu))
    return Error{ErrorKind::out_of_memory, "host memory does not hold this", "", ""};
  auto data = open_data_set("uniform:n=" + std::to_string(row.n) + ",dim=" + std::to_string(table.dim) +
                            ",seed=1,type=" + table.type);
  if (!data) return data.error();
  request.data = *data;
  auto report = build(request, control_for(console));
  finish_progress(console);
  return report;
}

Result<ExitCode> run_wald_table_1(const Arguments& arguments, std::ostream& out, Console& console) {
  const auto max_n = arguments.integer("--max-n", 1'000'000'000, 1'000, 1'000'000'000);
  if (!max_n) return max_n.error();
  const auto repeat = arguments.integer("--repeat", 0, 1, 1'000'000);
  if (!repeat) return repeat.error();
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  BuildRequest request;
  request.backend = *backend;
  if (arguments.has("--sort")) request.parameters["sort"] = arguments.text("--sort");
  const auto parameters = complete_parameters(*find_algorithm(request.algorithm), request.parameters);
  if (!parameters) return parameters.error();
  const DeviceReport devices = find_devices();
  const bool on_cpu = *backend == Backend::cpu || devices.devices.front().backend == Backend::cpu;

  out << "data,n,sort,backend,device,repeats,median_ms,min_ms,max_ms,tree_hash,paper_rtx_8000_ms,paper_a6000_ms,paper_"
         "rtx_3090ti_ms\n";
  for (const PrintedTable& table : wald_table_1) {
    for (const PrintedRow& row : table.rows) {
      if (row.n > *max_n) break;
      request.repeat = *repeat > 0 ? static_cast<int>(*repeat) : usual_repeats(row.n);
      const auto report = measured(table, row, request, on_cpu, console);
      out << table.data << ',' << row.n << ',' << parameters->at("sort") << ',';
      if (report) {
        const auto [least, most] = std::minmax_element(report->build_ms.begin(), report->build_ms.end());
        out << name_of(report->device.backend) << ',' << quoted_field(report->device.name) << ','
            << report->build_ms.size() << ',' << median_ms(report->build_ms) << ',' << *least << ',' << *most << ','
            << hash_text(report->tree_hash);
      } else if (report.error().kind == ErrorKind::out_of_memory) {
        out << (on_cpu ? "cpu" : "cuda") << ",,0,oom,oom,oom,";
      } else {
        out << "\n";
        return report.error();
      }
      out << ',' << row.rtx_8000 << ',' << row.a6000 << ',' << row.rtx_3090ti << std::endl;
    }
  }
  return exit_ok;
}

struct Experiment {
  const char* id;
  const char* what;
  Result<ExitCode> (*run)(const Arguments& arguments, std::ostream& out, Console& console);
};

constexpr Experiment experiments[] = {
    {"wald-table-1", "Wald 2023, Table 1: build times of int1 and float4 points, 10^3 to 10^9, uniform, round-robin",
     run_wald_table_1}};

Result<ExitCode> run_experiment(const Arguments& arguments, Console& console) {
  const std::string id = arguments.operand(0);
  std::vector<std::string> ids{"list"};
  if (id == "list") {
    for (const Experiment& e : experiments) console.out << e.id << "  " << e.what << "\n";
    return exit_ok;
  }
  for (const Experiment& e : experiments) {
    ids.emplace_back(e.id);
    if (e.id != id) continue;
    if (!arguments.has("-o")) return e.run(arguments, console.out, console);
    const std::string path = arguments.text("-o");
    const Error cannot_write{ErrorKind::io_failure, "cannot be written", path,
                             "check the folder, its permissions and the space left"};
    std::ofstream file(path);
    if (!file) return cannot_write;
    const auto code = e.run(arguments, file, console);
    if (code && !file.flush()) return cannot_write;
    return code;
  }
  std::string remedy = did_you_mean(id, ids);
  if (remedy.empty()) remedy = "kdscope-cli experiment list names them all";
  return Error{ErrorKind::bad_usage, "there is no experiment '" + id + "'", "", remedy};
}

}  // namespace

Command experiment_command() {
  return {{"experiment",
           "redraw a table of a source on this machine",
           "Measures what a source's table shows, on this machine, and prints CSV with the printed values beside. "
           "Sizes that "
           "memory does not hold say oom.",
           {{"ID", "The experiment; `list` names them all."}},
           {{"--max-n", "N", "Leave out larger sizes; K, M or G multiply by 10^3, 10^6 or 10^9. Default: 1G."},
            {"--repeat", "R", "Timed builds for each size. Default: 21, fewer for more than 1M points."},
            {"--sort", "NAME", "Wald's sort: radix, comparator (the paper's) or bitonic. Default: radix."},
            {"--backend", "NAME", "auto, cpu or cuda. Default: auto."},
            {"-o", "F.csv", "Write to this file, row by row, instead of standard output."}},
           {"experiment wald-table-1 --max-n 10M -o table-1.csv"}},
          run_experiment};
}

}  // namespace kdscope::cli
