#include "src/webhook/object_parts.hpp"

#include "src/webhook/review_limits.hpp"

namespace keelson::webhook {

namespace {

// Offsets from the index of the object's own path.
enum ObjectPart : std::size_t { kSelf, kSpec, kApiVersionOfObject, kKindOfObject, kNameOfObject, kDeletion };

std::string_view value_of(const json::PathScan& scan, std::size_t place) {
  const auto json = scan.value(place);
  return json == "null" ? std::string_view() : json;
}

}  // namespace

Paths object_paths(const std::vector<std::string>& prefix) {
  const auto below = [&](const std::vector<std::string>& path) {
    auto whole = prefix;
    whole.insert(whole.end(), path.begin(), path.end());
    return whole;
  };
  return {prefix,
          below({"spec"}),
          below({"apiVersion"}),
          below({"kind"}),
          below({"metadata", "name"}),
          below({"metadata", "deletionTimestamp"})};
}

Result<std::string> bounded_text(const json::PathScan& scan, std::size_t place, std::string_view name,
                                 std::size_t limit) {
  const auto json = scan.value(place);
  if (!json.starts_with('"') || json.size() <= limit) return scan.text(place);
  return malformed_error(std::string(name) + ": a text of " + std::to_string(json.size()) + " bytes is too long");
}

Result<ReviewedObject::Parts> object_parts(const json::PathScan& scan, std::size_t first, std::string_view where) {
  ReviewedObject::Parts parts;
  parts.json = value_of(scan, first + kSelf);
  if (!parts.json.starts_with('{')) return parts;
  parts.spec = scan.value(first + kSpec);
  parts.is_being_deleted = !value_of(scan, first + kDeletion).empty();
  const auto named = [&](std::string_view member) {
    return std::string(where) + (where.empty() ? "" : ".") + std::string(member);
  };
  auto api_version = bounded_text(scan, first + kApiVersionOfObject, named("apiVersion"), kReviewTextBytes);
  if (!api_version) return std::move(api_version).error();
  auto kind = bounded_text(scan, first + kKindOfObject, named("kind"), kReviewTextBytes);
  if (!kind) return std::move(kind).error();
  auto name = bounded_text(scan, first + kNameOfObject, named("metadata.name"), kReviewTextBytes);
  if (!name) return std::move(name).error();
  parts.api_version = std::move(*api_version);
  parts.kind = std::move(*kind);
  parts.name = std::move(*name);
  return parts;
}

}  // namespace keelson::webhook
