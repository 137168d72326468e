// The media types of an Accept or Content-Type header.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

struct MediaType {
  std::string name;                               // "application/json", in lower case
  std::map<std::string, std::string> parameters;  // "as" and "Table"; without q
  double quality = 1;                             // from 0 (not acceptable) to 1

  [[nodiscard]] std::string parameter(const std::string& key) const {
    auto found = parameters.find(key);
    return found == parameters.end() ? std::string() : found->second;
  }
  // "*/*" and "application/*" match every type that they include.
  [[nodiscard]] bool includes(std::string_view concrete) const;
};

// Sorted by quality, highest first; types of equal quality in their original order. Empty for an empty header.
[[nodiscard]] std::vector<MediaType> parse_media_types(std::string_view header);

}  // namespace keelson::sandbox
