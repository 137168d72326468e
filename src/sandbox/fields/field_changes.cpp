#include "src/sandbox/fields/field_changes.hpp"

#include <algorithm>

#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

using How = MergeRule::How;
using Shape = MergeType::Shape;

void collect(const Tree& value, const MergeType& type, FieldNode& at);

void collect_members(const Tree& object, const MergeType& type, FieldNode& at) {
  for (const auto& [name, value] : object.members()) {
    FieldNode node{"f:" + name};
    collect(value, type.member(name), node);
    const bool is_empty_map = value.is_object() && value.is_empty();
    if (value.is_null() || is_empty_map || type.find(name) == nullptr) node.is_member = true;
    at.add(std::move(node));
  }
  at.settle();
}

// The entries of a list by their step, in the order of the list.
class EntriesByStep {
 public:
  EntriesByStep(const Tree* list, const MergeRule& rule) {
    if (list == nullptr) return;
    for (const auto& entry : list->items()) {
      auto step = entry_step(entry, rule);
      if (!step) continue;
      auto& same = by_step_[*step];
      if (same.empty()) order_.push_back(*step);
      same.push_back(&entry);
    }
  }

  [[nodiscard]] const std::vector<std::string>& steps() const { return order_; }
  [[nodiscard]] const std::vector<const Tree*>& at(const std::string& step) const {
    static const std::vector<const Tree*> kNone;
    const auto found = by_step_.find(step);
    return found == by_step_.end() ? kNone : found->second;
  }

 private:
  std::vector<std::string> order_;
  base::TextMap<std::string, std::vector<const Tree*>> by_step_;
};

void collect_entries(const Tree& list, const MergeType& type, FieldNode& at) {
  const EntriesByStep entries(&list, type.list);
  for (const auto& step : entries.steps()) {
    FieldNode node{step, true};
    const auto& same = entries.at(step);
    if (same.size() == 1) collect(*same[0], type.items.type(), node);
    at.add(std::move(node));
  }
  at.settle();
}

void collect(const Tree& value, const MergeType& type, FieldNode& at) {
  switch (type.shape(value)) {
    case Shape::kMap:
      if (type.map.how == How::kAtomic) break;
      return collect_members(value, type, at);
    case Shape::kList:
      if (type.list.how == How::kAtomic) break;
      return collect_entries(value, type, at);
    default:
      break;
  }
  at.is_member = !at.step.empty();
}

// Whether Go has the value as an object or a list without content.
bool has_nothing(const Tree* value, bool has_zeros) {
  return value == nullptr || (value->is_empty() && !(value->is_object() && has_zeros));
}

const Tree* if_shape(const Tree* value, bool is_it) { return is_it ? value : nullptr; }

// Compares two states. A null pointer is a value that does not exist.
class Comparison {
 public:
  void compare(const Tree* before, const Tree* after, const MergeType& type, FieldNode& written, FieldNode& gone) {
    if (before == after || (before != nullptr && after != nullptr && *before == *after)) return;
    const auto shape_after = type.shape(after != nullptr ? *after : *before);
    const auto shape_before = type.shape(before != nullptr ? *before : *after);
    bool is_leaf = compare_as(shape_before, before, after, type, written, gone);
    if (shape_after != shape_before) is_leaf = compare_as(shape_after, before, after, type, written, gone);
    if (!is_leaf && before == nullptr) written.is_member = true;
    if (!is_leaf && after == nullptr) gone.is_member = true;
    written.settle();
    gone.settle();
  }

 private:
  // True if the field changed as a whole.
  bool compare_as(Shape shape, const Tree* before, const Tree* after, const MergeType& type, FieldNode& written,
                  FieldNode& gone) {
    const bool is_map = shape == Shape::kMap;
    const auto& rule = is_map ? type.map : type.list;
    const Tree* had = if_shape(before, before != nullptr && (is_map ? before->is_object() : before->is_array()));
    const Tree* has = if_shape(after, after != nullptr && (is_map ? after->is_object() : after->is_array()));
    const bool is_empty = has_nothing(had, type.has_zeros) && has_nothing(has, type.has_zeros);
    if (shape == Shape::kScalar || rule.how == How::kAtomic || is_empty) {
      (after == nullptr ? gone : written).is_member = true;
      return true;
    }
    is_map ? compare_members(had, has, type, written, gone) : compare_entries(had, has, type, written, gone);
    return false;
  }

  static const Tree* member_of(const Tree* object, const std::string& name, const MergeType& type) {
    if (object == nullptr) return nullptr;
    if (const Tree* value = object->find(name)) return value;
    const auto* field = type.find(name);
    return field != nullptr ? zero_value(field->zero) : nullptr;
  }

  void compare_member(const std::string& name, const Tree* before, const Tree* after, const MergeType& type,
                      FieldNode& written, FieldNode& gone) {
    descend("f:" + name, member_of(before, name, type), member_of(after, name, type), type.member(name), written, gone);
  }

  void compare_members(const Tree* before, const Tree* after, const MergeType& type, FieldNode& written,
                       FieldNode& gone) {
    if (after != nullptr) {
      for (const auto& [name, value] : after->members()) compare_member(name, before, after, type, written, gone);
    }
    auto is_seen = [](const Tree* object, const std::string& name) {
      return object != nullptr && object->find(name) != nullptr;
    };
    if (before != nullptr) {
      for (const auto& [name, value] : before->members()) {
        if (!is_seen(after, name)) compare_member(name, before, after, type, written, gone);
      }
    }
    if (!type.has_zeros || (before != nullptr && after != nullptr)) return;
    for (const auto& [name, field] : type.fields) {
      const bool is_zero = field.zero != MergeField::Zero::kNothing && !is_seen(before, name) && !is_seen(after, name);
      if (is_zero) compare_member(name, before, after, type, written, gone);
    }
  }

  // An entry exists or not; its position in the list has no owner. Entries with the same step are one field.
  void compare_entries(const Tree* before, const Tree* after, const MergeType& type, FieldNode& written,
                       FieldNode& gone) {
    const EntriesByStep had(before, type.list);
    const EntriesByStep has(after, type.list);
    for (const auto& step : has.steps()) compare_entry(step, had.at(step), has.at(step), type, written, gone);
    for (const auto& step : had.steps()) {
      if (has.at(step).empty()) compare_entry(step, had.at(step), {}, type, written, gone);
    }
  }

  void compare_entry(const std::string& step, const std::vector<const Tree*>& had, const std::vector<const Tree*>& has,
                     const MergeType& type, FieldNode& written, FieldNode& gone) {
    auto first = [](const std::vector<const Tree*>& all) { return all.empty() ? nullptr : all[0]; };
    const auto& item = type.items.type();
    if (had.size() <= 1 && has.size() <= 1) return descend(step, first(had), first(has), item, written, gone);
    if (had.size() > 1 && has.size() > 1) {
      const bool is_same = std::ranges::equal(had, has, [](const Tree* a, const Tree* b) { return *a == *b; });
      if (!is_same) written.add({step, true});
    } else if (had.size() > 1) {
      if (!has.empty()) descend(step, nullptr, has[0], item, written, gone);
      gone.add({step, true});
    } else {
      if (!had.empty()) descend(step, had[0], nullptr, item, written, gone);
      written.add({step, true});
    }
  }

  void descend(std::string step, const Tree* before, const Tree* after, const MergeType& type, FieldNode& written,
               FieldNode& gone) {
    FieldNode is_gone{step};
    FieldNode is_written{std::move(step)};
    compare(before, after, type, is_written, is_gone);
    written.add(std::move(is_written));
    gone.add(std::move(is_gone));
  }
};

}  // namespace

FieldSet fields_of(const Tree& object, const MergeType& type) {
  FieldNode root;
  collect(object, type, root);
  return FieldSet(std::move(root));
}

FieldChanges changes_between(const Tree& before, const Tree& after, const MergeType& type) {
  FieldNode written;
  FieldNode gone;
  Comparison().compare(&before, &after, type, written, gone);
  written.is_member = gone.is_member = false;
  return {FieldSet(std::move(written)), FieldSet(std::move(gone))};
}

FieldSet without_server_fields(FieldSet fields) {
  auto root = fields.root();
  std::erase_if(root.below, [](const FieldNode& node) {
    return node.below.empty() && (node.step == "f:apiVersion" || node.step == "f:kind");
  });
  if (auto* metadata = root.find("f:metadata")) {
    metadata->is_member = false;
    std::erase_if(metadata->below, [](const FieldNode& node) {
      return node.below.empty() &&
             has_word(
                 "f:name f:namespace f:creationTimestamp f:selfLink f:uid f:clusterName f:generation "
                 "f:managedFields f:resourceVersion",
                 node.step);
    });
    if (metadata->is_empty()) {
      std::erase_if(root.below, [](const FieldNode& node) { return node.step == "f:metadata"; });
    }
  }
  return FieldSet(std::move(root));
}

}  // namespace keelson::sandbox
