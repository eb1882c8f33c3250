#include <md4c.h>

#include <algorithm>

#include "algorithms/text/printable_text.hpp"
#include "visualizer/web/html_text.hpp"

namespace kdscope {
namespace {

/// The HTML of a text, written by the callbacks of md4c. They return 0 to continue; md4c ignores positive numbers.
struct HtmlOfMarkdown {
  std::string html;
  std::size_t most;       // bytes
  std::string lead = {};  // the text since a paragraph or heading began

  int add(std::string_view text) {
    html += text;
    return html.size() > most ? -1 : 0;
  }
};

/// Returns the last sentence of a text without its end: what leads to a table names it.
std::string_view last_sentence(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(".:") + 1);
  const std::size_t end = text.rfind(". ");
  return end == std::string_view::npos ? text : text.substr(end + 2);
}

std::string_view text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

/// Returns the name of a block's element; empty for a block without one.
std::string tag_of(MD_BLOCKTYPE type, const void* detail) {
  constexpr const char* tags[] = {"", "blockquote", "ul",    "ol", "li", "hr", "h",  "pre",
                                  "", "p",          "table", "",   "",   "tr", "th", "td"};
  static_assert(MD_BLOCK_TD + 1 == std::size(tags));
  if (type == MD_BLOCK_H)
    return "h" + std::to_string(std::max(3u, static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level));
  return tags[type];
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* html) {
  auto& out = *static_cast<HtmlOfMarkdown*>(html);
  if (type == MD_BLOCK_HR) return out.add("<hr>\n");
  if (type == MD_BLOCK_P || type == MD_BLOCK_H) out.lead.clear();
  if (type == MD_BLOCK_TABLE)
    return out.add(
        "<table class=\"prose\">" +
        (out.lead.empty() ? "" : "<caption class=\"unseen\">" + html_escaped(last_sentence(out.lead)) + "</caption>"));
  if (type == MD_BLOCK_TH) return out.add("<th scope=\"col\">");
  const std::string tag = tag_of(type, detail);
  if (tag.empty()) return 0;
  const unsigned start = type == MD_BLOCK_OL ? static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start : 1;
  const bool holds_lines = type == MD_BLOCK_UL || type == MD_BLOCK_OL;
  return out.add("<" + tag + (start == 1 ? "" : " start=\"" + std::to_string(start) + "\"") + ">" +
                 (type == MD_BLOCK_CODE ? "<code>" : "") + (holds_lines ? "\n" : ""));
}

int leave_block(MD_BLOCKTYPE type, void* detail, void* html) {
  const std::string tag = tag_of(type, detail);
  if (tag.empty() || type == MD_BLOCK_HR) return 0;
  return static_cast<HtmlOfMarkdown*>(html)->add((type == MD_BLOCK_CODE ? "</code></" : "</") + tag + ">\n");
}

/// Returns the name of a span's element; empty for pictures, and for links to other places than the web.
std::string_view tag_of(MD_SPANTYPE type, const void* detail) {
  constexpr const char* tags[] = {"em", "strong", "a", "", "code"};
  static_assert(MD_SPAN_CODE + 1 == std::size(tags));
  if (type > MD_SPAN_CODE) return "";
  if (type != MD_SPAN_A) return tags[type];
  const std::string_view address = text_of(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
  return address.starts_with("https://") || address.starts_with("http://") ? "a" : "";
}

int enter_span(MD_SPANTYPE type, void* detail, void* html) {
  std::string tag(tag_of(type, detail));
  if (tag.empty()) return 0;
  if (type == MD_SPAN_A)
    tag += " rel=\"noreferrer\" href=\"" + html_escaped(text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href)) + "\"";
  return static_cast<HtmlOfMarkdown*>(html)->add("<" + tag + ">");
}

int leave_span(MD_SPANTYPE type, void* detail, void* html) {
  const std::string tag(tag_of(type, detail));
  return tag.empty() ? 0 : static_cast<HtmlOfMarkdown*>(html)->add("</" + tag + ">");
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* html) {
  auto& out = *static_cast<HtmlOfMarkdown*>(html);
  if (type == MD_TEXT_BR) return out.add("<br>\n");
  const bool breaks = type == MD_TEXT_SOFTBR;
  out.lead += breaks ? std::string_view(" ") : std::string_view(text, size);
  return out.add(breaks ? "\n" : html_escaped({text, size}));
}

/// Returns whether a line opens more blocks inside one another than any lesson. md4c tests each open list at each line.
bool nests_deeply(std::string_view text) {
  constexpr int most = 32;
  int depth = 0;
  bool at_begin = true;
  char before = '\n';
  for (const char c : text) {
    if (c == '\n') at_begin = true, depth = 0;
    const bool blank = c == ' ' || c == '\t';
    if (at_begin && blank && std::string_view("-+*.)").find(before) != std::string_view::npos && ++depth > most)
      return true;
    at_begin =
        at_begin && (blank || c == '\n' || std::string_view("-+*>.)0123456789").find(c) != std::string_view::npos);
    before = c;
  }
  return false;
}

}  // namespace

bool markdown_available() { return true; }

std::string html_of_markdown(std::string_view markdown) {
  const std::string safe = printable_lines(markdown);
  // Each use of a reference repeats its address.
  HtmlOfMarkdown out{{}, 32 * safe.size() + 1024};
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_PERMISSIVEURLAUTOLINKS;
  parser.enter_block = enter_block, parser.leave_block = leave_block;
  parser.enter_span = enter_span, parser.leave_span = leave_span;
  parser.text = add_text;
  if (nests_deeply(safe) || md_parse(safe.data(), static_cast<MD_SIZE>(safe.size()), &parser, &out) != 0)
    return "<pre>" + html_escaped(safe) + "</pre>\n";
  return out.html;
}

}  // namespace kdscope
