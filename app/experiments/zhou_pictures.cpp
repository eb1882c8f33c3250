#include "app/experiments/zhou_pictures.hpp"

#include "datasets/datasets.hpp"

namespace kdscope::zhou_2008 {
namespace {

enum Detail : std::size_t { scene, bounces, lights, rays_per_us, nodes_per_ray };

double median_of(const Picture& picture) { return median_ms(picture.trace_ms); }

}  // namespace

const std::array<PrintedPictures, 6> printed_pictures{{{"22", "18", "10.5", "23.5", "32.0"},
                                                       {"109", "108", "", "", "8.00"},
                                                       {"165", "157", "", "", "4.96"},
                                                       {"226", "207", "", "", "4.84"},
                                                       {"87", "78", "2.30", "5.84", "6.40"},
                                                       {"27", "25", "", "", "8.85"}}};

Experiment picture_experiment(std::string id, const std::string& place, std::string title, Measure measure,
                              const std::string& notes) {
  Experiment made = experiment(std::move(id), place, std::move(title), measure);
  made.spec.notes =
      "The scenes are ours, with the source's numbers of triangles, lights and bounces, seen from a place of our own. "
      "The source's scenes and eyes are not published, so its times stand beside ours and are not comparable one by "
      "one. " +
      notes;
  made.spec.details = {"scene", "bounces", "lights", "rays_per_us", "nodes_per_ray"};
  return made;
}

ExperimentRow& add_picture_row(ExperimentSpec& spec, std::size_t of, std::string series) {
  ExperimentRow& row = add_row(spec, scenes[of], std::move(series));
  row.run = static_cast<int>(of);
  row.details[scene] = scenes[of].data;
  return row;
}

Result<std::optional<Picture>> measure_pictures(ExperimentRow& row, const PictureKind& kind,
                                                const ExperimentOptions& options, const RunControl& control) {
  const auto device = device_on(options.backend);
  if (!device) {
    row.reason = "no CUDA device";
    return std::optional<Picture>();
  }
  const auto data = open_data_set(row.specification());
  if (!data) return data.error();
  PictureRequest request;
  request.scene = *data;
  request.look = look_of(**data);
  request.camera = camera_before(**data, kind.width, kind.height);
  request.tree = kind.tree;
  request.photons = kind.photons;
  request.parameters = row.facts.parameters;
  request.backend = device->backend;
  request.keep_tree = kind.tree != SceneTree::zhou_sah;
  const auto trace = [&](PictureRequest& asked) {
    auto traced = trace_picture(asked, control);
    if (traced) asked.kept = traced->tree;
    return traced;
  };
  const auto times_of = [](const Picture& traced) {
    return sums_of(sums_of(traced.build_ms, traced.photon_ms), traced.trace_ms);
  };
  auto picture = sample_repeats(request, options.repeat, trace, times_of);
  if (!picture && picture.error().kind == ErrorKind::out_of_memory) {
    row.reason = "oom";
    return std::optional<Picture>();
  }
  if (!picture) return picture.error();
  double nodes = 0;
  for (const std::uint32_t visited : picture->visited) nodes += visited;
  const auto rays = static_cast<double>(picture->rays.sum());
  row.details[bounces] = std::to_string(request.look.bounces);
  row.details[lights] = std::to_string(request.look.lights.size());
  row.details[rays_per_us] = decimal(rays / 1000 / median_of(*picture));
  row.details[nodes_per_ray] = decimal(nodes / rays);
  return std::optional<Picture>(std::move(*picture));
}

std::vector<double> pictures_per_second(const Picture& picture) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < picture.trace_ms.size(); ++i)
    rates.push_back(1000 / (picture.build_ms[i] + picture.photon_ms[i] + picture.trace_ms[i]));
  return rates;
}

void fill_picture_row(ExperimentRow& row, const std::vector<double>& values, const Picture& picture) {
  row.samples = {values};
  row.device = picture.device;
}

}  // namespace kdscope::zhou_2008
