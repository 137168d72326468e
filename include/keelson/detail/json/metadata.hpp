// scan_metadata: the metadata of an object's JSON, found in one pass without a tree.
//
// A cache reads the metadata of every object that it receives, so this allocates nothing except for strings with
// escapes. All results are views of the object's text, which must outlive them.
#pragma once

#include <cstdint>
#include <forward_list>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::json {

// The fields that a cache needs. Fields that are absent are empty, and 0 or nullopt as numbers.
struct ObjectMetadata {
  ObjectMetadata() = default;
  ObjectMetadata(ObjectMetadata&&) = default;
  ObjectMetadata& operator=(ObjectMetadata&&) = default;

  // Decoded strings.
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view namespace_;
  std::string_view uid;
  std::string_view resource_version;
  std::string_view creation_timestamp;
  std::string_view deletion_timestamp;
  // resource_version as a number, for comparisons; nullopt if it is not a number.
  std::optional<std::uint64_t> resource_version_number;
  std::int64_t generation = 0;  // 0 for kinds that have none, such as ConfigMap
  // True if the object has a deletionTimestamp: it exists until its finalizers are removed.
  [[nodiscard]] bool is_deleting() const { return !deletion_timestamp.empty(); }

  // Raw JSON with its brackets, for scan_member, for_each_string and for_each_owner; also empty if null.
  std::string_view labels;
  std::string_view annotations;
  std::string_view owner_references;

  // The strings that contained escapes. The views above may point here, so this struct is moved, never copied.
  std::forward_list<std::string> decoded;
};

// kMalformed if the text is not an object, or if one of the fields above has a wrong type. The rest of the object is
// skipped and not validated: it may be malformed. Of duplicate members the last counts.
[[nodiscard]] Result<ObjectMetadata> scan_metadata(std::string_view object);

// The decoded string member `key` of a flat object, such as labels. nullopt if there is none, if it is not a string, or
// if the object is malformed. Of duplicate members the last counts.
[[nodiscard]] std::optional<std::string> scan_member(std::string_view object, std::string_view key);

// Calls `visit` with each string member of a flat object, decoded. Members of other types are skipped, and an empty
// text has no members. The views are valid during the call only. kMalformed if the text is not an object.
[[nodiscard]] Result<void> for_each_string(
    std::string_view object, const std::function<void(std::string_view key, std::string_view value)>& visit);

// Calls `visit` with each member of an object: the name as it is in the text, and the value as JSON. The views are
// parts of `object`. kMalformed if the text is not an object.
[[nodiscard]] Result<void> for_each_member(
    std::string_view object, const std::function<void(std::string_view name, std::string_view value)>& visit);

// An entry of metadata.ownerReferences; absent members are empty.
struct OwnerReferenceView {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

// Calls `visit` with each entry of a metadata.ownerReferences array; an empty text has none. A text without escapes is
// a part of `owner_references` (is_part_of); a decoded one is valid during the call only. kMalformed if the text is not
// an array of objects.
[[nodiscard]] Result<void> for_each_owner(std::string_view owner_references,
                                          const std::function<void(const OwnerReferenceView&)>& visit);

// Whether the bytes of `part` lie within those of `whole`, so that it is a view of this text and not a copy.
[[nodiscard]] bool is_part_of(std::string_view part, std::string_view whole);

}  // namespace keelson::json
