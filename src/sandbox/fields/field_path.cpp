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

std::string entry_step(const Tree& entry, const MergeRule& rule) {
  if (rule.how == MergeRule::How::kSet) return "v:" + entry.text();
  std::vector<std::pair<std::string, Tree>> keys;
  for (const auto& key : rule.keys) {
    const Tree* value = entry.find(key.field);
    keys.emplace_back(key.field, value != nullptr ? *value : key.default_value);
  }
  std::ranges::sort(keys, [](const auto& a, const auto& b) { return a.first < b.first; });
  auto step = Tree::object();
  for (auto& [field, value] : keys) step[field] = std::move(value);
  return "k:" + step.text();
}

std::map<std::string, std::size_t> places_of_entries(const Tree& list, const MergeRule& rule) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < list.items().size(); ++i) places.try_emplace(entry_step(list.items()[i], rule), i);
  return places;
}

}  // namespace keelson::sandbox
