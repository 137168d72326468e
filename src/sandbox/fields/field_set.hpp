// A set of fields of an object: those that somebody owns, or that a write changed.
//
// A tree of steps, as FieldsV1 is one: it takes memory for each step once, however many fields are below it, and what
// is asked of two sets costs as much as they have in common.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/fields/field_path.hpp"

namespace keelson::sandbox {

// One step, and the steps below it. Each that has nothing below it is a member.
struct FieldNode {
  std::string step;                   // empty at the root
  bool is_member = false;             // the field itself is in the set, whatever is below it
  std::vector<FieldNode> below = {};  // sorted by step, no two of one

  [[nodiscard]] bool is_empty() const { return !is_member && below.empty(); }
  [[nodiscard]] const FieldNode* find(std::string_view name) const;
  // Adds a step unless it is empty. The order is put right by settle().
  void add(FieldNode node);
  // Sorts what was added, and makes one of equal steps.
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
[[nodiscard]] FieldSet union_of(const FieldSet& one, const FieldSet& other);
// What is in `one` and not in `other`.
[[nodiscard]] FieldSet difference_of(const FieldSet& one, const FieldSet& other);

// As FieldsV1: {"f:spec":{"f:replicas":{}}}.
[[nodiscard]] std::string fields_v1(const FieldSet& fields);
// The opposite. Steps of no known form are left out.
[[nodiscard]] FieldSet fields_from_v1(const Tree& v1);

// The fields of one owner: a value whose copies share the set, and its FieldsV1 once that was asked for.
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
    Tree v1;  // null until it was asked for
  };
  std::shared_ptr<Kept> kept_;
};

}  // namespace keelson::sandbox
