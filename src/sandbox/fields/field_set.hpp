// A set of fields of an object: the fields that a manager owns, or that a write changed.
//
// The set is a tree of steps, like FieldsV1: it stores each step once, however many fields are below it, and the cost
// of an operation on two sets depends on their common part.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/sandbox/fields/field_path.hpp"

namespace keelson::sandbox {

// A step, and the steps below it. A step without steps below it is a member.
struct FieldNode {
  std::string step;                   // empty at the root
  bool is_member = false;             // the field itself is in the set, in addition to fields below it
  std::vector<FieldNode> below = {};  // sorted by step, unique after settle()

  [[nodiscard]] bool is_empty() const { return !is_member && below.empty(); }
  [[nodiscard]] const FieldNode* find(std::string_view name) const;
  [[nodiscard]] FieldNode* find(std::string_view name) {
    return const_cast<FieldNode*>(std::as_const(*this).find(name));
  }
  // Adds a step unless it is empty. Call settle() afterwards to restore the order.
  void add(FieldNode node);
  // Sorts the added steps and merges equal ones.
  void settle();
  bool operator==(const FieldNode& other) const = default;
};

class FieldSet {
 public:
  FieldSet() = default;
  FieldSet(std::initializer_list<FieldPath> paths);
  explicit FieldSet(FieldNode root) : root_(std::move(root)) {}

  [[nodiscard]] bool empty() const { return root_.is_empty(); }
  [[nodiscard]] const FieldNode& root() const { return root_; }
  bool operator==(const FieldSet& other) const = default;

 private:
  FieldNode root_;
};

[[nodiscard]] bool have_common(const FieldSet& one, const FieldSet& other);
[[nodiscard]] bool contains_all(const FieldSet& one, const FieldSet& other);
[[nodiscard]] FieldSet union_of(const FieldSet& one, const FieldSet& other);
// The union of many sets at once: a union with one after the other would copy the result for each.
[[nodiscard]] FieldSet union_of(const std::vector<const FieldSet*>& sets);
// The fields of `one` that are not in `other`.
[[nodiscard]] FieldSet difference_of(const FieldSet& one, const FieldSet& other);
[[nodiscard]] FieldSet intersection_of(const FieldSet& one, const FieldSet& other);
// Calls `visit` with the path of each member, until it returns false.
void visit_paths(const FieldSet& fields, const std::function<bool(const FieldPath&)>& visit);

// With the fields of structs above its members: "a" if "a.b" is in the set, but not "m.key" of a map.
[[nodiscard]] FieldSet with_named_fields(const FieldSet& fields, const MergeType& type);

// The set as FieldsV1: {"f:spec":{"f:replicas":{}}}. A member above other members has the step ".".
[[nodiscard]] std::string fields_v1(const FieldSet& fields);
// The inverse. Steps of an unknown form are left out.
[[nodiscard]] FieldSet fields_from_v1(const Tree& v1);

// The fields of an owner: a value whose copies share the set and, after its first use, its FieldsV1.
class OwnedFields {
 public:
  OwnedFields() : OwnedFields(FieldSet()) {}
  OwnedFields(FieldSet fields) : kept_(std::make_shared<Kept>(std::move(fields))) {}

  [[nodiscard]] const FieldSet& set() const { return kept_->set; }
  operator const FieldSet&() const { return set(); }
  [[nodiscard]] const Tree& v1() const;
  bool operator==(const OwnedFields& other) const { return kept_ == other.kept_ || set() == other.set(); }

 private:
  struct Kept {
    explicit Kept(FieldSet fields) : set(std::move(fields)) {}
    const FieldSet set;
    Tree v1;  // null before its first use
  };
  std::shared_ptr<Kept> kept_;
};

}  // namespace keelson::sandbox
