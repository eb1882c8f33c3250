#include "visualizer/web/html_text.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/processor_time.hpp"

using namespace kdscope;

TEST_CASE("Markdown of lessons becomes HTML") {
  CHECK(html_of_markdown("**Why** so *little* `work`?\n\nNext.") ==
        "<p><strong>Why</strong> so <em>little</em> <code>work</code>?</p>\n<p>Next.</p>\n");
  CHECK(html_of_markdown("two\nlines") == "<p>two\nlines</p>\n");
  CHECK(html_of_markdown("- one\n- two\n  goes on\n\nAfter") ==
        "<ul>\n<li>one</li>\n<li>two\ngoes on</li>\n</ul>\n<p>After</p>\n");
  CHECK(html_of_markdown("1. first\n2. second") == "<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n");
  CHECK(html_of_markdown("### Title\nText") == "<h3>Title</h3>\n<p>Text</p>\n");
  CHECK(html_of_markdown("```\na < b\n```") == "<pre><code>a &lt; b\n</code></pre>\n");
  CHECK(html_of_markdown("> said") == "<blockquote><p>said</p></blockquote>\n");
  CHECK(html_of_markdown("[page](https://example.org/?a=1&b=2)") ==
        "<p><a rel=\"noreferrer\" href=\"https://example.org/?a=1&amp;b=2\">page</a></p>\n");
  CHECK(html_of_markdown("***both***").find("<p>") == 0);
  CHECK(html_of_markdown("") == "");
}

TEST_CASE("formulas of lessons are no emphasis") {
  CHECK(html_of_markdown("nls_s*(1<<(L-l-1)-1) and left_right_mark") ==
        "<p>nls_s*(1&lt;&lt;(L-l-1)-1) and left_right_mark</p>\n");
  CHECK(html_of_markdown("2 * 3 * 4") == "<p>2 * 3 * 4</p>\n");
  CHECK(html_of_markdown("\\*no\\*") == "<p>*no*</p>\n");
}

TEST_CASE("no text becomes markup of its own") {
  for (const char* hostile : {"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
                              "![x](https://a/b.png)", "`<b>`", "[a](https://x\" onclick=\"alert(1))", "**<i>**",
                              "&lt;script&gt;", "</script>"}) {
    const std::string html = html_of_markdown(hostile);
    INFO(html);
    for (const char* bad : {"<script", "<img", "<b>", "<i>", "href=\"javascript", "\" onclick=\"", "</script"})
      CHECK(html.find(bad) == std::string::npos);
  }
  CHECK(html_escaped("a<b>\"c\"&'d'") == "a&lt;b&gt;&quot;c&quot;&amp;&#39;d&#39;");
  CHECK(html_escaped("\x1b[31m\xff").find('\x1b') == std::string::npos);
}

TEST_CASE("hostile Markdown costs no quadratic time") {
  for (const char* part : {"*a ", "[", "`", "**", "_x ", "![a]("}) {
    INFO(part);
    std::string text, tenth;
    while (text.size() < 300'000) text += part;
    tenth = text.substr(0, text.size() / 10);
    CHECK_FALSE(html_of_markdown(text).empty());
    // Ten times the text costs ten times as much; quadratic time would be a hundred.
    CHECK(test::cost_ratio([&] { html_of_markdown(text); }, [&] { html_of_markdown(tenth); }, 3) < 40);
  }
}
