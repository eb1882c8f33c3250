#pragma once
// What a person wants exported: of which steps, as what, how large. No Qt: the command line and the dialog fill it in.

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

/// The 2D/3D view as it is drawn on the screen, the tree, the partition of two dimensions as a figure, the points in
/// parallel coordinates, or the arrays.
enum class ExportWhat : std::uint8_t { view, tree, partition, coordinates, table };
enum class ExportFormat : std::uint8_t { png, svg, pdf, gif, mp4, webm, csv };

const char* name_of(ExportWhat what);      ///< "view", "tree", "partition", "coordinates", "table"
const char* name_of(ExportFormat format);  ///< "png", also the ending of its files
std::optional<ExportWhat> export_what_named(std::string_view name);
/// By a path's ending, in any case; none for an unknown one.
std::optional<ExportFormat> export_format_of(std::string_view path);
/// Whether all steps go into one film.
bool is_film(ExportFormat format);
/// What each kind can be written as, the usual one first.
std::span<const ExportFormat> formats_of(ExportWhat what);

/// The largest picture, 8K; films are held to 4K.
inline constexpr int most_width = 7680, most_height = 4320;

struct ExportRequest {
  ExportWhat what = ExportWhat::view;
  ExportFormat format = ExportFormat::png;
  std::string path;                   ///< file; of several steps each its own "<stem>-<step>.<ending>"
  std::uint32_t first = 0, last = 0;  ///< steps, both included
  int width = 1280, height = 800;     ///< pixels; of figures, 96 of them an inch
  std::string theme = "light";
  int text_scale = 100;                      ///< per cent
  bool smallest_boxes = true;                ///< outlines of them, where the run has them
  bool surface = true;                       ///< triangles as a surface, where the run has them
  Colouring colouring = Colouring::subtree;  ///< what the view's colours stand for
  bool captions = true;                      ///< title and place of the step in the upper left
  double steps_per_second = 1;               ///< of films
  int frames_per_step = 5;
  int frames_per_stop = 0;        ///< at the stops of a lesson; 0: three times those of a step
  std::optional<Axes> axes = {};  ///< dimensions of view and partition; none: the first ones
  Space table = Space::position;  ///< of tables: which index runs down the lines
};

/// Whether it can be done with this trace. Errors are of kind bad_usage and name what may be chosen.
Result<void> check(const ExportRequest& request, const Trace& trace);

/// Files that will be written, one a step, or one for all steps of a film or a PDF document. Ascending steps.
std::vector<std::string> files_of(const ExportRequest& request);
/// Whether all steps go into one file.
bool in_one_file(const ExportRequest& request);

/// Frames of a film that show each step, `first` to `last`; `stops` are the steps of a lesson's stops, ascending.
std::vector<int> frames_of(const ExportRequest& request, std::span<const std::uint32_t> stops);
/// Frames a second of a film.
double frame_rate(const ExportRequest& request);

/// The spaces that have a table, in the order of the trace's arrays, position first.
std::vector<Space> export_tables(const Trace& trace);

/// What --render leaves open until the trace is known.
struct ExportOptions {
  ExportRequest request;
  bool what_given = false, steps_given = false;
};

/// What belongs to --render: --what, --steps, --table, --speed, --frames-per-step, --frames-per-stop and --captions.
std::vector<Option> export_options();
/// The values of export_options(). An error lists the accepted ones.
Result<ExportOptions> read_export_options(const Arguments& arguments);

/// The request once path and trace are known: a path without a known ending is a folder for a picture of each step;
/// without --steps films take every step and files the last one.
ExportRequest completed(ExportOptions options, const std::string& path, const Trace& trace);

}  // namespace kdscope
