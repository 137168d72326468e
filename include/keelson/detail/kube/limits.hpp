// Limits of room `kube` that several files use, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// A Status, or the beginning of another body of an error. The causes of an invalid object are its largest part.
inline constexpr std::size_t kStatusBytes = std::size_t{1} << 20;

// Distinct warnings of the API server that are logged, each once.
inline constexpr std::size_t kServerWarnings = 256;

// The name of an operator: with the longest suffix of a label (-webhook-server-cert) it stays below Kubernetes' limit
// of 63.
inline constexpr std::size_t kOperatorNameBytes = 40;

}  // namespace keelson::limits
