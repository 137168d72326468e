#include <algorithm>
#include <set>

#include "keelson/base/try.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/cli/values.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/program/flags.hpp"

namespace keelson::program {

namespace {

Error unknown_controller(std::string_view name, const std::vector<std::string>& known) {
  return invalid_error("unknown controller " + base::quote_go(name) + " (known: " + base::join(known, ", ") + ")" +
                       cli::suggestion(name, {known.begin(), known.end()}));
}

}  // namespace

Result<std::vector<std::string>> select_controllers(std::string_view spec, const std::vector<std::string>& known) {
  std::set<std::string_view> in;
  std::set<std::string_view> out;
  bool all = false;
  for (auto item : cli::split_list(spec)) {
    all = all || item == "*";
    if (item == "*") continue;
    bool excluded = item.starts_with('-');
    if (excluded) item.remove_prefix(1);
    if (std::ranges::find(known, item) == known.end()) return unknown_controller(item, known);
    (excluded ? out : in).insert(item);
  }
  // "-hikawa" alone means all others; it would otherwise select none.
  all = all || (in.empty() && !out.empty());
  std::vector<std::string> selected;
  for (const auto& name : known) {
    if ((all || in.contains(name)) && !out.contains(name)) selected.push_back(name);
  }
  if (selected.empty()) {
    return invalid_error("no controller is selected by " + base::quote_go(spec) +
                         " (known: " + base::join(known, ", ") + ")");
  }
  return selected;
}

Result<std::vector<controller::Definition>> select_controllers(std::string_view spec,
                                                               std::vector<controller::Definition> controllers) {
  if (controllers.empty() && spec == "*") return controllers;
  std::vector<std::string> known;
  for (const auto& definition : controllers) known.push_back(definition.name());
  KEELSON_LET(const auto names, select_controllers(spec, known));
  std::erase_if(controllers, [&names](const controller::Definition& definition) {
    return std::ranges::find(names, definition.name()) == names.end();
  });
  return controllers;
}

Syntax syntax_of(kube::OperatorName name, const std::vector<controller::Definition>& controllers) {
  Syntax syntax{.name = std::move(name)};
  for (const auto& definition : controllers) {
    syntax.flags.insert(syntax.flags.end(), definition.parts().flags.begin(), definition.parts().flags.end());
  }
  return syntax;
}

}  // namespace keelson::program
