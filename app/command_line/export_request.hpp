#pragma once
// A request to export steps: which ones, in which format, and how large. No Qt. The command line and the dialog fill it
// in.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "app/arguments/arguments.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/heat.hpp"

namespace kdscope {

/// An error in what the user asked the workbench for.
inline Error usage_error(std::string what, std::string remedy = "see kdscope --help") {
  return {ErrorKind::bad_usage, std::move(what), "", std::move(remedy)};
}

/// The 2D/3D view as it is drawn on the screen, the tree, the partition of two dimensions as a figure, the points in
/// parallel coordinates, or the arrays; or of a lesson its web page, or a handout of all stops.
enum class ExportWhat : std::uint8_t { view, tree, partition, coordinates, table, page, handout };
enum class ExportFormat : std::uint8_t { png, svg, pdf, gif, mp4, webm, csv, html };

const char* name_of(ExportWhat what);      ///< "view", "tree", "partition", "coordinates", "table", "page", "handout"
const char* name_of(ExportFormat format);  ///< "png", also the ending of its files
std::optional<ExportWhat> export_what_named(std::string_view name);
/// Returns the format of a path's ending, in upper or lower case; nullopt for an unknown ending.
std::optional<ExportFormat> export_format_of(std::string_view path);
/// Returns whether a format holds all steps as one film.
bool is_film(ExportFormat format);
/// Returns whether a whole lesson or run is exported, not chosen steps.
bool is_of_lesson(ExportWhat what);
/// Returns the formats of each kind, the default first.
std::span<const ExportFormat> formats_of(ExportWhat what);

/// The largest picture, 8K; films are held to 4K.
inline constexpr int most_width = 7680, most_height = 4320;

struct ExportRequest {
  ExportWhat what = ExportWhat::view;
  ExportFormat format = ExportFormat::png;
  std::string path;                   ///< file; for several steps one file each, "<stem>-<step>.<ending>"
  std::uint32_t first = 0, last = 0;  ///< steps, both included
  int width = 1280, height = 800;     ///< in pixels; for figures, 96 pixels per inch
  std::string theme = "light";
  int text_scale = 100;                      ///< per cent
  bool smallest_boxes = true;                ///< their outlines, if the run has them
  bool surface = true;                       ///< triangles as a surface, if the run has any
  bool all_planes = false;                   ///< in 3D, also those of older levels
  bool equal_scales = true;                  ///< of the axes of view and partition; otherwise each fills the picture
  Colouring colouring = Colouring::subtree;  ///< what the view's colours stand for
  bool captions = true;                      ///< title and place of the step in the upper left
  double steps_per_second = 1;               ///< of films
  int frames_per_step = 5;
  int frames_per_stop = 0;        ///< at the stops of a lesson; 0: three times as many as for a step
  std::optional<Axes> axes = {};  ///< dimensions of view and partition; none: the first ones
  Space table = Space::position;  ///< for tables: the index space of the lines
  bool answers = false;           ///< for handouts: prints the answers below the questions
};

/// Checks that the request fits this trace. Errors are of kind bad_usage and name the valid choices.
Result<void> check(const ExportRequest& request, const Trace& trace);

/// Returns the files that will be written: one per step, or one for all steps of a film or a PDF document. In the order
/// of the steps.
std::vector<std::string> files_of(const ExportRequest& request);
/// Returns whether all steps go into one file.
bool in_one_file(const ExportRequest& request);

/// Frames of a film that show each step, `first` to `last`; `stops` are the steps of a lesson's stops, ascending.
std::vector<int> frames_of(const ExportRequest& request, std::span<const std::uint32_t> stops);
/// Returns the frames per second of a film.
double frame_rate(const ExportRequest& request);

/// The spaces that have a table, in the order of the trace's arrays, position first.
std::vector<Space> export_tables(const Trace& trace);

/// The parts of --render that depend on the trace.
struct ExportOptions {
  ExportRequest request;
  bool what_given = false, steps_given = false;
};

/// The options of --render: --what, --steps, --table, --speed, --frames-per-step, --frames-per-stop and --captions.
std::vector<Option> export_options();
/// The values of export_options(). An error lists the accepted ones.
Result<ExportOptions> read_export_options(const Arguments& arguments);

/// Completes the request once path and trace are known. A path without a known ending is a folder for one picture per
/// step. Without --steps, films and folders take every step; other files take the step at which a session was saved, or
/// the last one. saved_step: of a session that is exported.
ExportRequest completed(ExportOptions options, const std::string& path, const Trace& trace,
                        std::optional<std::uint32_t> saved_step = {});

}  // namespace kdscope
