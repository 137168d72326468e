// How the values of a field are merged by server-side apply, and who can own which parts of them: the types of
// structured-merge-diff, read from OpenAPI (x-kubernetes-list-type, x-kubernetes-list-map-keys, x-kubernetes-map-type).
//
// Definitions of Kubernetes are read at their first use and shared by all servers of the process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct ListKey {
  std::string field;
  Tree default_value;  // null: none
};

struct MergeRule {
  enum class How {
    kGranular,  // a map that is merged by member
    kAtomic,    // replaced as a whole
    kSet,       // a list of scalars that is merged by entry
    kByKey,     // a list of objects that is merged by entry
  };
  How how = How::kGranular;
  std::vector<ListKey> keys;
};

struct MergeType;

// The type of a field, of list items or of map values: a type of its own, or a definition by name.
class MergePart {
 public:
  MergePart() = default;
  explicit MergePart(std::shared_ptr<const MergeType> own) : own_(std::move(own)) {}
  explicit MergePart(std::string definition) : definition_(std::move(definition)) {}

  // False: the schema has no such values.
  [[nodiscard]] bool is_declared() const { return own_ != nullptr || !definition_.empty(); }
  [[nodiscard]] const MergeType& type() const;

 private:
  std::shared_ptr<const MergeType> own_;
  std::string definition_;
  mutable const MergeType* found_ = nullptr;  // the type of the definition, after the first lookup
};

struct MergeField {
  // What Go has in the place of an absent field of a struct.
  enum class Zero : std::uint8_t { kNothing, kNull, kObject, kText, kNumber, kFalse };
  MergePart part;
  Zero zero = Zero::kNothing;
};

struct MergeType {
  enum class Scalar : std::uint8_t { kNone, kText, kNumber, kBool, kAny };
  enum class Shape : std::uint8_t { kScalar, kMap, kList };

  Scalar scalar = Scalar::kNone;
  bool takes_map = false;
  bool takes_list = false;
  bool has_zeros = false;  // a field has a zero value
  MergeRule map = {};
  MergeRule list = {MergeRule::How::kAtomic, {}};
  base::TextMap<std::string, MergeField> fields = {};
  MergePart values = {};  // of members that are not fields
  MergePart items = {};

  [[nodiscard]] const MergeField* find(std::string_view name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  }
  // The type of a member; for an undeclared one, a type that takes everything.
  [[nodiscard]] const MergeType& member(std::string_view name) const;
  // The type below a step of a field path.
  [[nodiscard]] const MergeType& below(std::string_view step) const;
  [[nodiscard]] Shape shape(const Tree& value) const;
};

// What an absent member of an object is for Go; null if it is absent there too.
[[nodiscard]] const Tree* zero_value(MergeField::Zero zero);

// The type of one of Kubernetes' own definitions: "io.k8s.api.apps.v1.Deployment". One that does not exist takes
// everything.
[[nodiscard]] const MergeType& built_in_merge_type(const std::string& definition);

// The type of a custom kind, from the OpenAPI schema of a version.
[[nodiscard]] std::shared_ptr<const MergeType> custom_merge_type(const Tree& openapi);

}  // namespace keelson::sandbox
