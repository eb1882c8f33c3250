#include "algorithms/applications/application.hpp"

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"

namespace kdscope {

Result<Parameters> Application::complete_builder(const Parameters& given) const {
  return complete_parameters(algorithm, given);
}

Result<Parameters> Application::complete_search(const Parameters& given) const {
  Parameters all = search_parameters;
  for (const auto& [name, value] : given) all[name] = value;
  return complete_search_parameters(search, all);
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
