#include "src/sandbox/fields/field_set.hpp"

#include <algorithm>
#include <map>

#include "keelson/json/writer.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;

bool is_whole(const Tree& value, const MergeRule& rule) {
  return rule.how == How::kAtomic || (!value.is_object() && !value.is_array()) || value.is_empty();
}

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

// Walks one state of an object, or two at once.
class Walk {
 public:
  explicit Walk(const ListRules& rules) : rules_(rules) {}

  void collect(const Tree& value, const std::string& path, FieldSet& fields) {
    const auto& rule = rules_.rule(path, value);
    if (is_whole(value, rule)) return add(fields);
    if (value.is_object()) return collect_members(value, path, fields);
    for (const auto& entry : value.items()) {
      steps_.push_back(entry_step(entry, rule));
      collect_entry(entry, path, rule, fields);
      steps_.pop_back();
    }
  }

  void compare(const Tree& before, const Tree& after, const std::string& path, FieldChanges& changes) {
    if (before == after) return;
    const auto& rule = rules_.rule(path, after);
    bool was_whole = is_whole(before, rules_.rule(path, before));
    bool is_now_whole = is_whole(after, rule);
    if (was_whole && is_now_whole) return add(changes.written);
    if (was_whole || is_now_whole || before.type() != after.type()) {
      collect(before, path, changes.gone);
      collect(after, path, changes.written);
    } else if (after.is_object()) {
      compare_members(before, after, path, changes);
    } else {
      compare_entries(before, after, path, rule, changes);
    }
  }

 private:
  void add(FieldSet& fields) {
    if (!steps_.empty() && !is_owned_by_nobody(steps_)) fields.insert(steps_);
  }

  void collect_members(const Tree& object, const std::string& path, FieldSet& fields) {
    for (const auto& [name, member] : object.members()) {
      steps_.push_back("f:" + name);
      collect(member, joined(path, name), fields);
      steps_.pop_back();
    }
  }

  void collect_entry(const Tree& entry, const std::string& path, const MergeRule& rule, FieldSet& fields) {
    add(fields);
    if (rule.how == How::kByKey) collect_members(entry, path, fields);
  }

  void compare_members(const Tree& before, const Tree& after, const std::string& path, FieldChanges& changes) {
    for (const auto& [name, member] : after.members()) {
      steps_.push_back("f:" + name);
      const Tree* had = before.find(name);
      if (had != nullptr) {
        compare(*had, member, joined(path, name), changes);
      } else {
        collect(member, joined(path, name), changes.written);
      }
      steps_.pop_back();
    }
    for (const auto& [name, member] : before.members()) {
      if (after.find(name) != nullptr) continue;
      steps_.push_back("f:" + name);
      collect(member, joined(path, name), changes.gone);
      steps_.pop_back();
    }
  }

  // An entry is there or not; where it stands in the list is nobody's.
  void compare_entries(const Tree& before, const Tree& after, const std::string& path, const MergeRule& rule,
                       FieldChanges& changes) {
    std::map<std::string, const Tree*> had;
    for (const auto& entry : before.items()) had.emplace(entry_step(entry, rule), &entry);
    std::set<std::string> still_there;  // more than once it may be, as in objects from before a list had keys
    for (const auto& entry : after.items()) {
      steps_.push_back(entry_step(entry, rule));
      auto same = had.find(steps_.back());
      if (same != had.end()) still_there.insert(steps_.back());
      if (same == had.end()) {
        collect_entry(entry, path, rule, changes.written);
      } else if (rule.how == How::kByKey) {
        compare_members(*same->second, entry, path, changes);
      }
      steps_.pop_back();
    }
    for (const auto& [step, entry] : had) {
      if (still_there.contains(step)) continue;
      steps_.push_back(step);
      collect_entry(*entry, path, rule, changes.gone);
      steps_.pop_back();
    }
  }

  const ListRules& rules_;
  FieldPath steps_;
};

// Keys are read again wherever a field is looked up.
bool is_step(const std::string& step) {
  if (step.size() < 3 || step[1] != ':') return false;
  if (step[0] == 'f' || step[0] == 'v') return true;
  if (step[0] != 'k') return false;
  auto keys = Tree::parse(step.substr(2));
  return keys && keys->is_object();
}

// A member without members is a leaf; "." stands for the entry that it is in.
void collect_v1(const Tree& v1, FieldPath& path, FieldSet& fields) {
  for (const auto& [step, below] : v1.members()) {
    if (step == ".") {
      if (!path.empty()) fields.insert(path);
      continue;
    }
    if (!is_step(step)) continue;
    path.push_back(step);
    if (below.members().empty()) fields.insert(path);
    collect_v1(below, path, fields);
    path.pop_back();
  }
}

}  // namespace

FieldSet fields_of(const Tree& object, const ListRules& rules) {
  FieldSet fields;
  Walk(rules).collect(object, "", fields);
  return fields;
}

FieldChanges changes_between(const Tree& before, const Tree& after, const ListRules& rules) {
  FieldChanges changes;
  Walk(rules).compare(before, after, "", changes);
  return changes;
}

// The set is ordered, so each path goes on where the last one ended or branches off from it.
std::string fields_v1(const FieldSet& fields) {
  std::string text = "{";
  const FieldPath kRoot;
  const FieldPath* last = &kRoot;
  for (const auto& path : fields) {
    auto branch = std::mismatch(last->begin(), last->end(), path.begin(), path.end());
    text.append(static_cast<std::size_t>(last->end() - branch.first), '}');
    for (auto step = branch.second; step != path.end(); ++step) {
      if (text.back() != '{') text += ',';
      json::append_quoted(text, *step);
      text += ":{";
    }
    bool is_entry = path.back()[0] == 'k';
    if (is_entry) text += "\".\":{}";
    last = &path;
  }
  text.append(last->size() + 1, '}');
  return text;
}

FieldSet fields_from_v1(const Tree& v1) {
  FieldSet fields;
  FieldPath path;
  collect_v1(v1, path, fields);
  return fields;
}

const Tree& OwnedFields::v1() const {
  if (kept_->v1.is_null()) kept_->v1 = Tree::raw(fields_v1(kept_->set));
  return kept_->v1;
}

}  // namespace keelson::sandbox
