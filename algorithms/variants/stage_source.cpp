#include "algorithms/variants/stage_source.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "algorithms/queries/search_sources.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"

namespace kdscope::variants {
namespace {

/// Converts "UpdateTags" to "update_tags".
std::string snake_case(std::string_view functor) {
  std::string name;
  for (const char c : functor) {
    if (std::isupper(static_cast<unsigned char>(c)) && !name.empty()) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

/// Converts "zhou-sah" to "zhou_sah", as in names of files and namespaces.
std::string identifier(std::string_view id) {
  std::string name(id);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string folder_of(const std::string& region) { return region.substr(0, region.find('/')); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Converts "class Keys, int width" to "Keys, width".
std::string arguments_of(const std::string& parameters) {
  static const std::regex name(R"((\w+)\s*(,|$))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(parameters.begin(), parameters.end(), name), end; at != end; ++at)
    names.push_back((*at)[1]);
  return joined(names);
}

/// Adds the functors of a region's text, which are structs with a call operator, and its helpers, which are functions
/// of kernels. They end at a brace in the first column. Classes, which kernels use but nothing launches, are passed
/// over.
void add_stages(const SourceRegion& region, std::vector<Stage>& stages) {
  static const std::regex type(R"(^(?:struct|class) (\w+).*\{$)"), of_template(R"(^template <(.+)>$)"),
      function(R"(^KDSCOPE_HD [^(]*?(\w+)\(.*$)");
  std::istringstream lines{std::string(region.text)};
  std::string docstring, parameters;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.starts_with("///")) {
      docstring += line + "\n";
      continue;
    }
    if (std::regex_match(line, found, of_template)) {
      parameters = found[1];
      continue;
    }
    const bool is_type = std::regex_match(line, found, type);
    if (is_type || std::regex_match(line, found, function)) {
      const std::string name = found[1], head = line + "\n", end = is_type ? "};" : "}";
      Stage stage{snake_case(name), name, std::string(region.name), std::string(region.file), docstring,
                  parameters,       {}};
      const bool one_line = line.ends_with('}');
      while (!one_line && std::getline(lines, line) && line != end) stage.body += line + "\n";
      stage.is_helper = !is_type;
      if (stage.is_helper) stage.body = head + stage.body + (one_line ? "" : end + "\n");
      const bool is_functor = head.starts_with("struct ") && stage.body.find("operator()") != std::string::npos;
      if (stage.is_helper || is_functor) stages.push_back(std::move(stage));
    }
    docstring.clear(), parameters.clear();
  }
}

/// Returns the stages and helpers of an algorithm.
std::vector<Stage> sources_of(std::string_view algorithm) {
  std::vector<Stage> stages;
  if (!find_algorithm(algorithm)) return stages;
  const std::string_view shared = algorithm.substr(0, algorithm.find('-'));
  for (const SourceRegion& region : source_regions())
    if (const std::string folder = folder_of(std::string(region.name)); folder == algorithm || folder == shared)
      add_stages(region, stages);
  return stages;
}

std::vector<Stage> sources_of(std::string_view algorithm, bool helpers) {
  std::vector<Stage> stages = sources_of(algorithm);
  std::erase_if(stages, [&](const Stage& stage) { return stage.is_helper != helpers; });
  return stages;
}

/// Returns what matches a helper's name where it is called.
std::regex use_of(const Stage& helper) { return std::regex("\\b" + helper.functor + "(?=\\s*[(<])"); }

/// Returns whether code, apart from comments, uses a helper.
bool uses(const std::string& code, const Stage& helper) {
  const std::regex use = use_of(helper);
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line.substr(0, line.find("//")), use)) return true;
  return false;
}

std::string own_name(const Stage& stage) { return (stage.is_helper ? "my_" : "My") + stage.functor; }

/// Returns a helper and the helpers and stages that use it, or one of those helpers, in the order in which they can be
/// declared: stages last.
std::vector<Stage> with_callers(const Stage& helper, const std::vector<Stage>& all) {
  std::vector<Stage> left{helper}, ordered;
  for (std::size_t i = 0; i < left.size(); ++i)
    for (const Stage& other : all)
      if (left[i].is_helper && uses(other.body, left[i]) &&
          std::ranges::find(left, other.functor, &Stage::functor) == left.end())
        left.push_back(other);
  while (!left.empty()) {
    const auto waits = [&](const Stage& each) {
      return std::ranges::any_of(left, [&](const Stage& other) {
        return other.is_helper && other.functor != each.functor && uses(each.body, other);
      });
    };
    auto next = std::ranges::find_if_not(left, waits);
    if (next == left.end()) next = left.begin();  // they use one another, as a declaration in front allows
    ordered.push_back(std::move(*next));
    left.erase(next);
  }
  std::ranges::stable_partition(ordered, &Stage::is_helper);
  return ordered;
}

/// Returns only the call operator, with its template line, of a functor whose other members a derived functor can
/// reach; otherwise an empty text.
std::string call_operator(const Stage& stage) {
  if (!stage.parameters.empty() || stage.body.find(" private:") != std::string::npos) return {};
  std::istringstream lines(stage.body);
  std::string operator_text, before;
  for (std::string line; std::getline(lines, line);) {
    const bool is_operator = line.starts_with("  KDSCOPE_HD") && line.find("operator()") != std::string::npos;
    if (!is_operator) {
      before = line.starts_with("  template <") ? line + "\n" : "";
      continue;
    }
    operator_text += before + line + "\n";
    // A head of several lines ends with the line that opens the brace.
    while (!line.ends_with('{') && !line.ends_with('}') && std::getline(lines, line)) operator_text += line + "\n";
    if (line.ends_with('}')) continue;
    while (std::getline(lines, line)) {
      operator_text += line + "\n";
      if (line == "  }") break;
    }
  }
  return operator_text;
}

Error no_variant(const std::string& path, const std::string& what) {
  return {ErrorKind::bad_input, what, path,
          "kdscope-cli variant new ALGORITHM STAGE --out FILE writes a file to start from"};
}

/// Checks the regions that the text of a variant's region names for its pseudo-code.
Result<void> check_bindings(const RecordedSource& stage, const std::string& path, const std::string& algorithm) {
  static const std::regex binding(R"(^\s*// @ (.*?)(: .*)?\s*$)");
  std::istringstream lines(stage.text);
  std::uint32_t number = stage.first_line;
  for (std::string line; std::getline(lines, line); ++number) {
    std::smatch found;
    if (line.size() > 4096 || !std::regex_match(line, found, binding) || find_source_region(found[1].str())) continue;
    std::vector<std::string> own;
    for (const SourceRegion& region : source_regions())
      if (folder_of(std::string(region.name)) == algorithm) own.emplace_back(region.name);
    return Error{ErrorKind::bad_input, "there is no region " + kdscope::quoted(found[1].str()),
                 path + ":" + std::to_string(number), "name one of " + joined(own)};
  }
  return {};
}

}  // namespace

std::vector<Stage> stages_of(std::string_view algorithm) { return sources_of(algorithm, false); }

std::vector<Stage> helpers_of(std::string_view algorithm) {
  const std::vector<Stage> all = sources_of(algorithm);
  std::vector<Stage> helpers = sources_of(algorithm, true);
  // The rest is code of the host
  std::erase_if(helpers, [&](const Stage& helper) { return with_callers(helper, all).back().is_helper; });
  return helpers;
}

Result<Stage> find_stage(std::string_view algorithm, std::string_view name) {
  if (const auto known = known_algorithm(algorithm); !known) return known.error();
  const std::vector<Stage> stages = stages_of(algorithm), helpers = helpers_of(algorithm);
  std::vector<std::string> names, of_helpers;
  std::vector<const Stage*> beginning;
  for (const Stage& stage : stages) {
    if (stage.name == name || stage.functor == name) return stage;
    if (stage.name.starts_with(name)) beginning.push_back(&stage);
    names.push_back(stage.name);
  }
  for (const Stage& helper : helpers) {
    if (helper.name == name || helper.functor == name) return helper;
    of_helpers.push_back(helper.name);
  }
  if (beginning.size() == 1) return *beginning.front();
  std::vector<std::string> all = names;
  all.insert(all.end(), of_helpers.begin(), of_helpers.end());
  const std::string similar = did_you_mean(std::string(name), all);
  return Error{ErrorKind::bad_usage, std::string(algorithm) + " has no stage " + kdscope::quoted(name), "",
               (similar.empty() ? "" : similar + "; ") + "its stages are " + joined(names) +
                   (of_helpers.empty() ? "" : "; their helpers are " + joined(of_helpers))};
}

std::string new_variant(std::string_view algorithm, const std::vector<Stage>& stages, const std::string& file) {
  const std::string name = identifier(algorithm);
  std::vector<std::string> names;
  for (const Stage& stage : stages) names.push_back(stage.name);
  std::string text = "// A variant of " + std::string(algorithm) + " with another " + joined(names) +
                     ". Change it, then run kdscope-cli variant build " + file + "\n#include \"algorithms/builders/" +
                     std::string(algorithm) + "/" + name + ".hpp\"\n#include \"algorithms/variants/variant.hpp\"\n";
  // A stage that is copied for a helper bears the helper's name: the variant is used if one of them is launched
  std::vector<Stage> copies;
  for (const Stage& stage : stages)
    for (Stage copy : stage.is_helper ? with_callers(stage, sources_of(algorithm)) : std::vector{stage}) {
      copy.name = stage.name;
      if (std::ranges::find(copies, copy.functor, &Stage::functor) == copies.end()) copies.push_back(std::move(copy));
    }
  std::ranges::stable_partition(copies, &Stage::is_helper);
  const auto calling_copies = [&](std::string code) {
    for (const Stage& copy : copies)
      if (copy.is_helper) code = std::regex_replace(code, use_of(copy), own_name(copy));
    return code;
  };
  // Steps of the first stage show the helpers, too
  const auto first = std::ranges::find(copies, false, &Stage::is_helper);
  std::string replacements;
  for (auto at = copies.begin(); at != copies.end(); ++at) {
    const Stage& copy = *at;
    const std::string space = identifier(folder_of(copy.region)), own = own_name(copy);
    text += "\nnamespace kdscope::" + space + " {\n";
    if (at == copies.begin() || at > first) text += "// [region " + (at < first ? first : at)->region + "]\n";
    text += copy.docstring;
    if (!copy.parameters.empty()) text += "template <" + copy.parameters + ">\n";
    if (copy.is_helper) {
      text += calling_copies(copy.body);
    } else {
      // A derived functor needs no more than the call operator, unless other members call the copy of a helper
      const std::string call = call_operator(copy), body = calling_copies(copy.body), own_call = calling_copies(call);
      const bool derived = !call.empty() && own_call.size() - call.size() == body.size() - copy.body.size();
      text += "struct " + own + (derived ? " : " + copy.functor : "") + " {\n" + (derived ? own_call : body) + "};\n";
      const std::string arguments = copy.parameters.empty() ? "" : "<" + arguments_of(copy.parameters) + ">";
      replacements += "\ntemplate <" + copy.parameters + ">\nstruct kdscope::ReplacementOf<kdscope::" + space +
                      "::" + copy.functor + arguments + "> {\n  using type = " + space + "::" + own + arguments +
                      ";\n  static constexpr const char* stage = \"" + copy.name + "\";\n};\n";
    }
    text += (at < first ? "" : "// [endregion]\n") + ("}  // namespace kdscope::" + space + "\n");
  }
  return text + replacements + "KDSCOPE_VARIANT_OF(" + name + ")\n";
}

Result<std::string> new_builder(std::string_view algorithm, const std::string& include_folder,
                                const std::string& file) {
  if (!find_algorithm(algorithm)) return find_stage(algorithm, "").error();
  const std::string name = identifier(algorithm);
  const std::string header = include_folder + "/algorithms/builders/" + std::string(algorithm) + "/" + name + ".hpp";
  std::ifstream original(header);
  if (!original) return Error{ErrorKind::io_failure, "cannot be read", header, "install kdscope again"};
  std::string text = "// A copy of the builder " + std::string(algorithm) +
                     ". Change it, then run kdscope-cli variant build " + file + "\n";
  bool included = false;
  for (std::string line; std::getline(original, line);) {
    if (line == "#pragma once") continue;
    text += line + "\n";
    if (!included && line.starts_with("#include \"algorithms/"))
      text += "#include \"algorithms/variants/variant.hpp\"\n", included = true;
  }
  return text + "\nKDSCOPE_VARIANT_OF(" + name + ")\n";
}

Result<std::string> search_program(std::string_view search, std::string_view algorithm,
                                   const std::string& include_folder, bool copy) {
  const auto source = source_of_search(search);
  if (!source) return search_named(search).error();
  if (!find_algorithm(algorithm)) return find_stage(algorithm, "").error();
  const std::string name = identifier(source->folder),
                    header = "algorithms/queries/" + source->folder + "/" + name + ".hpp",
                    include = "#include \"algorithms/variants/inside/search_program.hpp\"\n";
  std::string text = "// The search " + std::string(search) + " over trees of " + std::string(algorithm) + ". ";
  if (copy) {
    std::ifstream original(include_folder + "/" + header);
    if (!original) return Error{ErrorKind::io_failure, "cannot be read", header, "install kdscope again"};
    text += "Change it, then look inside it: kdscope-cli inside FILE\n" + include;
    for (std::string line; std::getline(original, line);)
      if (line != "#pragma once") text += line + "\n";
  } else {
    text += "\n#include \"" + header + "\"\n" + include;
  }
  return text + "\nKDSCOPE_SEARCH_OF(" + name + ", " + std::to_string(source->number) + ", " + identifier(algorithm) +
         ")\n";
}

Result<VariantFile> read_variant(const std::string& path) {
  std::error_code failed;
  VariantFile variant{
      std::filesystem::absolute(path, failed).lexically_normal().string(), {}, {}, false, true, {}, false};
  std::ifstream file(path);
  if (!file || !std::filesystem::is_regular_file(path, failed))
    return Error{ErrorKind::io_failure, "cannot be read", path, "check the name of the file"};
  static const std::regex declaration(R"(^\s*KDSCOPE_(VARIANT|SEARCH)_OF\((?:\w+, \d+, )?(\w*)\).*$)"),
      begin(R"(^\s*// \[region (\S+)\]\s*$)"), end(R"(^\s*// \[endregion\]\s*$)"),
      stage(R"re(^\s*static constexpr const char\* stage = "(\w+)";.*$)re"),
      atomics(R"(std::atomic|__atomic_|__sync_|\batomic[A-Z])");
  std::uint32_t number = 0;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::smatch found;
    const std::string here = path + ":" + std::to_string(number);
    if (line.size() > 4096) {  // std::regex recurses per character
      if (inside) variant.stages.back().text += line + "\n";
      continue;
    }
    if (line.find("ReplacementOf<") != std::string::npos) variant.is_builder = false;
    if (std::regex_match(line, found, stage)) variant.replaced.push_back(found[1]);
    if (std::regex_search(line, atomics)) variant.has_own_atomics = true;
    if (std::regex_match(line, found, declaration)) {
      for (const AlgorithmSpec& spec : algorithms())
        if (identifier(spec.id) == found[2]) variant.algorithm = spec.id;
      if (variant.algorithm.empty()) return no_variant(here, known_algorithm(found[2].str()).error().what);
      variant.is_search = found[1] == "SEARCH";
    } else if (std::regex_match(line, found, begin)) {
      variant.stages.push_back({found[1], variant.path, number + 1, {}});
      inside = true;
    } else if (std::regex_match(line, end)) {
      inside = false;
    } else if (inside) {
      variant.stages.back().text += line + "\n";
    }
  }
  if (variant.algorithm.empty())
    return no_variant(path, "is no variant, because it has no line KDSCOPE_VARIANT_OF(...)");
  for (const RecordedSource& stage : variant.stages)
    if (const auto checked = check_bindings(stage, path, variant.algorithm); !checked) return checked.error();
  // A builder may have regions for kernels of its own
  for (const RecordedSource& stage : variant.stages)
    if (!variant.is_builder && !find_source_region(stage.region))
      return Error{ErrorKind::bad_input, "there is no stage " + kdscope::quoted(stage.region),
                   path + ":" + std::to_string(stage.first_line - 1),
                   "kdscope-cli variant stages " + variant.algorithm + " lists them"};
  return variant;
}

}  // namespace kdscope::variants
