// What a cache lifts out of an object's JSON, found by the scanner in one pass and, escapes aside, without allocating.
//
// Everything is a slice of the object's text and lives as long as that text does.
#pragma once

#include <cstdint>
#include <forward_list>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::json {

struct ObjectMetadata {
  ObjectMetadata() = default;
  ObjectMetadata(ObjectMetadata&&) = default;
  ObjectMetadata& operator=(ObjectMetadata&&) = default;

  // Decoded; empty when absent.
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view namespace_;
  std::string_view uid;
  std::string_view resource_version;
  std::string_view creation_timestamp;
  std::string_view deletion_timestamp;
  // resource_version as a number, to be compared; nothing when it is not one.
  std::optional<std::uint64_t> resource_version_number;
  std::int64_t generation = 0;
  [[nodiscard]] bool is_deleting() const { return !deletion_timestamp.empty(); }

  // Raw JSON with brackets; empty when absent or null.
  std::string_view labels;
  std::string_view annotations;
  std::string_view owner_references;

  // Strings that had to be decoded; the views above may point here, so this struct moves and is not copied.
  std::forward_list<std::string> decoded;
};

// kMalformed when the text is not an object, or a field above is of a wrong type. The rest of the object is only
// skipped: it is not checked to be well-formed.
[[nodiscard]] Result<ObjectMetadata> scan_metadata(std::string_view object);

// The decoded string member of a flat object, such as labels; nothing when there is none. The last of duplicates.
[[nodiscard]] std::optional<std::string> scan_member(std::string_view object, std::string_view key);

// Each string member of a flat object, decoded; members of other types are passed over.
[[nodiscard]] Result<void> for_each_string(
    std::string_view object, const std::function<void(std::string_view key, std::string_view value)>& visit);

struct OwnerReferenceView {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

// Each entry of a metadata.ownerReferences array; the views live during the call.
[[nodiscard]] Result<void> for_each_owner(std::string_view owner_references,
                                          const std::function<void(const OwnerReferenceView&)>& visit);

}  // namespace keelson::json
