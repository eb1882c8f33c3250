#include "walkthroughs/reader/question_text.hpp"

namespace kdscope {

std::string starting_with_prose(const std::string& markdown) {
  const std::size_t digits = markdown.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || digits > 9 || markdown.substr(digits, 2) != ". ") return markdown;
  const std::string next = "\n" + std::to_string(std::stoul(markdown.substr(0, digits)) + 1) + ". ";
  if (markdown.find(next) != std::string::npos) return markdown;
  return markdown.substr(0, digits) + "\\" + markdown.substr(digits);
}

}  // namespace kdscope
