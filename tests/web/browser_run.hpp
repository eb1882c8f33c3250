#pragma once
// Opens pages in headless Chromium.

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/text/json_value.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/web/engine_run.hpp"

namespace kdscope::test {

inline bool has_browser() { return std::system("command -v chromium >/dev/null 2>&1") == 0; }

/// A command line of the browser, with its profile in a folder. All frames of a test have room in its window: a browser
/// draws nothing outside.
inline std::string browser_in(const std::string& folder) {
  return "timeout 400 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
         "--window-size=2600,1400 --user-data-dir=" +
         folder + "/profile ";
}

inline std::string unescaped(std::string text) {
  for (const auto& [entity, character] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\u00a0"}, {"&amp;", "&"}})
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::string(entity).size(), character);
  return text;
}

/// A frame in which a page is opened.
struct PageFrame {
  int width = 0, height = 0;
  std::string fragment = {};
};

/// Returns what a probe, a script of tests/web, reports from a page in each frame. Files go to the folder.
inline std::vector<JsonValue> reports_of(std::string page, const std::string& probe,
                                         const std::vector<PageFrame>& frames, const std::string& folder) {
  const std::string script = test::content_of(KDSCOPE_SOURCE_DIR "/tests/web/" + probe);
  REQUIRE_FALSE(script.empty());
  const std::size_t nonce_at = page.find("'nonce-") + 7;
  const std::string nonce = page.substr(nonce_at, page.find('\'', nonce_at) - nonce_at);
  page.insert(page.rfind("</body>"), "<script nonce=\"" + nonce + "\">" + script + "</script>\n");
  std::ofstream(folder + "/page.html") << page;
  std::ofstream whole(folder + "/frames.html");
  whole << "<!DOCTYPE html><script>addEventListener('message', (e) => { const pre = document.createElement('pre'); "
           "pre.className = 'report'; pre.textContent = e.data; document.body.append(pre); });</script><body>";
  for (const PageFrame& frame : frames)
    whole << "<iframe src=\"page.html" << frame.fragment << "\" width=" << frame.width << " height=" << frame.height
          << "></iframe>";
  whole.close();
  const std::string dom = output_of(browser_in(folder) + "--virtual-time-budget=20000 --dump-dom file://" + folder +
                                    "/frames.html 2>/dev/null");
  std::vector<JsonValue> reports;
  const std::string open = "<pre class=\"report\">";
  for (std::size_t begin = dom.find(open); begin != std::string::npos; begin = dom.find(open, begin + 1)) {
    const std::size_t from = begin + open.size();
    reports.push_back(JsonValue::parse(unescaped(dom.substr(from, dom.find("</pre>", from) - from))));
  }
  return reports;
}

}  // namespace kdscope::test
