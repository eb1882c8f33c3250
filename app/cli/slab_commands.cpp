#include "app/cli/slab_commands.hpp"

#include <malloc.h>

#include <sstream>
#include <utility>

#include "algorithms/slabs/slab_build.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/report.hpp"
#include "app/cli/run_options.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

Result<slabs::SlabRequest> slab_request(const Arguments& arguments) {
  for (const auto& [option, why] :
       {std::pair{"--repeat", "it is timed once"}, std::pair{"--rays", "its trees are those of points"},
        std::pair{"--time-steps", "its steps are passes over a file"},
        std::pair{"--verify", "check its tree with kdscope-cli verify --memory BYTES"},
        std::pair{"--device", "its files are those of this machine"},
        std::pair{"--param", "its tree splits level mod k"}})
    if (arguments.has(option))
      return Error{ErrorKind::bad_usage, std::string("build --memory does not take ") + option + ": " + why, "",
                   "leave it out"};
  if (const std::string algorithm = arguments.text("--algorithm", "rank"); algorithm != "rank")
    return Error{ErrorKind::bad_usage, algorithm + " does not build in slabs", "",
                 "use --algorithm rank, whose tree is also that of wald"};
  const std::string data = arguments.text("--data");
  if (data_file_of(data) != data)
    return Error{ErrorKind::bad_usage, "build --memory reads an NPY file as it is", data,
                 "write the points to a file of float32 or int32 with numpy.save()"};
  if (!arguments.has("--tree-out"))
    return Error{ErrorKind::bad_usage, "build --memory writes the tree, and has no file for it", "",
                 "name one with --tree-out F.npy"};
  const auto memory = value_of(arguments.integer("--memory", 0, 1, std::uint64_t{1} << 50, true));
  const auto processors = value_of(arguments.integer("--processors", 0, 1, 1'000'000));
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  const std::string tree = arguments.text("--tree-out");
  if (auto there = check_folder_of(tree); !there) return there.error();
  return slabs::SlabRequest{.points = data,
                            .tree = tree,
                            .scratch = arguments.text("--scratch"),
                            .memory = memory,
                            .backend = backend,
                            .processors = static_cast<int>(processors)};
}

void report_plan(const slabs::PreparedSlabs& prepared, Report& report) {
  const slabs::Plan& plan = prepared.plan;
  report.line("algorithm", "rank, in slabs").member("algorithm", "rank");
  report.line("data", printable(prepared.request.points)).member("data", prepared.request.points);
  report.line("points", plan.input.n, " of ", plan.input.dim, " dimensions, ", name_of(plan.input.type))
      .member("n", plan.input.n)
      .member("dim", plan.input.dim)
      .member("type", name_of(plan.input.type));
  report.device(prepared.device);
  report
      .line("subtrees", plan.subtrees, " below ", count_text(std::uint64_t(plan.upper), "level", "levels"),
            ", of up to ", plan.largest, " points, which take ", bytes_text(plan.subtree_bytes), " of ",
            bytes_text(plan.memory))
      .member("memory", plan.memory)
      .member("subtrees", plan.subtrees)
      .member("upper_levels", plan.upper)
      .member("subtree_points", plan.largest)
      .member("subtree_bytes", plan.subtree_bytes);
  report
      .line("passes", plan.passes, " over the file at least, each in ", count_text(plan.slabs, "slab", "slabs"), " of ",
            plan.slab_points, " points")
      .member("least_passes", plan.passes)
      .member("slabs", plan.slabs)
      .member("slab_points", plan.slab_points);
  report.line("files", bytes_text(plan.bytes_read), " to read, ", bytes_text(plan.bytes_written), " to write")
      .member("bytes_read", plan.bytes_read)
      .member("bytes_written", plan.bytes_written);
  report
      .line("scratch file", bytes_text(plan.scratch_bytes),
            prepared.scratch_in_memory ? ", in the host's memory" : ", on disk")
      .member("scratch_bytes", plan.scratch_bytes)
      .member("scratch_in_memory", prepared.scratch_in_memory);
  report.line("tree", bytes_text(plan.tree_bytes)).member("tree_bytes", plan.tree_bytes);
}

}  // namespace

std::vector<Option> slab_options() {
  return {{"--memory", "BYTES",
           "Build in slabs, for more points than the memory holds: the points are those of an NPY file, subtrees are "
           "built within BYTES (K, M, G: powers of 1024) of the GPU's memory, or of this program's on the CPU, and "
           "--tree-out F.npy becomes the same file as without. For rank alone."},
          {"--scratch", "FOLDER",
           "Where --memory puts its scratch file, which is gone when the program ends. Default: the folder of "
           "--tree-out, or the host's memory if a GPU builds and half of it has room."},
          {"--plan", "", "Print what --memory will read, write and hold, and end."}};
}

Result<ExitCode> run_slab_build(const Arguments& arguments, Console& console) {
  const auto request = value_of(slab_request(arguments));
  const auto prepared = value_of(slabs::prepare(request));
  // Large arrays go back to the system when they are freed, so that the limit holds for what the system counts
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  std::ostringstream text;  // after an error, there is no half report
  const bool as_json = arguments.has("--json");
  {
    Report report(text, as_json);
    report_plan(prepared, report);
    if (!arguments.has("--plan")) {
      const auto built = slabs::build_in_slabs(prepared, control_for(console));
      finish_progress(console);
      if (!built) return built.error();
      report
          .line("build", duration_text(built->total_ms), "  from file to file, in ",
                count_text(built->passes, "pass", "passes"))
          .member("total_ms", built->total_ms)
          .member("passes", built->passes);
      report
          .line("upper levels", duration_text(built->pivots_ms), " to find pivots, ",
                duration_text(built->partition_ms), " to write the subtrees' points")
          .member("pivots_ms", built->pivots_ms)
          .member("partition_ms", built->partition_ms);
      report
          .line("subtrees", duration_text(built->upload_ms), " there, ", duration_text(built->build_ms), " to build, ",
                duration_text(built->download_ms), " back into the file")
          .member("upload_ms", built->upload_ms)
          .member("build_ms", built->build_ms)
          .member("download_ms", built->download_ms);
      report.line("disk", duration_text(built->keep_ms), " until it has all of the tree")
          .member("keep_ms", built->keep_ms);
      report.line("peak memory", bytes_text(built->peak_bytes), " for a subtree")
          .member("peak_bytes", built->peak_bytes);
      report.line("tree hash", hash_text(built->tree_hash)).member("tree_hash", hash_text(built->tree_hash));
    }
  }
  console.out << text.str();
  return exit_ok;
}

Error with_slabs_as_remedy(Error error, const Arguments& arguments) {
  if (error.kind == ErrorKind::out_of_memory && arguments.text("--data").ends_with(".npy"))
    error.remedy += "; or build in slabs, with --memory BYTES --tree-out F.npy";
  return error;
}

}  // namespace kdscope::cli
