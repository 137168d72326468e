// Objects of which only changes matter, such as Secrets that a spec names: cached without their content.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::cache {

// The member that objects of an informer with InformerOptions::only_digest have instead of their content.
inline constexpr std::string_view kContentDigest = "contentDigest";

// SHA-256 in hexadecimal of all members but apiVersion, kind, metadata and status: of a Secret's data and type. The API
// server writes members in one order, so equal contents have equal digests. `object` is JSON.
[[nodiscard]] Result<std::string> content_digest(std::string_view object);

// The same of a cached object, whether it has its content or only the digest. An Error if it has neither: no user of
// its informer declared only_digest.
[[nodiscard]] Result<std::string> digest_of(const kube::Object& object);

}  // namespace keelson::cache
