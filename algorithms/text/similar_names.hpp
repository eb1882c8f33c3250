#pragma once
// Which of some names was meant by a word that is none of them.

#include <string>
#include <string_view>
#include <vector>

namespace kdscope {

/// The name that differs least from a word, or an empty one if none is similar.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

/// "did you mean --data?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace kdscope
