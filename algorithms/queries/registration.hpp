#pragma once
// How a source declares its searches. Each folder's registration.cpp defines declare(), which returns the
// specifications in the order of the folder's list `Searches`.

#include <string>
#include <vector>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/queries/searching.hpp"

namespace kdscope::queries {

/// Returns the specification of a search. anchor: the region of its source.
template <class Searching>
SearchSpec declared(std::string id, std::string title, std::string citation, std::string summary, std::string anchor) {
  SearchSpec spec{std::move(id),
                  std::move(title),
                  std::move(citation),
                  std::move(summary),
                  std::string(Searching::Tree::kind().id()),
                  {Searching::questions.begin(), Searching::questions.end()},
                  Searching::most_k,
                  std::move(anchor)};
  if constexpr (requires { Searching::takes_metrics; }) spec.takes_metrics = Searching::takes_metrics;
  if constexpr (requires { Searching::takes_periods; }) spec.takes_periods = Searching::takes_periods;
  if constexpr (requires { Searching::visits_together; }) spec.serves_packets = Searching::visits_together;
  if constexpr (requires { Searching::option_table(); }) {
    spec.parameters = Searching::option_table().specs();
    spec.parse = [](const std::string& owner, const Parameters& given) {
      return Searching::option_table().typed(owner, given);
    };
  } else {
    spec.parse = [](const std::string& owner, const Parameters& given) {
      return OptionTable<NoOptions>().typed(owner, given);
    };
  }
  if constexpr (requires(const Searching& search) { search.may_give_up(SearchQuestion::nearest); })
    spec.may_give_up = [](SearchQuestion question, const TypedOptions& options) {
      return searching_of<Searching>(options).may_give_up(question);
    };
  return spec;
}

}  // namespace kdscope::queries
