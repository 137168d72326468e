// Limits of room `kube`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// A reply with one object, at most limits::kObjectBytes, and a reply with a list: 500 objects of 64 KiB. A list is held
// twice while it is split into objects; a manager runs in 128 MiB. The lists of the cache are streams without a limit.
inline constexpr std::size_t kListReplyBytes = std::size_t{32} << 20;

// A Status, or the beginning of another body of an error. The causes of an invalid object are its largest part.
inline constexpr std::size_t kStatusBytes = std::size_t{1} << 20;

// Values in a reply with one object, names of members included, which take 16 bytes each when it is read: as many as
// etcd's limit of 1.5 MiB can contain, even if an object is one long list of numbers.
inline constexpr std::size_t kReplyValues = std::size_t{1'700'000};

// Values in a reply with a list: with the 32 MiB of their text, and 64 MiB if it is read as a whole, below 128 MiB.
// list() repeats a page that exceeds this or kListReplyBytes with half the objects.
inline constexpr std::size_t kListReplyValues = std::size_t{4'000'000};

// Distinct warnings of the API server that are logged, each once.
inline constexpr std::size_t kServerWarnings = 256;

// The name of an operator: with the longest suffix of a label (-webhook-server-cert) it stays below Kubernetes' limit
// of 63.
inline constexpr std::size_t kOperatorNameBytes = 40;

}  // namespace keelson::limits
