#include "src/sandbox/field_set.hpp"

#include <algorithm>

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;

std::string joined(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }

class Collector {
 public:
  Collector(const ListRules& rules, FieldSet& fields) : rules_(rules), fields_(fields) {}

  void collect(const Tree& value, const std::string& path) {
    auto rule = rules_.rule(path, value);
    bool is_whole = rule.how == How::kAtomic || (!value.is_object() && !value.is_array()) || value.is_empty();
    if (is_whole) {
      if (!steps_.empty()) fields_.insert(steps_);
      return;
    }
    if (value.is_object()) return collect_members(value, path);
    for (const auto& entry : value.items()) {
      steps_.push_back(rule.how == How::kSet ? "v:" + entry.text() : key_step(entry, rule));
      fields_.insert(steps_);
      if (rule.how == How::kByKey && entry.is_object()) collect_members(entry, path);
      steps_.pop_back();
    }
  }

 private:
  void collect_members(const Tree& object, const std::string& path) {
    for (const auto& [name, member] : object.members()) {
      steps_.push_back("f:" + name);
      collect(member, joined(path, name));
      steps_.pop_back();
    }
  }

  const ListRules& rules_;
  FieldSet& fields_;
  FieldPath steps_;
};

bool is_owned_by_nobody(const FieldPath& path) {
  if (path[0] == "f:apiVersion" || path[0] == "f:kind") return true;
  if (path[0] != "f:metadata") return false;
  static const std::set<std::string> kServers{"f:name",
                                              "f:namespace",
                                              "f:uid",
                                              "f:resourceVersion",
                                              "f:generation",
                                              "f:selfLink",
                                              "f:creationTimestamp",
                                              "f:deletionTimestamp",
                                              "f:managedFields",
                                              "f:deletionGracePeriodSeconds"};
  return path.size() < 2 || kServers.contains(path[1]);
}

// The entry of a list that a step names, as an index; the list's size when there is none.
std::size_t entry_at(const Tree& list, const std::string& step, const MergeRule& rule) {
  const auto& items = list.items();
  auto is_it = [&](const Tree& entry) {
    return step[0] == 'v' ? "v:" + entry.text() == step : key_step(entry, rule) == step;
  };
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

FieldSet fields_of(const Tree& object, const ListRules& rules) {
  FieldSet fields;
  Collector(rules, fields).collect(object, "");
  std::erase_if(fields, is_owned_by_nobody);
  return fields;
}

Tree fields_v1(const FieldSet& fields) {
  auto root = Tree::object();
  for (const auto& path : fields) {
    Tree* at = &root;
    for (const auto& step : path) {
      at = &(*at)[step];
      if (at->is_null()) *at = Tree::object();
    }
    bool is_entry = path.back()[0] == 'k';
    if (is_entry) (*at)["."] = Tree::object();
  }
  return root;
}

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

std::string key_step(const Tree& entry, const MergeRule& rule) {
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
