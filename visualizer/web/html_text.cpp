#include "visualizer/web/html_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "algorithms/text/printable_text.hpp"

namespace kdscope {
namespace {

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 16);
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  return html;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 128; }
bool is_punctuation(char c) { return std::ispunct(static_cast<unsigned char>(c)); }

/// Inline Markdown to HTML: code, emphasis, links, escapes and hard line breaks.
class Inline {
 public:
  explicit Inline(std::string_view text) : text_(text) {}

  std::string html() {
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size() && is_punctuation(text_[at_ + 1])) {
        out += escaped(text_.substr(at_ + 1, 1));
        at_ += 2;
      } else if (c == '`') {
        out += code();
      } else if (c == '*' || c == '_') {
        out += emphasis(c);
      } else if (c == '[' || (c == '!' && text_.substr(at_, 2) == "![")) {
        out += link();
      } else if (c == '\n') {
        const bool hard = at_ >= 2 && text_.substr(at_ - 2, 2) == "  ";
        out += hard ? "<br>\n" : "\n";
        ++at_;
      } else {
        out += escaped(text_.substr(at_++, 1));
      }
    }
    return out;
  }

 private:
  /// Finds a closing mark, but not arbitrarily far away: hostile texts of many opening marks must not cost a quadratic
  /// time.
  std::size_t closing(std::string_view mark, std::size_t from) const {
    constexpr std::size_t reach = 2000;
    return text_.substr(0, std::min(text_.size(), at_ + reach)).find(mark, from);
  }

  std::string literal(std::size_t count) {
    const std::string_view taken = text_.substr(at_, count);
    at_ += count;
    return escaped(taken);
  }

  std::string code() {
    const std::size_t ticks = std::min(text_.find_first_not_of('`', at_), text_.size()) - at_;
    const std::string fence(ticks, '`');
    for (std::size_t end = closing(fence, at_ + ticks); end != std::string_view::npos; end = closing(fence, end + 1)) {
      if (text_.substr(end + ticks, 1) == "`" || text_[end - 1] == '`') continue;
      std::string_view inside = text_.substr(at_ + ticks, end - at_ - ticks);
      if (inside.size() > 2 && inside.front() == ' ' && inside.back() == ' ')
        inside = inside.substr(1, inside.size() - 2);
      at_ = end + ticks;
      return "<code>" + escaped(inside) + "</code>";
    }
    return literal(ticks);
  }

  std::string emphasis(char mark) {
    const bool strong = text_.substr(at_, 2) == std::string(2, mark);
    const std::size_t width = strong ? 2 : 1;
    const std::size_t from = at_ + width;
    const bool opens =
        from < text_.size() && !is_space(text_[from]) && (mark == '*' || at_ == 0 || !is_word(text_[at_ - 1]));
    const std::string fence(width, mark);
    // Emphasis nests no deeper than texts of lessons need.
    for (std::size_t end = opens && depth_ < 8 ? closing(fence, from + 1) : std::string_view::npos;
         end != std::string_view::npos; end = closing(fence, end + 1)) {
      const bool longer = !strong && (text_.substr(end, 2) == std::string(2, mark) || text_[end - 1] == mark);
      if (longer) {
        if (text_.substr(end, 2) == std::string(2, mark)) ++end;
        continue;
      }
      if (is_space(text_[end - 1]) || text_[end - 1] == '\\') continue;
      if (mark == '_' && end + width < text_.size() && is_word(text_[end + width])) continue;
      Inline inside(text_.substr(from, end - from));
      inside.depth_ = depth_ + 1;
      at_ = end + width;
      const char* tag = strong ? "strong" : "em";
      return std::string("<") + tag + ">" + inside.html() + "</" + tag + ">";
    }
    return literal(width);
  }

  std::string link() {
    const std::size_t open = text_[at_] == '!' ? at_ + 1 : at_;
    const std::size_t close = closing("]", open);
    if (close == std::string_view::npos || text_.substr(close + 1, 1) != "(" || depth_ >= 8)
      return literal(open + 1 - at_);
    const std::size_t end = closing(")", close);
    if (end == std::string_view::npos) return literal(open + 1 - at_);
    Inline inside(text_.substr(open + 1, close - open - 1));
    inside.depth_ = depth_ + 1;
    const std::string_view address = text_.substr(close + 2, end - close - 2);
    const bool picture = open != at_;
    const bool web = address.starts_with("https://") || address.starts_with("http://");
    at_ = end + 1;
    const std::string words = inside.html();
    if (picture || !web) return words;
    return "<a rel=\"noreferrer\" href=\"" + escaped(address) + "\">" + words + "</a>";
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

/// The rest of a list item's first line, or nothing if the line begins no item.
struct Item {
  bool ordered;
  std::string_view text;
};
std::optional<Item> item_of(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.size() > 2 && (text[0] == '-' || text[0] == '*' || text[0] == '+') && text[1] == ' ')
    return Item{false, trimmed(text.substr(2))};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 0 && digits < 10 && text.size() > digits + 2 && text[digits] == '.' && text[digits + 1] == ' ')
    return Item{true, trimmed(text.substr(digits + 2))};
  return std::nullopt;
}

std::string inline_html(std::string_view text) { return Inline(text).html(); }

}  // namespace

std::string html_escaped(std::string_view text) { return escaped(printable_lines(text)); }

std::string html_of_markdown(std::string_view markdown) {
  const std::string safe = printable_lines(markdown);
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= safe.size();) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    lines.push_back(std::string_view(safe).substr(at, end - at));
    at = end + 1;
  }
  std::string html, paragraph;
  const auto finish = [&] {
    if (!trimmed(paragraph).empty()) html += "<p>" + inline_html(trimmed(paragraph)) + "</p>\n";
    paragraph.clear();
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i], text = trimmed(line);
    if (text.empty()) {
      finish();
    } else if (text.starts_with("```")) {
      finish();
      html += "<pre><code>";
      for (++i; i < lines.size() && !trimmed(lines[i]).starts_with("```"); ++i) html += escaped(lines[i]) + "\n";
      html += "</code></pre>\n";
    } else if (line.starts_with("    ") && paragraph.empty()) {
      html += "<pre><code>";
      for (; i < lines.size() && (lines[i].starts_with("    ") || trimmed(lines[i]).empty()); ++i)
        html += escaped(lines[i].substr(std::min<std::size_t>(4, lines[i].size()))) + "\n";
      --i;
      html += "</code></pre>\n";
    } else if (text.starts_with("### ")) {
      finish();
      html += "<h3>" + inline_html(trimmed(text.substr(4))) + "</h3>\n";
    } else if (text.starts_with("> ")) {
      finish();
      std::string quote;
      for (; i < lines.size() && trimmed(lines[i]).starts_with(">"); ++i)
        quote += std::string(trimmed(trimmed(lines[i]).substr(1))) + "\n";
      --i;
      html += "<blockquote><p>" + inline_html(trimmed(quote)) + "</p></blockquote>\n";
    } else if (const auto first = item_of(line); first && (paragraph.empty() || !first->ordered)) {
      finish();
      const char* tag = first->ordered ? "ol" : "ul";
      html += std::string("<") + tag + ">\n";
      while (i < lines.size()) {
        const auto item = item_of(lines[i]);
        if (!item || item->ordered != first->ordered) break;
        std::string words(item->text);
        // Indented lines continue the item.
        for (++i; i < lines.size() && !trimmed(lines[i]).empty() && !item_of(lines[i]); ++i)
          words += "\n" + std::string(trimmed(lines[i]));
        html += "<li>" + inline_html(words) + "</li>\n";
        while (i + 1 < lines.size() && trimmed(lines[i]).empty() && item_of(lines[i + 1])) ++i;
      }
      --i;
      html += std::string("</") + tag + ">\n";
    } else {
      // Keep two trailing spaces, which break the line.
      paragraph += (paragraph.empty() ? "" : "\n") + std::string(line.substr(line.find_first_not_of(" \t")));
    }
  }
  finish();
  return html;
}

}  // namespace kdscope
