#include "src/sandbox/http/media_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// 1 for an invalid number; NaN would break the sort order.
double quality_of(const std::string& text) {
  char* end = nullptr;
  auto number = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str() && *end == '\0' && !std::isnan(number);
  return is_number ? std::clamp(number, 0.0, 1.0) : 1;
}

MediaType parse_one(std::string_view text) {
  MediaType type;
  for (auto raw : parts_of(text, ';')) {
    const auto part = base::trim(raw);
    if (part.empty()) continue;
    if (type.name.empty()) {
      type.name = base::to_lower(part);
      continue;
    }
    auto equals = std::min(part.find('='), part.size());
    auto key = base::to_lower(base::trim(part.substr(0, equals)));
    auto value = std::string(base::trim(part.substr(std::min(equals + 1, part.size()))));
    if (key == "q") {
      type.quality = quality_of(value);
    } else {
      type.parameters[key] = value;
    }
  }
  return type;
}

}  // namespace

bool MediaType::includes(std::string_view concrete) const {
  if (name == "*/*" || name == concrete) return true;
  return name.ends_with("/*") && concrete.starts_with(std::string_view(name).substr(0, name.size() - 1));
}

std::vector<MediaType> parse_media_types(std::string_view header) {
  std::vector<MediaType> types;
  for (auto part : parts_of(header, ',')) {
    auto type = parse_one(part);
    if (!type.name.empty()) types.push_back(std::move(type));
  }
  std::ranges::stable_sort(types, [](const MediaType& a, const MediaType& b) { return a.quality > b.quality; });
  return types;
}

}  // namespace keelson::sandbox
