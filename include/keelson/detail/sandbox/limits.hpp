// Limits of room `sandbox`, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// Stored objects for which the sandbox caches a parsed tree next to the JSON: 5 to 20 KB each.
inline constexpr std::size_t kSandboxTrees = 2048;

// The sandbox's history of writes for watches, its Events, the requests in its log, its open list pages, and the unsent
// bytes of a watch.
inline constexpr std::size_t kSandboxHistory = 20000;
inline constexpr std::size_t kSandboxEvents = 10'000;  // of controllers; beyond it the oldest is removed
inline constexpr std::size_t kSandboxRequests = 200000;
inline constexpr std::size_t kSandboxPages = 64;
inline constexpr std::size_t kSandboxWatchBytes = std::size_t{256} << 20;

// Bytes of a list, or of the first events of a watch, that are rendered in a single turn of the loop, and objects that
// are examined between two reads of the clock: other requests wait for a piece of a long list, not for the whole list.
inline constexpr std::size_t kSandboxPieceBytes = std::size_t{64} << 10;
inline constexpr std::size_t kSandboxObjectsAtOnce = 256;

// The HTTPS server of keelson-sandbox. The body of a request: kube-apiserver's limit. Connections: each watch has one,
// and a large test has a thousand watches. Memory of connections: unsent replies to slow clients, mostly lists.
inline constexpr std::size_t kSandboxBodyBytes = std::size_t{3} << 20;
inline constexpr std::size_t kSandboxConnections = 4096;
inline constexpr std::size_t kSandboxHeldBytes = std::size_t{512} << 20;

// A write of a role or binding under RBAC: the permissions that it grants, and their comparisons with the permissions
// of its user.
inline constexpr std::size_t kSandboxGrantedPermissions = 10'000;
inline constexpr std::size_t kSandboxPermissionComparisons = 20'000'000;

// The sandbox's concurrent calls of webhooks: kube-apiserver's limit of writes in flight. The bytes of a reply: a patch
// of the largest object, in base64. Clients with idle connections, one for each origin and authority. Attempts of a
// write whose object changes while its webhooks are called.
inline constexpr std::size_t kSandboxWebhookCalls = 200;
inline constexpr std::size_t kSandboxWebhookReplyBytes = std::size_t{6} << 20;
inline constexpr std::size_t kSandboxWebhookClients = 64;
inline constexpr int kSandboxWriteRuns = 32;

}  // namespace keelson::limits
