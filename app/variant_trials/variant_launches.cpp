#include "app/variant_trials/variant_launches.hpp"

#include <algorithm>
#include <set>

#include "algorithms/registry/registry.hpp"
#include "algorithms/variants/measurement.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "app/variant_trials/variant_trial.hpp"

namespace kdscope {
namespace {

/// Returns other values of a parameter: all choices, or a few integers over its range.
std::vector<std::string> other_values(const ParameterSpec& spec, const std::string& value) {
  std::vector<std::string> values;
  for (const Choice& choice : spec.choices) values.push_back(choice.value);
  if (spec.choices.empty())
    for (const std::int64_t each : {std::int64_t(1), std::int64_t(2), std::int64_t(4), std::int64_t(32)})
      values.push_back(std::to_string(std::clamp(each, spec.min, spec.max)));
  std::erase(values, value);
  std::set<std::string> known;
  std::erase_if(values, [&](const std::string& each) { return !known.insert(each).second; });
  return values;
}

}  // namespace

std::vector<LaunchChoice> launch_choices(const AlgorithmSpec& spec, const Parameters& parameters) {
  const auto complete = complete_parameters(spec, parameters);
  std::vector<LaunchChoice> one, choices;
  for (const ParameterSpec& parameter : spec.parameters)
    for (const std::string& value :
         other_values(parameter, complete ? complete->at(parameter.name) : parameter.default_value)) {
      LaunchChoice choice{parameters, "", parameter.name + "=" + value};
      choice.parameters[parameter.name] = value;
      one.push_back(std::move(choice));
    }
  choices = one;
  std::vector<std::string> data;
  if (spec.takes_triangles)
    data = {"metal-ring", "toys"};
  else
    for (const char* n : {"200", "1000", "5000", "20000"})
      data.push_back(std::string("uniform:n=") + n +
                     ",dim=" + std::to_string(std::clamp(3u, spec.min_dim, spec.max_dim)) + ",seed=7");
  for (const std::string& set : data) choices.push_back({parameters, set, "--data " + set});
  // The largest data are slow, and what needs many points seldom needs another parameter too
  data.resize(std::min<std::size_t>(data.size(), 3));
  for (auto set = data.rbegin(); set != data.rend(); ++set)
    for (const LaunchChoice& choice : one)
      choices.push_back({choice.parameters, *set, "--data " + *set + " and " + choice.changed});
  return choices;
}

Result<std::vector<StageLaunch>> stage_launches(const std::string& algorithm, variants::CompilerErrors& errors,
                                                const RunControl& control) {
  std::vector<StageLaunch> launches;
  for (variants::Stage& stage : variants::stages_of(algorithm)) launches.push_back({std::move(stage), false, ""});
  if (launches.empty()) return launches;
  const auto kit = variants::find_kit();
  if (!kit) return kit.error();
  const auto compiled = variants::compile_all_stages(algorithm, *kit, errors, control.stop);
  if (!compiled) return compiled.error();
  std::vector<LaunchChoice> choices{{{}, "", ""}};
  for (LaunchChoice& choice : launch_choices(*find_algorithm(algorithm), {})) choices.push_back(std::move(choice));
  for (const LaunchChoice& choice : choices) {
    if (std::ranges::all_of(launches, &StageLaunch::launched)) break;
    if (control.progress) control.progress(0, choice.changed);
    const std::string data = choice.data.empty() ? usual_trial_data(algorithm) : choice.data;
    const auto run = variants::run_variant(compiled->program, *kit, {{data, {}, choice.parameters, Backend::cpu, true}},
                                           {}, control.stop);
    if (!run && run.error().kind == ErrorKind::cancelled) return run.error();
    if (!run) continue;  // a choice that the builder does not take
    for (StageLaunch& launch : launches)
      if (!launch.launched && std::ranges::find(run->replaced, launch.stage.name) != run->replaced.end())
        launch.launched = true, launch.choice = choice.changed;
  }
  return launches;
}

}  // namespace kdscope
