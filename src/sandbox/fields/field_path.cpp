#include "src/sandbox/fields/field_path.hpp"

#include <algorithm>

namespace keelson::sandbox {

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const auto& step : path) {
    auto rest = step.substr(2);
    if (step[0] == 'f') {
      text += "." + rest;
    } else if (step[0] == 'v') {
      text += "[=" + rest + "]";
    } else {
      auto keys = Tree::parse(rest);
      text += "[";
      for (const auto& [name, value] : keys->members()) {
        if (text.back() != '[') text += ",";
        text += name + "=" + value.text();
      }
      text += "]";
    }
  }
  return text;
}

std::optional<std::string> entry_step(const Tree& entry, const MergeRule& rule) {
  const bool is_container = entry.is_object() || entry.is_array();
  if (rule.how == MergeRule::How::kSet) {
    return is_container || entry.is_null() ? std::nullopt : std::optional("v:" + entry.text());
  }
  if (!entry.is_object()) return std::nullopt;
  std::vector<std::pair<std::string, Tree>> keys;
  for (const auto& key : rule.keys) {
    const Tree* value = entry.find(key.field);
    if (value == nullptr && key.default_value.is_null()) continue;
    keys.emplace_back(key.field, value != nullptr ? *value : key.default_value);
  }
  if (keys.empty()) return std::nullopt;
  std::ranges::sort(keys, [](const auto& a, const auto& b) { return a.first < b.first; });
  auto step = Tree::object();
  for (auto& [field, value] : keys) step[field] = std::move(value);
  return "k:" + step.text();
}

}  // namespace keelson::sandbox
