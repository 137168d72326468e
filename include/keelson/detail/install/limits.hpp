// Limits of room `install`, each with the reason for its number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// Objects in a page of a list of metadata: about 500 KB.
inline constexpr std::int64_t kUninstallPage = 500;

// Single deletes and patches at the same time: 10,000 objects take seconds, and other clients of the API server are
// not slowed down.
inline constexpr std::size_t kUninstallWrites = 8;

// Objects of a namespace in a page that are worth a `deletecollection`, which needs a permission of its own.
inline constexpr std::size_t kDeleteCollectionObjects = 8;

// Objects that an error of `uninstall` lists: what fits on a screen.
inline constexpr std::size_t kUninstallExamples = 10;

// Leases and Pods that are read to find a running manager: one is sufficient.
inline constexpr std::int64_t kManagerSigns = 50;

// CRDs in a page of a list: a CRD may have megabytes, and a reply at most limits::kListReplyBytes.
inline constexpr std::int64_t kCrdPage = 10;

}  // namespace keelson::limits
