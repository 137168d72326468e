#include "src/sandbox/fields/field_changes.hpp"

#include <map>
#include <set>

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;

constexpr std::string_view kMetadata = "metadata";

bool is_whole(const Tree& value, const MergeRule& rule) {
  return rule.how == How::kAtomic || (!value.is_object() && !value.is_array()) || value.is_empty();
}

// Whether only the server writes this member of the object at the path.
bool is_the_servers(const std::string& path, const std::string& name) {
  if (path.empty()) return name == "apiVersion" || name == "kind";
  if (path != kMetadata) return false;
  static const std::set<std::string> kServers{"name",
                                              "namespace",
                                              "uid",
                                              "generation",
                                              "resourceVersion",
                                              "selfLink",
                                              "creationTimestamp",
                                              "deletionTimestamp",
                                              "managedFields",
                                              "deletionGracePeriodSeconds"};
  return kServers.contains(name);
}

// Walks one state of an object, or two states in parallel.
class Walk {
 public:
  explicit Walk(const ListRules& rules) : rules_(rules) {}

  void collect(const Tree& value, const std::string& path, FieldNode& at) const {
    const auto& rule = rules_.rule(path, value);
    if (is_whole(value, rule)) return own(path, at);
    if (value.is_object()) return collect_members(value, path, at);
    for (const auto& entry : value.items()) {
      FieldNode node{entry_step(entry, rule)};
      collect_entry(entry, path, rule, node);
      at.add(std::move(node));
    }
    at.settle();
  }

  void compare(const Tree& before, const Tree& after, const std::string& path, FieldNode& written,
               FieldNode& gone) const {
    if (before == after) return;
    const auto& rule = rules_.rule(path, after);
    const bool was_whole = is_whole(before, rules_.rule(path, before));
    const bool is_now_whole = is_whole(after, rule);
    if (was_whole && is_now_whole) return own(path, written);
    if (was_whole || is_now_whole || before.type() != after.type()) {
      collect(before, path, gone);
      collect(after, path, written);
    } else if (after.is_object()) {
      compare_members(before, after, path, written, gone);
    } else {
      compare_entries(before, after, path, rule, written, gone);
    }
    written.settle();
    gone.settle();
  }

 private:
  // Empty metadata and the empty root object have no owner.
  static void own(const std::string& path, FieldNode& at) { at.is_member = !at.step.empty() && path != kMetadata; }

  void collect_members(const Tree& object, const std::string& path, FieldNode& at) const {
    for (const auto& [name, member] : object.members()) collect_member(name, member, path, at);
    at.settle();
  }

  void collect_member(const std::string& name, const Tree& member, const std::string& path, FieldNode& at) const {
    if (is_the_servers(path, name)) return;
    FieldNode node{"f:" + name};
    collect(member, joined(path, name), node);
    at.add(std::move(node));
  }

  void collect_entry(const Tree& entry, const std::string& path, const MergeRule& rule, FieldNode& at) const {
    at.is_member = true;
    if (rule.how == How::kByKey) collect_members(entry, path, at);
  }

  void compare_members(const Tree& before, const Tree& after, const std::string& path, FieldNode& written,
                       FieldNode& gone) const {
    for (const auto& [name, member] : after.members()) {
      const Tree* had = before.find(name);
      if (had == nullptr) {
        collect_member(name, member, path, written);
      } else if (!is_the_servers(path, name)) {
        FieldNode is_written{"f:" + name};
        FieldNode is_gone{"f:" + name};
        compare(*had, member, joined(path, name), is_written, is_gone);
        written.add(std::move(is_written));
        gone.add(std::move(is_gone));
      }
    }
    for (const auto& [name, member] : before.members()) {
      if (after.find(name) == nullptr) collect_member(name, member, path, gone);
    }
  }

  // An entry exists or not; its position in the list has no owner.
  void compare_entries(const Tree& before, const Tree& after, const std::string& path, const MergeRule& rule,
                       FieldNode& written, FieldNode& gone) const {
    auto had = places_of_entries(before, rule);
    std::set<std::string> still_there;  // a step may occur several times, in objects that are older than the list's key
    for (const auto& entry : after.items()) {
      FieldNode is_written{entry_step(entry, rule)};
      FieldNode is_gone{is_written.step};
      auto same = had.find(is_written.step);
      if (same != had.end()) still_there.insert(is_written.step);
      if (same == had.end()) {
        collect_entry(entry, path, rule, is_written);
      } else if (rule.how == How::kByKey) {
        compare_members(before.items()[same->second], entry, path, is_written, is_gone);
        is_written.settle();
        is_gone.settle();
      }
      written.add(std::move(is_written));
      gone.add(std::move(is_gone));
    }
    for (const auto& [step, place] : had) {
      if (still_there.contains(step)) continue;
      FieldNode node{step};
      collect_entry(before.items()[place], path, rule, node);
      gone.add(std::move(node));
    }
  }

  const ListRules& rules_;
};

}  // namespace

FieldSet fields_of(const Tree& object, const ListRules& rules) {
  FieldNode root;
  Walk(rules).collect(object, "", root);
  return FieldSet(std::move(root));
}

FieldChanges changes_between(const Tree& before, const Tree& after, const ListRules& rules) {
  FieldNode written;
  FieldNode gone;
  Walk(rules).compare(before, after, "", written, gone);
  return {FieldSet(std::move(written)), FieldSet(std::move(gone))};
}

}  // namespace keelson::sandbox
