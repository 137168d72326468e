// The members of a reviewed object that the scan of a review finds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/json/path_scan.hpp"
#include "keelson/detail/webhook/request.hpp"

namespace keelson::webhook {

using Paths = std::vector<std::vector<std::string>>;

// The paths of the object at `prefix`, in the order that object_parts expects.
[[nodiscard]] Paths object_paths(const std::vector<std::string>& prefix);

// The parts that a complete scan found; `first` is the index of the object's first path. Null is the same as absent.
// kMalformed if a text is too long; `where` names the object in that error.
[[nodiscard]] Result<ReviewedObject::Parts> object_parts(const json::PathScan& scan, std::size_t first,
                                                         std::string_view where);

// The string at an index of the scan, empty if it is not a string; kMalformed if it is longer than `limit`.
[[nodiscard]] Result<std::string> bounded_text(const json::PathScan& scan, std::size_t place, std::string_view name,
                                               std::size_t limit);

}  // namespace keelson::webhook
