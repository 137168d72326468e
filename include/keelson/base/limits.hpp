// The limits of everything that can grow, each with the reason for its number.
//
// Data from outside (replies, requests, files, tokens) is rejected beyond its limit; data of our own (Events, reasons,
// label sets) is dropped or merged, as the comment says.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// JSON with deeper nesting is rejected. The limit is far beyond real objects, and far below the depth at which
// RapidJSON's recursion overflows the stack.
inline constexpr std::size_t kJsonDepth = 128;

// An object: etcd rejects requests over 1.5 MiB, and JSON may escape one byte as six.
inline constexpr std::size_t kObjectBytes = std::size_t{12} << 20;

// A line of a watch stream: an event is an object in a small envelope.
inline constexpr std::size_t kWatchLineBytes = kObjectBytes + 4096;

// A reply that is read into memory as a whole, which is every reply except the lists and watches of a cache.
inline constexpr std::size_t kReplyBytes = std::size_t{64} << 20;

// The envelope of a list: everything except its items.
inline constexpr std::size_t kListEnvelopeBytes = std::size_t{64} << 10;

// The HTTP headers of a message, received or sent. Go's server accepts 1 MiB, but no real proxy sends 64 KiB.
inline constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

// A read from a socket: a TLS record is at most 16 KiB, so a larger buffer gains nothing.
inline constexpr std::size_t kReadBytes = std::size_t{16} << 10;

// The buffer in which TLS reads from a socket: four records. It is freed when there is nothing to read.
inline constexpr std::size_t kTlsReadBytes = std::size_t{64} << 10;

// Decoding yields the loop after this many bytes, so that a long list does not delay a probe.
inline constexpr std::size_t kDecodeSliceBytes = std::size_t{256} << 10;

// Idle connections that a client retains for reuse (client-go: MaxIdleConnsPerHost 25), and its concurrent requests
// without streams.
inline constexpr std::size_t kIdleConnections = 25;
inline constexpr std::size_t kConnections = 256;

// Concurrent streams, each with a connection of its own: a watch for each kind and namespace. Further ones fail
// immediately.
inline constexpr std::size_t kStreams = 4096;

// Requests that wait for a connection; further ones fail immediately.
inline constexpr std::size_t kWaitingRequests = 4096;

// The budget that all HTTP servers of a process share (net/server_budget.hpp): 87 MiB of the deployed limit of 128 MiB.
// The rest is for the program (15 MiB), the caches of a small cluster, and fragmentation.
//
// Connections: each of the three servers reserves some, so that an attack on one server never blocks the probes,
// scrapes or reviews of the others; the rest is shared. An idle TLS connection takes 24 KiB (measured with mallinfo2 on
// 200 connections: OpenSSL's state 14 KiB, the rest socket, session and coroutine frames), so 384 connections take 9
// MiB.
inline constexpr std::size_t kServerOwnConnections = 32;
inline constexpr std::size_t kServerSharedConnections = 288;

// Further memory of connections: handshakes, incomplete headers and bodies, requests in progress, and replies that are
// not sent yet. Enough for four of the largest objects that etcd stores, each in its old and its new form.
inline constexpr std::size_t kServerHeldBytes = std::size_t{14} << 20;

// The reservation of a large admission review (webhook::kLargeReviewBytes). The most expensive one allocates two
// described specs of webhook::kSpecMemoryBytes, and unused capacity of their growing lists. Only one is processed at a
// time.
inline constexpr std::size_t kServerLargeWorkBytes = std::size_t{48} << 20;

// The reservation of all small reviews together (webhook::small_review_memory): about ten concurrent reviews of 4 KiB
// by a defaulter, or thirty by a validator.
inline constexpr std::size_t kServerSmallWorkBytes = std::size_t{16} << 20;

// The bearer token of a request to a protected endpoint. The token of a service account is 1 KiB; the token of an
// identity provider that lists all groups of a user is longer.
inline constexpr std::size_t kBearerTokenBytes = std::size_t{16} << 10;

// The entries, and their bytes, of each of the five caches of room `access`: owners of tokens, rejected tokens, tokens
// of authorized requests, permissions, denials.
// There are only a few scrapers. The caches are separate, so that invented tokens never evict a valid one.
inline constexpr std::size_t kRememberedAnswers = 1024;
inline constexpr std::size_t kRememberedAnswerBytes = std::size_t{1} << 20;

// Concurrent reviews of room `access`: random tokens must not exhaust the connections that controllers need. And the
// total time of a review, with its time in the queue and all retries.
inline constexpr std::size_t kReviewsAtOnce = 16;
inline constexpr std::chrono::seconds kReviewTime{10};

// Requests that wait for a review: half of a server's connections. While the API server is unreachable, unknown tokens
// must leave room for the cached ones.
inline constexpr std::size_t kRequestsAwaitingReview = (kServerOwnConnections + kServerSharedConnections) / 2;

// Kubeconfig and other small local files.
inline constexpr std::size_t kLocalFileBytes = std::size_t{8} << 20;

// The output of an exec plugin: a token or a certificate chain takes a few KiB. And the timeout of a plugin, with a
// terminal at which the user may have to log in, and without one.
inline constexpr std::size_t kPluginBytes = std::size_t{1} << 20;
inline constexpr std::chrono::minutes kPluginTimeAtTerminal{10};
inline constexpr std::chrono::seconds kPluginTime{60};

// Logged lines of a plugin's standard error, per run: in verbose mode a plugin writes some dozens. The last lines are
// retained in any case, for the error.
inline constexpr std::size_t kToldErrorLines = 100;

// Reasons per queued key; further ones are dropped.
inline constexpr std::size_t kReasonsPerKey = 4;

// Distinct sets of reasons in a queue: kinds times events are some dozens.
inline constexpr std::size_t kReasonSets = 1000;

// Priorities that have their own series of workqueue_depth, as in controller-runtime.
inline constexpr std::size_t kPriorityLabels = 25;

// Events (the kind) that wait to be sent, and the objects and series in the memory of an event recorder (client-go).
inline constexpr std::size_t kQueuedEvents = 1000;
inline constexpr std::size_t kRememberedEvents = 4096;

// Bytes of an Event's note and reportingInstance: the maxima of the API server.
inline constexpr std::size_t kEventNoteBytes = 1024;
inline constexpr std::size_t kReportingInstanceBytes = 128;

// Children of a metric family: a label with unbounded values must not exhaust the memory of the process.
inline constexpr std::size_t kLabelSetsPerFamily = 1000;

// A log line: container runtimes cut lines at 16 KiB, and half a JSON object cannot be parsed.
inline constexpr std::size_t kLogLineBytes = std::size_t{16} << 10;

// A value of a log line, so that a long text leaves room for the other values.
inline constexpr std::size_t kLogValueBytes = std::size_t{4} << 10;

// Messages whose rate is counted for sampling. Messages are constants, so there are fewer.
inline constexpr std::size_t kSampledMessages = 1024;

// Uids of objects that this process deleted and whose DELETED event has not arrived yet.
inline constexpr std::size_t kOwnDeletions = 1024;

// Jobs that a CronJob's status lists as active; it counts all of them.
inline constexpr std::size_t kActiveReferences = 1000;

// Zundokos of a Hikawa. Each ends the sequence with a probability of 1/64, so only a bug reaches 10,000.
inline constexpr std::int64_t kZundokos = 10'000;

// Reported field errors of an object: users fix the first few, and a list with a million bad entries must not cause a
// million texts.
inline constexpr std::size_t kFieldErrors = 100;

// An admission request. An object that etcd stores has at most 1.5 MiB, and the API server sends custom resources as it
// stores them: the old and the new object are 3 MiB. Kinds that etcd stores in binary form are longer in JSON, but an
// object longer than 3 MiB, the API server's limit for a request, is rejected by etcd anyway: twice that is 6 MiB. The
// envelope (users, groups, names) comes from HTTP headers, of which the API server accepts 1 MiB. The sum equals
// controller-runtime's limit.
inline constexpr std::size_t kAdmissionBytes = std::size_t{7} << 20;

// The duration of an admission review: the largest timeoutSeconds of a webhook that the API server accepts.
inline constexpr std::chrono::seconds kAdmissionTime{30};

// Warnings of an admission response: the API server shows at most 4096 bytes of them.
inline constexpr std::size_t kAdmissionWarnings = 32;

// Distinct warnings of the API server that are logged, each once.
inline constexpr std::size_t kServerWarnings = 256;

// --max-concurrent-reconciles: more requests would only wait in the API server, in its default queue per user.
inline constexpr int kConcurrentReconciles = 1000;

// Runs that `manager schedule` prints: a year of minutes is half of it.
inline constexpr std::uint64_t kScheduleRuns = 1'000'000;

// Operations of a JSON patch: the API server's limit (maxJSONPatchOperations).
inline constexpr std::size_t kJsonPatchOperations = 10000;

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

// keelson-sandbox --data: pages of 4 KiB that the WAL collects before they are copied to the file, which happens on the
// loop, and the size to which the WAL is truncated after a large transaction.
inline constexpr std::size_t kSandboxWalPages = 1000;
inline constexpr std::size_t kSandboxWalBytes = std::size_t{8} << 20;

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

// The JSON of all objects that a plan copies. The copy takes about three times as much memory.
inline constexpr std::size_t kPlanBytes = std::size_t{512} << 20;

// Writes of a plan: a controller that writes more in the few minutes of a plan never settles.
inline constexpr std::size_t kPlanWrites = 100'000;

// The name of an operator: with the longest suffix of a label (-webhook-server-cert) it stays below Kubernetes' limit
// of 63.
inline constexpr std::size_t kOperatorNameBytes = 40;

// The file of --config: far more than all flags with long values.
inline constexpr std::size_t kConfigFileBytes = std::size_t{1} << 20;

// Keys that a channel stores for a controller that does not run yet. If there are more, the controller reconciles every
// object when it starts.
inline constexpr std::size_t kChannelKeys = 10'000;

}  // namespace keelson::limits
