#include "algorithms/trace/trace_format.hpp"

#include <string_view>

#include "algorithms/text/printable_text.hpp"

namespace kdscope::trace_format {

Error out_of_memory(const std::string& path) {
  return {ErrorKind::out_of_memory, "memory does not hold this trace", path,
          "close other traces, or record fewer points"};
}

std::string group_name(const std::string& array) {
  std::string name;
  for (const char c : array) {
    if (c == '/')
      name += "%2F";
    else if (c == '%')
      name += "%25";
    else if (c == '.' && name.empty())
      name += "%2E";
    else
      name += c;
  }
  return name;
}

Error in_file(Error error, const std::string& path) {
  const auto shown = [](const std::string& text) {
    constexpr std::size_t longest = 400;
    return printable(std::string_view(text).substr(0, longest)) + (text.size() > longest ? "..." : "");
  };
  error.what = shown(error.what);
  error.where = error.where.empty() ? path : path + ", " + shown(error.where);
  return error;
}

void throw_error(trace_stream::Receiver& in) {
  Error error;
  in(error);
  throw ErrorException(std::move(error));
}

}  // namespace kdscope::trace_format
