#pragma once
// Finds the name that a user probably meant by an unknown word.

#include <string>
#include <string_view>
#include <vector>

namespace kdscope {

/// Returns the name that differs least from a word, or an empty text if none is similar.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

/// Returns "did you mean --data?", or an empty text.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace kdscope
