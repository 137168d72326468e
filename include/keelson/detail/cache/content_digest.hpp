// Digests of objects whose content is not cached, such as Secrets that a spec names.
//
// An informer with the content OnlyDigest (informer.hpp) stores the digest in place of the content: the controller
// notices each change, and no Secret stays in memory.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::cache {

// The member of a cached object, next to `metadata`, that has the digest.
inline constexpr std::string_view kContentDigest = "contentDigest";

// SHA-256 in hexadecimal (64 characters) of all members except apiVersion, kind, metadata and status; for a Secret, of
// data and type. The API server always writes members in the same order, so equal content has equal digests. `object`
// is JSON; kMalformed if it is not.
[[nodiscard]] Result<std::string> content_digest(std::string_view object);

// The digest of a cached object, whether the object has its content or only the digest. kInvalid if it has neither,
// because no user of its informer declared OnlyDigest.
[[nodiscard]] Result<std::string> digest_of(const kube::Object& object);

}  // namespace keelson::cache
