// Limits of room `sandbox`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Stored objects for which the sandbox caches a parsed tree next to the JSON: 5 to 20 KB each. Large ones are limited
// by the bytes of their JSON, of which a tree is five times as large.
inline constexpr std::size_t kSandboxTrees = 2048;
inline constexpr std::size_t kSandboxTreeBytes = std::size_t{32} << 20;

// The sandbox's history of writes for watches, and its Events. The bytes are those of objects that have been replaced
// or deleted since: 1,500 writes of the largest ConfigMap would take 1.3 GiB. The unread events of all watches and
// the replaced objects of the lists that are being sent may together take as many bytes again.
inline constexpr std::size_t kSandboxHistory = 20000;
inline constexpr std::size_t kSandboxHistoryBytes = std::size_t{256} << 20;
inline constexpr std::size_t kSandboxEvents = 10'000;  // of controllers; beyond it the oldest is removed
inline constexpr std::size_t kSandboxWatchBytes = std::size_t{256} << 20;

// Bytes of a list, or of the first events of a watch, that are rendered in a single turn of the loop, and objects that
// are examined between two reads of the clock: other requests wait for a piece of a long list, not for the whole list.
inline constexpr std::size_t kSandboxPieceBytes = std::size_t{64} << 10;
inline constexpr std::size_t kSandboxObjectsAtOnce = 256;

// The body of a request: kube-apiserver's limit.
inline constexpr std::size_t kSandboxBodyBytes = std::size_t{3} << 20;

}  // namespace keelson::limits
