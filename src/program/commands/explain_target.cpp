#include "src/program/commands/explain_target.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/json/value.hpp"

namespace keelson::program {

namespace {

std::vector<std::string> names_of(const controller::Definition& definition) {
  const auto& resource = definition.resource();
  std::vector<std::string> names = {resource.plural, base::to_lower(resource.kind)};
  for (const auto& kind : definition.parts().kinds) {
    if (kind.resource != resource) continue;
    names.insert(names.end(), kind.short_names.begin(), kind.short_names.end());
  }
  if (resource.group.empty()) return names;
  for (std::size_t i = names.size(); i > 0; --i) names.push_back(names[i - 1] + "." + resource.group);
  return names;
}

Result<kube::Resource> find_kind(const std::string& word, const std::vector<controller::Definition>& controllers) {
  const auto lower = base::to_lower(word);
  std::vector<std::string> known;
  std::vector<std::string> plurals;
  for (const auto& definition : controllers) {
    const auto names = names_of(definition);
    if (std::ranges::find(names, lower) != names.end()) return definition.resource();
    known.insert(known.end(), names.begin(), names.end());
    plurals.push_back(definition.resource().plural);
  }
  return invalid_error("no controller of this program reconciles the kind " + base::quote_go(word) +
                       "; it reconciles: " + base::join(plurals, ", ") +
                       cli::suggestion(lower, {known.begin(), known.end()}));
}

}  // namespace

Result<ExplainTarget> parse_explain_target(const std::vector<std::string>& arguments,
                                           const std::vector<controller::Definition>& controllers) {
  if (arguments.size() != 2) return invalid_error("give a kind and an object: explain KIND NAMESPACE/NAME");
  KEELSON_LET(auto resource, find_kind(arguments[0], controllers));
  const auto slash = arguments[1].find('/');
  const bool has_namespace = slash != std::string::npos;
  if (has_namespace != resource.namespaced) {
    return invalid_error(resource.kind + " " + base::quote_go(arguments[1]) +
                         (resource.namespaced ? ": objects of this kind have a namespace; give NAMESPACE/NAME"
                                              : ": objects of this kind have no namespace; give only NAME"));
  }
  ExplainTarget target{std::move(resource), {}};
  if (has_namespace) target.key.ns = arguments[1].substr(0, slash);
  target.key.name = has_namespace ? arguments[1].substr(slash + 1) : arguments[1];
  const bool is_complete = !target.key.name.empty() && target.key.name.find('/') == std::string::npos &&
                           has_namespace != target.key.ns.empty();
  if (!is_complete) return invalid_error(base::quote_go(arguments[1]) + " is not of the form NAMESPACE/NAME");
  return target;
}

}  // namespace keelson::program
