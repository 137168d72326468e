#include "src/sandbox/authorization/policy_rule.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

bool has_text_or_all(const std::vector<std::string>& texts, std::string_view text) {
  return contains(texts, "*") || contains(texts, text);
}

// "pods/log" matches "*", itself, and "*/log".
bool names_resource(const std::vector<std::string>& resources, std::string_view resource) {
  auto slash = resource.find('/');
  return std::ranges::any_of(resources, [&](std::string_view one) {
    if (one == "*" || one == resource) return true;
    return slash != std::string_view::npos && one.starts_with("*/") && one.substr(1) == resource.substr(slash);
  });
}

bool names_path(const std::vector<std::string>& paths, std::string_view path) {
  return std::ranges::any_of(paths, [path](std::string_view one) {
    if (one == path) return true;
    if (!one.ends_with('*')) return false;
    return path.starts_with(one.substr(0, one.find_last_not_of('*') + 1));
  });
}

}  // namespace

PolicyRules rules_of(const Tree& role) {
  PolicyRules rules;
  for (const auto& rule : role.items_at({"rules"})) {
    rules.push_back({rule.texts_at({"verbs"}), rule.texts_at({"apiGroups"}), rule.texts_at({"resources"}),
                     rule.texts_at({"resourceNames"}), rule.texts_at({"nonResourceURLs"})});
  }
  return rules;
}

Tree rule_tree(const PolicyRule& rule) {
  auto tree = Tree::object();
  set_or_erase(tree, "verbs", text_list(rule.verbs));
  set_or_erase(tree, "apiGroups", text_list(rule.groups));
  set_or_erase(tree, "resources", text_list(rule.resources));
  set_or_erase(tree, "resourceNames", text_list(rule.names));
  set_or_erase(tree, "nonResourceURLs", text_list(rule.paths));
  return tree;
}

bool allows(const PolicyRule& rule, const Access& access) {
  if (!has_text_or_all(rule.verbs, access.verb)) return false;
  if (!access.path.empty()) return names_path(rule.paths, access.path);
  if (!has_text_or_all(rule.groups, access.group)) return false;
  if (!rule.names.empty() && !contains(rule.names, access.name)) return false;
  if (access.subresource.empty()) return names_resource(rule.resources, access.resource);
  return names_resource(rule.resources, access.resource + "/" + access.subresource);
}

bool break_down(const PolicyRule& rule, std::size_t most, PolicyRules& parts) {
  auto left = most - std::min(most, parts.size());
  for (const auto& path : rule.paths) {
    for (const auto& verb : rule.verbs) {
      if (left-- == 0) return false;
      parts.push_back({{verb}, {}, {}, {}, {path}});
    }
  }
  for (const auto& group : rule.groups) {
    for (const auto& resource : rule.resources) {
      for (const auto& verb : rule.verbs) {
        if (rule.names.size() > left || left == 0) return false;
        for (const auto& name : rule.names) parts.push_back({{verb}, {group}, {resource}, {name}, {}});
        if (rule.names.empty()) parts.push_back({{verb}, {group}, {resource}, {}, {}});
        left -= std::max<std::size_t>(1, rule.names.size());
      }
    }
  }
  return true;
}

bool covers(const PolicyRule& rule, const PolicyRule& part) {
  if (!has_text_or_all(rule.verbs, part.verbs.front())) return false;
  if (!part.paths.empty()) return names_path(rule.paths, part.paths.front());
  if (!has_text_or_all(rule.groups, part.groups.front())) return false;
  if (!names_resource(rule.resources, part.resources.front())) return false;
  if (rule.names.empty()) return true;
  return !part.names.empty() && contains(rule.names, part.names.front());
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const auto& text : texts) list += (list.size() > 1 ? " " : "") + base::quote_go(text);
  return list + "]";
}

std::string rule_text(const PolicyRule& rule) {
  std::string text = "{";
  auto add = [&text](const char* name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    text += (text.size() > 1 ? ", " : "") + std::string(name) + ":" + quoted_list(values);
  };
  add("APIGroups", rule.groups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.paths);
  add("ResourceNames", rule.names);
  add("Verbs", rule.verbs);
  return text + "}";
}

}  // namespace keelson::sandbox
