#include "datasets/datasets.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <new>
#include <system_error>

#include "algorithms/text/numbers.hpp"
#include "datasets/file_source.hpp"
#include "datasets/generators/caustic.hpp"
#include "datasets/generators/point_generators.hpp"
#include "datasets/generators/scenes.hpp"
#include "datasets/generators/surface_samples.hpp"
#include "datasets/generators/triangle_sets.hpp"
#include "datasets/generators/workbench_scan.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/shipped_files.hpp"
#include "datasets/specification.hpp"

namespace kdscope {
namespace {

constexpr std::int64_t most_points = 0x7fffffff;
constexpr std::int64_t default_range = 1'000'000;

/// A source and how its points are made.
struct CatalogueEntry {
  DataSource source;
  std::function<DataSet(const ParameterValues& values)> make;
};

const DataParameter seed_parameter =
    integer_parameter("seed", "Chooses the random numbers.", 1, 0, std::int64_t{0x7fffffffffffffff});

std::uint32_t small(const ParameterValues& values, const char* name) {
  return static_cast<std::uint32_t>(values.integer(name));
}

std::uint64_t seed_of(const ParameterValues& values) { return static_cast<std::uint64_t>(values.integer("seed")); }

/// A compiled-in file, which is known to be good.
DataSet shipped(FileFormat format, const char* id, const std::string& extension, std::string provenance) {
  DataSet set = parse_points(format, shipped_file(id + extension), id).value();
  set.provenance = std::move(provenance);
  return set;
}

GeneratorParameters generator_parameters(const ParameterValues& values) {
  GeneratorParameters p;
  p.n = small(values, "n");
  p.dim = small(values, "dim");
  p.seed = seed_of(values);
  p.part = values.part, p.parts = values.parts;
  p.type = values.text("type") == "int" ? ScalarType::int32 : ScalarType::float32;
  return p;
}

/// Generators whose int coordinates are scaled have the parameter "range" besides the common ones.
GeneratorParameters scaled_parameters(const ParameterValues& values) {
  GeneratorParameters p = generator_parameters(values);
  // A form that writes out every default is not to be refused.
  if (p.type == ScalarType::float32 && values.integer("range") != default_range)
    throw ErrorException({ErrorKind::bad_input, "parameter range is for int coordinates, float ones lie in 0 to 1", "",
                          "add type=int or leave range out"});
  p.range = static_cast<std::int32_t>(values.integer("range"));
  return p;
}

DataSet generated(const ParameterValues& values, PointSet points) {
  DataSet set;
  set.name = values.canonical(points.type == ScalarType::float32 ? "range" : "");
  set.points = std::move(points);
  return set;
}

template <PointSet (*generate)(const GeneratorParameters&)>
DataSet scaled(const ParameterValues& values) {
  return generated(values, generate(scaled_parameters(values)));
}

DataSource generator(std::string id, std::string title, std::string description, bool has_range = true) {
  DataSource source;
  source.id = std::move(id);
  source.title = std::move(title);
  source.description = std::move(description);
  source.generated = source.in_shares = true;
  source.parameters = {integer_parameter("n", "Number of points.", 1000, 0, most_points, "points"),
                       integer_parameter("dim", "Coordinates per point.", 3, 1, 512, "dimensions"),
                       seed_parameter,
                       {"type", "Coordinate type.", "float", {"float", "int"}, 0, 0}};
  if (has_range)
    source.parameters.push_back(
        integer_parameter("range", "Int coordinates are 0 to range - 1; float coordinates always 0 to 1.",
                          default_range, 1, most_points));
  return source;
}

DataSet open_bunny(const ParameterValues& values) {
  DataSet bunny = shipped(FileFormat::ply, "bunny", ".ply",
                          "Stanford Computer Graphics Laboratory, reduced by Mikola Lysenko (npm bunny 1.0.1), public "
                          "domain by its packager");
  bunny.up_axis = 1;
  if (values.integer("sample") == 0) return bunny;
  DataSet samples =
      generated(values, sample_surface(bunny.points, bunny.triangles, small(values, "sample"), seed_of(values)));
  samples.provenance = bunny.provenance;
  samples.up_axis = bunny.up_axis;
  return samples;
}

[[maybe_unused]] CatalogueEntry scene(const SceneModel& model) {
  DataSource source{model.id, model.title, "", true, true, {}};
  source.description = std::string(model.description) + " Stands in for a scene of Zhou et al. 2008, " +
                       std::to_string(model.triangles) + " triangles.";
  if (model.animated)
    source.parameters = {integer_parameter("frame", "Picture of the animation.", 0, 0, scene_frames - 1)};
  source.parameters.push_back(integer_parameter("triangles",
                                                "More triangles than the scene has, by halving its longest edges.",
                                                model.triangles, model.triangles, 100'000'000));
  return {std::move(source), [&model](const ParameterValues& values) {
            DataSet set = scene_frame(model, model.animated ? small(values, "frame") : 0, small(values, "triangles"));
            set.name = values.canonical(values.integer("triangles") == model.triangles ? "triangles" : "");
            return set;
          }};
}

/// A small data set that is compiled in: points from a CSV file, triangles from an OBJ file.
struct ShippedData {
  const char *id, *title, *description;
  bool triangles;
  const char* provenance;
};
constexpr ShippedData shipped_data[]{
    {"wald-10", "Wald's ten points",
     "The ten 2D points of the walkthrough in Wald 2023, section 5, in the paper's order.", false,
     "Wald 2023, section 5 (arXiv 2211.00120)"},
    {"wald-6", "The six points of Wald's Figure 1",
     "The six 2D points of Figure 1 in Wald 2023, originally from Wikipedia's k-d tree article.", false,
     "Wald 2023, Figure 1 (arXiv 2211.00120)"},
    {"sixteen", "Sixteen points for counting digits",
     "Sixteen 2D points whose x and whose y are the numbers 0 to 15, shuffled: keys of two digits in base 4.", false,
     "made for the lesson wehr/segmented-radix-sort"},
    {"hu-10", "Ten points after Hu et al.'s example",
     "Ten 2D points with float coordinates, made so that all that Hu et al. 2015 say of their example holds.", false,
     "made after the example of Hu et al. 2015, section II"},
    {"ties-12", "Twelve points with ties",
     "Twelve 3D points that share coordinates in every dimension; points 0 and 8 share all three.", false,
     "made for the lesson brown/super-key-sort"},
    {"bracket-10", "Ten points of a scan", "Ten 2D points of a bracket in the shape of an L and of a wall behind it.",
     false, "made for the lesson wehr/tracking"},
    {"roof-10", "Ten points of a roof",
     "Ten 3D points with float coordinates on a sheet that is bent by a right angle at its ridge.", false,
     "made for the lesson zhou/point-clouds"},
    {"zhou-4", "Four triangles in a plane",
     "Four triangles that the surface area heuristic parts into the sets of Fig. 3 of Zhou et al. 2008.", true,
     "made for the lessons zhou"},
    {"zhou-8", "Eight triangles in a plane",
     "Eight triangles, two of them across planes, with much empty space on one side: both cases of Fig. 2 of Zhou et "
     "al. 2008.",
     true, "made for the lessons zhou"},
    {"tents-16", "Sixteen triangles of four tents",
     "Four tents of four triangles each, three in front and one behind; a plane halves the tent in the middle.", true,
     "made for the lessons zhou"},
};

std::vector<CatalogueEntry> make_catalogue() {
  std::vector<CatalogueEntry> entries;
  for (const ShippedData& data : shipped_data)
    entries.push_back(
        {{data.id, data.title, data.description, false, data.triangles, {}}, [&data](const ParameterValues&) {
           return data.triangles ? shipped(FileFormat::obj, data.id, ".obj", data.provenance)
                                 : shipped(FileFormat::csv, data.id, ".csv", data.provenance);
         }});
  entries.push_back(
      {{"bunny",
        "Stanford bunny",
        "1,839 vertices and 3,674 triangles of the Stanford bunny, or points sampled on its surface. Model: "
        "Stanford Computer Graphics Laboratory; reduced version: npm package bunny 1.0.1, public domain.",
        false,
        true,
        {integer_parameter("sample", "Points on the surface, uniform by area; 0 takes the vertices.", 0, 0,
                           most_points),
         seed_parameter}},
       open_bunny});
  DataSource workbench{
      "workbench",
      "Workbench range scan",
      "A simulated depth-camera scan of a desk with boxes, a can, a piston and a ball, in metres.",
      true,
      false,
      {integer_parameter("n", "Number of points.", 300'000, 0, 300'000, "points"), seed_parameter,
       integer_parameter("frame", "The piston is lifted, turned and put back.", 0, 0, workbench_frames - 1)}};
  entries.push_back({std::move(workbench), [](const ParameterValues& values) {
                       const std::uint32_t frame = small(values, "frame");
                       DataSet set;
                       set.name = values.canonical(frame == 0 ? "frame" : "");
                       set.points = workbench_scan(small(values, "n"), seed_of(values), frame);
                       return set;
                     }});
  entries.push_back({{"piston",
                      "Piston",
                      "The surface of the piston in the workbench scans, in metres about the middle of its base.",
                      true,
                      true,
                      {}},
                     [](const ParameterValues& values) {
                       DataSet set = piston_model().data_set();
                       set.name = values.canonical("");
                       return set;
                     }});
  DataSource caustic{
      "caustic",
      "Caustic",
      "Places where light that a metal ring reflects hits the table inside the ring.",
      true,
      false,
      {integer_parameter("n", "Number of photons.", 200'000, 0, most_points, "photons"), seed_parameter}};
  entries.push_back({std::move(caustic), [](const ParameterValues& values) {
                       return generated(values, caustic_photons(small(values, "n"), seed_of(values)));
                     }});
#if !defined(KDSCOPE_COMPACT)  // more triangles than a page shows
  for (const SceneModel& model : scene_models()) entries.push_back(scene(model));
#endif
  DataSource triangles{
      "triangles",
      "Triangles",
      "Random or degenerate triangles: a soup, none, one, two, copies of one, all in a plane, all through "
      "one point, or points and segments without area.",
      true,
      true,
      {{"kind", "Kind of triangles.", triangle_kinds().front(), triangle_kinds(), 0, 0},
       integer_parameter("n", "Number of triangles, for kinds of any number.", 1000, 0, 100'000'000, "triangles"),
       seed_parameter}};
  entries.push_back({std::move(triangles), [](const ParameterValues& values) {
                       const std::string kind = values.text("kind");
                       DataSet set = triangle_set(kind, small(values, "n"), seed_of(values));
                       set.name = values.canonical(fixed_triangle_count(kind) ? "n" : "");
                       return set;
                     }});
  entries.push_back({generator("uniform", "Uniform", "Independent, uniform coordinates."), scaled<uniform_points>});
  DataSource clustered = generator("clustered", "Clustered", "Bell-shaped clouds of different widths.");
  clustered.parameters.push_back(integer_parameter("clusters", "Number of clouds.", 16, 1, 1'000'000));
  entries.push_back({std::move(clustered), [](const ParameterValues& values) {
                       return generated(values, clustered_points(scaled_parameters(values), small(values, "clusters")));
                     }});
  entries.push_back(
      {generator("sphere", "Sphere", "On the surface of a sphere, nearly uniform."), scaled<sphere_points>});
  entries.push_back({generator("line", "Line", "On one slanted line segment."), scaled<line_points>});
  DataSource grid =
      generator("grid", "Grid", "On the lattice 0 to side - 1 in each dimension: many equal coordinates.", false);
  grid.parameters.push_back(integer_parameter("side", "Lattice positions along each axis.", 10, 1, 1'000'000));
  entries.push_back({std::move(grid), [](const ParameterValues& values) {
                       return generated(values, grid_points(generator_parameters(values), small(values, "side")));
                     }});
  entries.push_back({generator("equal", "All equal", "Copies of one point."), scaled<equal_points>});
  entries.push_back({generator("presorted", "Presorted", "Sorted by the first coordinate, uniform in the others."),
                     scaled<presorted_points>});
  return entries;
}

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = make_catalogue();
  return entries;
}

DataSet open_source(const CatalogueEntry& entry, std::string_view parameters, std::uint32_t part = 0,
                    std::uint32_t parts = 1) {
  ParameterValues values(entry.source, parameters);
  values.part = part, values.parts = parts;
  try {
    return entry.make(values);
  } catch (const ErrorException& e) {
    Error error = e.error();
    error.where = entry.source.id;
    throw ErrorException(error);
  }
}

[[noreturn]] void refuse_unknown(const std::string& specification, std::string_view name) {
  std::vector<std::string> ids;
  for (const DataSource& source : data_sources()) ids.push_back(source.id);
  const bool looks_like_path = specification.find_first_of("/.") != std::string::npos;
  throw ErrorException({ErrorKind::bad_input,
                        looks_like_path ? "there is no such file" : "there is no data set and no file of this name",
                        specification, looks_like_path ? "check the path" : "try " + listed(nearest_names(name, ids))});
}

}  // namespace

const std::vector<DataSource>& data_sources() {
  static const std::vector<DataSource> sources = [] {
    std::vector<DataSource> list;
    for (const CatalogueEntry& entry : catalogue()) list.push_back(entry.source);
    return list;
  }();
  return sources;
}

namespace {

/// Opens a specification, or a share of it where its source makes shares.
Result<std::shared_ptr<DataSet>> open_part(const std::string& specification, std::uint32_t part,
                                           std::uint32_t parts) try {
  const std::string_view name = std::string_view(specification).substr(0, specification.find(':'));
  for (const CatalogueEntry& entry : catalogue())
    if (entry.source.id == name)
      return std::make_shared<DataSet>(open_source(
          entry, std::string_view(specification).substr(std::min(specification.size(), name.size() + 1)), part, parts));
#if defined(KDSCOPE_COMPACT)  // a page has no files
  refuse_unknown(specification, name);
#else
  std::error_code error;
  const std::string path = data_file_of(specification);
  if (!std::filesystem::exists(path, error)) refuse_unknown(specification, name);
  return std::make_shared<DataSet>(open_file(specification, path));
#endif
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the points do not fit in memory", specification, "ask for fewer points"};
} catch (const std::system_error& e) {
  return Error{ErrorKind::io_failure, std::string("the system refused: ") + e.what(), specification, ""};
}

}  // namespace

std::string DataParameter::title() const {
  std::string title = counted.empty() ? name : counted;
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

Result<std::shared_ptr<const DataSet>> open_data_set(const std::string& specification) {
  auto opened = open_part(specification, 0, 1);
  if (!opened) return opened.error();
  return std::shared_ptr<const DataSet>(std::move(*opened));
}

Result<DataShare> open_data_share(const std::string& specification, std::uint32_t part, std::uint32_t parts) try {
#if !defined(KDSCOPE_COMPACT)
  if (data_file_of(specification) == specification)
    if (auto share = open_npy_share(specification, part, parts)) return std::move(*share);
#endif
  auto opened = open_part(specification, part, parts);
  if (!opened) return opened.error();
  DataSet& set = **opened;
  const std::string name = specification.substr(0, specification.find(':'));
  for (const DataSource& source : data_sources())
    if (source.id == name && source.in_shares) {
      const std::uint64_t n = static_cast<std::uint64_t>(
          ParameterValues(source, set.name.substr(std::min(set.name.size(), name.size() + 1))).integer("n"));
      return DataShare{std::move(*opened), n * part / parts};
    }
  const std::uint64_t n = set.points.size(), stride = set.points.stride(), first = n * part / parts;
  set.triangles = {};
  const auto at = [&](std::uint64_t point) {
    return set.points.words.begin() + static_cast<std::ptrdiff_t>(point * stride);
  };
  set.points.words = std::vector<std::uint32_t>(at(first), at(n * (part + 1) / parts));
  return DataShare{std::move(*opened), first};
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the points do not fit in memory", specification, "ask for fewer points"};
}

Result<void> check_same_origin(const DataSet& first, const DataSet& other) {
  const auto shift = [](const DataSet& data, std::size_t d) { return d < data.shift.size() ? data.shift[d] : 0; };
  bool same = first.scale == other.scale;
  for (std::size_t d = 0; d < std::max(first.shift.size(), other.shift.size()); ++d)
    same = same && shift(first, d) == shift(other, d);
  if (same) return {};
  std::string options;
  for (std::uint32_t d = 0; d < first.points.dim; ++d) options += (d > 0 ? "," : "shift=") + shortest(shift(first, d));
  if (first.scale != 1) options += ",scale=" + shortest(first.scale);
  return Error{ErrorKind::bad_input, "the coordinates are shifted or scaled otherwise than those of " + first.name,
               other.name, "give both files the same, such as " + options};
}

}  // namespace kdscope
