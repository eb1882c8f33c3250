#pragma once
// What a check found.

#include <string>

namespace kdscope {

/// One invariant: what must hold, and the first place where it does not.
struct Finding {
  std::string check;      ///< short name: "observation 3.2"
  std::string statement;  ///< what must hold, one sentence
  bool passed = true;
  std::string detail;     ///< first violation: where, found, expected; empty when passed

  /// Notes a violation; only the first one's text is kept.
  void fail(std::string what) {
    if (passed) detail = std::move(what);
    passed = false;
  }
};

}  // namespace kdscope
