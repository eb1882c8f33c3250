// The program that libFuzzer drives: KDSCOPE_READER names the reader. An unsound result aborts it like a crash.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/reader.hpp"

using namespace kdscope::fuzz;

namespace {

const Reader& chosen_reader() {
  const char* name = std::getenv("KDSCOPE_READER");
  for (const Reader& reader : readers())
    if (name && std::strcmp(reader.name, name) == 0) return reader;
  std::fputs("KDSCOPE_READER names none of these readers:", stderr);
  for (const Reader& reader : readers()) std::fprintf(stderr, " %s", reader.name);
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const Reader& reader = chosen_reader();
  const Outcome outcome = reader.read(std::string(reinterpret_cast<const char*>(data), size));
  if (outcome.unsound.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", reader.name, outcome.unsound.c_str());
  std::abort();
}
