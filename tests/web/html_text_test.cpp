#include "visualizer/web/html_text.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/processor_time.hpp"

using namespace kdscope;

TEST_CASE("Markdown of lessons becomes HTML") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  CHECK(html_of_markdown("**Why** so *little* `work`?\n\nNext.") ==
        "<p><strong>Why</strong> so <em>little</em> <code>work</code>?</p>\n<p>Next.</p>\n");
  CHECK(html_of_markdown("two\nlines") == "<p>two\nlines</p>\n");
  CHECK(html_of_markdown("- one\n- two\n  goes on\n\nAfter") ==
        "<ul>\n<li>one</li>\n<li>two\ngoes on</li>\n</ul>\n<p>After</p>\n");
  CHECK(html_of_markdown("1. first\n2. second") == "<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n");
  CHECK(html_of_markdown("### Title\nText") == "<h3>Title</h3>\n<p>Text</p>\n");
  CHECK(html_of_markdown("```\na < b\n```") == "<pre><code>a &lt; b\n</code></pre>\n");
  CHECK(html_of_markdown("> said") == "<blockquote><p>said</p>\n</blockquote>\n");
  CHECK(html_of_markdown("[page](https://example.org/?a=1&b=2)") ==
        "<p><a rel=\"noreferrer\" href=\"https://example.org/?a=1&amp;b=2\">page</a></p>\n");
  CHECK(html_of_markdown("***both***") == "<p><em><strong>both</strong></em></p>\n");
  CHECK(html_of_markdown("") == "");
}

TEST_CASE("a page shows Markdown as the window does") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  const std::string table = "| tree | near |\n|---|---|\n| `wald` | 14 |";
  const std::string rows =
      "<tr><th scope=\"col\">tree</th>\n<th scope=\"col\">near</th>\n</tr>\n<tr><td><code>wald</code></td>\n"
      "<td>14</td>\n</tr>\n</table>\n";
  CHECK(html_of_markdown(table) == "<table class=\"prose\">" + rows);
  // The sentence before a table is its caption, for readers who jump from table to table.
  CHECK(html_of_markdown("One. Two\n& three:\n\n" + table) ==
        "<p>One. Two\n&amp; three:</p>\n<table class=\"prose\"><caption class=\"unseen\">Two &amp; three</caption>" +
            rows);
  CHECK(html_of_markdown("- one\n  - inner") == "<ul>\n<li>one<ul>\n<li>inner</li>\n</ul>\n</li>\n</ul>\n");
  CHECK(html_of_markdown("3. third") == "<ol start=\"3\">\n<li>third</li>\n</ol>\n");
  CHECK(html_of_markdown("    a < b") == "<pre><code>a &lt; b\n</code></pre>\n");
  CHECK(html_of_markdown("one  \ntwo") == "<p>one<br>\ntwo</p>\n");
  CHECK(html_of_markdown("one\n\n---\n") == "<p>one</p>\n<hr>\n");
  CHECK(html_of_markdown("[word][1]\n\n[1]: https://example.org") ==
        "<p><a rel=\"noreferrer\" href=\"https://example.org\">word</a></p>\n");
  // A page has headings of its own above those of its texts.
  CHECK(html_of_markdown("# Title") == "<h3>Title</h3>\n");
  CHECK(html_of_markdown("#### Title") == "<h4>Title</h4>\n");
}

TEST_CASE("formulas of lessons are no emphasis") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  CHECK(html_of_markdown("nls_s*(1<<(L-l-1)-1) and left_right_mark") ==
        "<p>nls_s*(1&lt;&lt;(L-l-1)-1) and left_right_mark</p>\n");
  CHECK(html_of_markdown("2 * 3 * 4") == "<p>2 * 3 * 4</p>\n");
  CHECK(html_of_markdown("\\*no\\*") == "<p>*no*</p>\n");
}

TEST_CASE("no text becomes markup of its own") {
  for (const char* hostile :
       {"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
        "![x](https://a/b.png)", "`<b>`", "[a](https://x\" onclick=\"alert(1))", "**<i>**", "&lt;script&gt;",
        "</script>", "<div>\n<script>alert(1)</script>\n</div>", "<!-- <b> -->", "<javascript:alert(1)>",
        "[x](JavaScript:alert(1))", "[x](data:text/html,<script>)", "[x][1]\n\n[1]: javascript:alert(1)",
        "[x](https://a 'b\" onclick=\"alert(1)')", "```<b>\" onclick=\"\n<script>\n```", "|<b>|\n|-|\n|<i>|"}) {
    const std::string html = html_of_markdown(hostile);
    INFO(html);
    for (const char* bad : {"<script", "<img", "<b>", "<i>", "href=\"javascript", "href=\"JavaScript", "href=\"data",
                            "<!--", "\" onclick=\"", "</script"})
      CHECK(html.find(bad) == std::string::npos);
  }
  CHECK(html_escaped("a<b>\"c\"&'d'") == "a&lt;b&gt;&quot;c&quot;&amp;&#39;d&#39;");
  CHECK(html_escaped("\x1b[31m\xff").find('\x1b') == std::string::npos);
}

TEST_CASE("entities of a text are shown as they are written") {
  CHECK(html_of_markdown("&lt; &#x202e; &nbsp;").find("&amp;lt; &amp;#x202e; &amp;nbsp;") != std::string::npos);
}

TEST_CASE("a text that would become far more HTML, or that nests without end, is shown as it is written") {
  if (!markdown_available()) KDSCOPE_SKIP("this build has no md4c");
  std::string references = "[a]: https://example.org/" + std::string(20'000, 'x') + "\n\n", lists;
  for (int i = 0; i < 20'000; ++i) references += "[a] ", lists += "- ";
  for (const std::string& text : {references, lists + "x"})
    CHECK((html_of_markdown(text) == "<pre>" + html_escaped(text) + "</pre>\n"));
  CHECK(html_of_markdown("- - - x").find("<pre>") == std::string::npos);
}

TEST_CASE("hostile Markdown costs no quadratic time") {
  const auto repeated = [](const std::string& first, const std::string& then, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes / 2) text += first;
    text += first == then ? "" : "x\n";
    while (text.size() < bytes) text += then;
    return text;
  };
  const std::pair<const char*, const char*> parts[] = {
      {"*a ", "*a "}, {"[", "["},     {"`", "`"},    {"**", "**"},   {"_x ", "_x "},      {"![a](", "![a]("},
      {"- ", "\n"},   {"1. ", "\n "}, {"> ", ">\n"}, {"|a", "\n|-"}, {"[a]: x\n", "[a]"}, {"http://", "http://a"}};
  for (const auto& [first, then] : parts) {
    INFO(first << " and " << then);
    const std::string text = repeated(first, then, 300'000), tenth = repeated(first, then, 30'000);
    CHECK_FALSE(html_of_markdown(text).empty());
    // Ten times the text costs ten times as much; quadratic time would be a hundred.
    CHECK(test::cost_ratio([&] { html_of_markdown(text); }, [&] { html_of_markdown(tenth); }, 3) < 40);
  }
}
