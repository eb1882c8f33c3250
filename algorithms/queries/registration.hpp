#pragma once
// How a source declares its searches. Each folder's registration.cpp defines declare(), which returns the
// specifications in the order of the folder's list `Searches`.

#include <string>
#include <vector>

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
  if constexpr (requires { Searching::option_table(); }) spec.parameters = Searching::option_table().specs();
  if constexpr (requires(const Searching& search) { search.may_give_up(SearchQuestion::nearest); })
    spec.may_give_up = [](SearchQuestion question, const Parameters& parameters) {
      return Searching(Searching::option_table().parse(parameters)).may_give_up(question);
    };
  return spec;
}

}  // namespace kdscope::queries
