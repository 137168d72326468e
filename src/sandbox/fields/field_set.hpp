// Which fields of an object somebody wrote, and what a write changed of them.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "src/sandbox/fields/field_path.hpp"

namespace keelson::sandbox {

using FieldSet = std::set<FieldPath>;

// The leaves: scalars, atomic lists and maps, empty maps, entries of sets, and entries of keyed lists themselves.
// Without what nobody owns: apiVersion, kind, and what the server writes into metadata.
[[nodiscard]] FieldSet fields_of(const Tree& object, const ListRules& rules);

// From one state of an object to the next. Costs as much as there is that the two do not share.
struct FieldChanges {
  FieldSet written;  // new or of another value
  FieldSet gone;
};
[[nodiscard]] FieldChanges changes_between(const Tree& before, const Tree& after, const ListRules& rules);

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
