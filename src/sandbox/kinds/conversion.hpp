// Custom kinds with several versions: their objects are stored once, in the storage version, and converted for requests
// in another one.
//
// The strategy None changes the apiVersion only; Webhook asks a ConversionReview webhook, which
// admission/conversions.hpp calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct ServedKind;

struct Conversion {
  std::string storage_version;        // "example.com/v1"
  std::vector<std::string> versions;  // the served ones: "v1"
  bool has_webhook = false;
  Tree client_config;
  std::vector<std::string> review_versions;
};

// Whether an object must be converted for this kind. It begins with its kind and apiVersion, as stored objects do.
[[nodiscard]] bool is_of_other_version(const ServedKind& kind, std::string_view json);
// The object with another apiVersion. A text that does not begin in this way is returned unchanged.
[[nodiscard]] std::string relabeled(const ServedKind& kind, std::string_view json);

// `converted` with the metadata of `original` except labels and annotations; an error if it is another object.
[[nodiscard]] Result<Tree> checked_conversion(const Tree& original, Tree converted, const std::string& api_version);

}  // namespace keelson::sandbox
