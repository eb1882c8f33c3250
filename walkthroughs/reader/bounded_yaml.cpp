#include "walkthroughs/reader/bounded_yaml.hpp"

#include <yaml-cpp/eventhandler.h>

#include <sstream>

namespace kdscope {
namespace {

[[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) { throw YAML::ParserException(mark, what); }

/// Counts what a document would become, and throws at the first event that passes a bound.
class BoundsCheck : public YAML::EventHandler {
 public:
  explicit BoundsCheck(const YamlBounds& bounds) : bounds_(bounds) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "a second document begins here, or a sign stands where a value is expected");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { count(mark, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string&) override {
    count(mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, no_aliases); }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnMapEnd() override { --depth_; }

 private:
  static constexpr const char* no_aliases =
      "anchors (&) and aliases (*) are not read; put a text with such a sign in quotes";

  void count(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse(mark, no_aliases);
    if (++nodes_ > bounds_.nodes) refuse(mark, "more than " + std::to_string(bounds_.nodes) + " values");
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor) {
    count(mark, anchor);
    if (++depth_ > bounds_.depth) refuse(mark, "more than " + std::to_string(bounds_.depth) + " levels of nesting");
  }

  const YamlBounds& bounds_;
  std::size_t documents_ = 0, nodes_ = 0;
  int depth_ = 0;
};

}  // namespace

YAML::Node read_yaml(const std::string& text, const YamlBounds& bounds) {
  if (text.size() > bounds.bytes) refuse({}, "more than " + std::to_string(bounds.bytes >> 10) + " KiB");
  std::istringstream in(text);
  YAML::Parser parser(in);
  BoundsCheck check(bounds);
  if (!parser.HandleNextDocument(check)) refuse({}, "there is nothing");
  parser.HandleNextDocument(check);  // refused at its start
  return YAML::Load(text);
}

}  // namespace kdscope
