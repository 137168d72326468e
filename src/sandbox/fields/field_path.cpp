#include "src/sandbox/fields/field_path.hpp"

#include <algorithm>

namespace keelson::sandbox {

namespace {

// The entry of a list that a step names, as an index; the list's size when there is none.
std::size_t entry_at(const Tree& list, const std::string& step, const MergeRule& rule) {
  const auto& items = list.items();
  auto is_it = [&](const Tree& entry) { return entry_step(entry, rule) == step; };
  return static_cast<std::size_t>(std::find_if(items.begin(), items.end(), is_it) - items.begin());
}

// True when the value became empty and had something taken away.
bool take_away_below(Tree& value, const FieldPath& path, std::size_t depth, const std::string& plain,
                     const ListRules& rules) {
  const auto& step = path[depth];
  bool is_last = depth + 1 == path.size();
  if (step[0] == 'f') {
    auto name = step.substr(2);
    Tree* member = value.find(name);
    if (member == nullptr) return false;
    if (!is_last && !take_away_below(*member, path, depth + 1, joined(plain, name), rules)) return false;
    value.erase(name);
    return value.members().empty();
  }
  auto index = entry_at(value, step, rules.rule(plain, value));
  if (index == value.items().size()) return false;
  auto place = value.items().begin() + static_cast<std::ptrdiff_t>(index);
  if (!is_last && !take_away_below(*place, path, depth + 1, plain, rules)) return false;
  value.items().erase(place);
  return value.items().empty();
}

}  // namespace

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

const Tree* look_up(const Tree& object, const FieldPath& path, const ListRules& rules) {
  const Tree* at = &object;
  std::string plain;
  for (const auto& step : path) {
    if (step[0] == 'f') {
      plain = joined(plain, step.substr(2));
      at = at->find(step.substr(2));
      if (at == nullptr) return nullptr;
      continue;
    }
    auto index = entry_at(*at, step, rules.rule(plain, *at));
    if (index == at->items().size()) return nullptr;
    at = &at->items()[index];
  }
  return at;
}

void take_away(Tree& object, const FieldPath& path, const ListRules& rules) {
  if (!path.empty()) static_cast<void>(take_away_below(object, path, 0, "", rules));
}

std::string entry_step(const Tree& entry, const MergeRule& rule) {
  if (rule.how == MergeRule::How::kSet) return "v:" + entry.text();
  std::vector<std::pair<std::string, Tree>> keys;
  for (const auto& key : rule.keys) {
    const Tree* value = entry.find(key.field);
    keys.emplace_back(key.field, value != nullptr ? *value : key.default_value);
  }
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  auto step = Tree::object();
  for (auto& [field, value] : keys) step[field] = std::move(value);
  return "k:" + step.text();
}

bool is_under(const FieldPath& path, const FieldPath& above) {
  return path.size() > above.size() && std::equal(above.begin(), above.end(), path.begin());
}

}  // namespace keelson::sandbox
