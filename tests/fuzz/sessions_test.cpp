// Whatever happens to the bytes, a session file opens in part or is refused with a sentence, and never crashes.

#include "app/session/session_file.hpp"

#include <cmath>

#include "datasets/generators/counter_hash.hpp"
#include "tests/app/session_files.hpp"

using namespace kdscope;

namespace {

void damage(std::string& bytes, const CounterHash& hash, std::uint64_t& counter) {
  static const std::string tokens[] = {"nan", "-1", "18446744073709551616", "\n", ": ", "- ", "--- | # points\n", "{", "[[[[[[[[",
                                       "*a", "&a ", "!!binary ", "\"", "\n---\n", "? ", "<<: ", std::string(1, '\0'), "\xff", "\t",
                                       "\nstep: 1\n", "|\n"};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : hash.bits(counter++) % n; };
  const std::size_t at = below(bytes.size() + 1);
  switch (below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
      break;
    case 1:
      bytes.resize(at);
      break;
    case 2:
      bytes.erase(at, below(40));
      break;
    case 3:
      bytes.insert(at, bytes, below(bytes.size()), below(80));
      break;
    default:
      bytes.insert(at, tokens[below(std::size(tokens))]);
  }
}

}  // namespace

TEST_CASE("Sessions survive damaged files") {
  if (!session_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const std::string good = session_text(full_session());
  REQUIRE(parse_session(good, "f"));
  constexpr std::uint64_t rounds = 20'000;
  std::uint64_t whole = 0, part = 0, refused = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const CounterHash hash(round, 0);
    std::uint64_t counter = 0;
    std::string bytes = good;
    for (std::size_t times = 1 + hash.bits(counter++) % 6; times > 0; --times) damage(bytes, hash, counter);
    std::string wrong;
    try {
      const auto read = parse_session(bytes, "f");
      if (!read) {
        ++refused;
        if (read.error().where != "f" || read.error().what.empty()) wrong = "no clear sentence";
      } else {
        ++(read->problems.empty() ? whole : part);
        const Session& session = read->saved.session;
        for (const auto& set : {session.run.own_points, read->saved.edited_points})
          if (set && (set->points.dim < 1 || set->points.words.size() % set->points.dim != 0 || set->points.words.empty()))
            wrong = "no whole points";
        if (session.text_scale < min_text_scale || session.text_scale > max_text_scale) wrong = "a text scale out of range";
        if (session.camera && !std::isfinite(session.camera->parallel_scale)) wrong = "a camera that is nowhere";
        for (const std::string& problem : read->problems)
          if (problem.size() > 400) wrong = "a problem too long to read";
      }
    } catch (const std::exception& e) {
      wrong = std::string("an exception: ") + e.what();
    }
    if (!wrong.empty()) FAIL_CHECK("round " << round << ": " << wrong << "\n" << bytes);
  }
  CHECK(part > rounds / 2);
  CHECK(whole > 0);
  CHECK(whole + part + refused == rounds);
}
