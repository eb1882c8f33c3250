#include "algorithms/applications/application.hpp"

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"

namespace kdscope {

Result<TypedOptions> Application::builder_options(const Parameters& given) const {
  return typed_options(algorithm, given);
}

Result<TypedOptions> Application::search_options(const Parameters& given) const {
  Parameters all = search_parameters;
  for (const auto& [name, value] : given) all[name] = value;
  return typed_search_options(search, all);
}

std::uint64_t Application::most_points() const {
  const AlgorithmSpec* spec = find_algorithm(algorithm);
  return spec ? spec->max_points : 0;
}

SearchOfRun Application::search_of(const std::vector<double>& query, std::uint32_t k) const {
  SearchOfRun asked;
  asked.search = search;
  asked.question = question;
  asked.k = k;
  asked.parameters = search_parameters;
  for (const double value : query) asked.query.push_back(static_cast<float>(value));
  return asked;
}

}  // namespace kdscope
