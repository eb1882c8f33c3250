// Stands in for markdown.cpp in a build without md4c.

#include "visualizer/web/html_text.hpp"

namespace kdscope {

bool markdown_available() { return false; }

std::string html_of_markdown(std::string_view markdown) { return "<p>" + html_escaped(markdown) + "</p>\n"; }

}  // namespace kdscope
