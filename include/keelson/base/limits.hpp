// Every limit of things that can grow, in one place, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace keelson::limits {

// JSON nested deeper than this is refused. A bound of our own, far beyond real objects: RapidJSON's recursion would end
// the process long after it.
inline constexpr std::size_t kJsonDepth = 128;

// One object: etcd refuses requests over 1.5 MiB, and JSON may spell one byte of them as six.
inline constexpr std::size_t kObjectBytes = std::size_t{12} << 20;

// One line of a watch stream: an event is an object and a few bytes around it.
inline constexpr std::size_t kWatchLineBytes = kObjectBytes + 4096;

// A reply that is read whole (everything but lists and watches of a cache).
inline constexpr std::size_t kReplyBytes = std::size_t{64} << 20;

// The envelope of a list, all but its items.
inline constexpr std::size_t kListEnvelopeBytes = std::size_t{64} << 10;

// HTTP headers of one message in memory, either way (Go's server takes 1 MiB, no real proxy sends 64 KiB).
inline constexpr std::size_t kHeaderBytes = std::size_t{64} << 10;

// One read from a socket: a TLS record is at most 16 KiB, a larger buffer gains nothing.
inline constexpr std::size_t kReadBytes = std::size_t{16} << 10;

// What TLS takes from a socket at once, four records; given back when nothing waits to be read.
inline constexpr std::size_t kTlsReadBytes = std::size_t{64} << 10;

// Decoding hands the loop back after so many bytes, so that no list delays a probe.
inline constexpr std::size_t kDecodeSliceBytes = std::size_t{256} << 10;

// Idle connections kept for reuse (client-go: MaxIdleConnsPerHost 25), and requests at once, streams apart.
inline constexpr std::size_t kIdleConnections = 25;
inline constexpr std::size_t kConnections = 256;

// Streams at once, each with a connection for its whole life: a watch a kind and namespace. More fail at once.
inline constexpr std::size_t kStreams = 4096;

// Requests that wait for one of those connections; more fail at once.
inline constexpr std::size_t kWaitingRequests = 4096;

// What all HTTP servers of one process hold together (net/server_budget.hpp): 87 MiB of the deployed limit of 128 MiB.
// The rest is for the program (15 MiB), the caches of a small cluster and what malloc wastes.
//
// Connections: each of the three servers has some to itself, so that an attack on one never keeps probes, scrapes or
// reviews out of the others; the rest is shared. An idle one over TLS takes 24 KiB (measured with mallinfo2 on 200
// connections: OpenSSL's state 14 KiB, the rest socket, session and coroutine frames): 384 of them are 9 MiB.
inline constexpr std::size_t kServerOwnConnections = 32;
inline constexpr std::size_t kServerSharedConnections = 288;

// Bytes that connections hold beyond that: handshakes, headers and bodies that are not complete, requests that are
// being answered and replies that are not sent yet. Four of the largest objects that etcd stores, each in its old and
// its new form.
inline constexpr std::size_t kServerHeldBytes = std::size_t{14} << 20;

// What one large admission review reserves (webhook::kLargeReviewBytes): what the most expensive one allocates, two
// described specs of webhook::kSpecMemoryBytes and what their lists waste while they grow. Only one is processed at a
// time.
inline constexpr std::size_t kServerLargeWorkBytes = std::size_t{48} << 20;

// What all small ones reserve together (webhook::small_review_memory): some ten reviews of 4 KiB by a defaulter at
// once, or thirty by a validator.
inline constexpr std::size_t kServerSmallWorkBytes = std::size_t{16} << 20;

// The bearer token of a visitor of a guarded endpoint: one of a service account is 1 KiB, one of a company's identity
// provider with all groups in it some more.
inline constexpr std::size_t kBearerTokenBytes = std::size_t{16} << 10;

// What the guard remembers of good tokens, bad ones, permissions and denials, for each of the five. Scrapers are a
// handful; each kind has its own, so that tokens that somebody makes up push out no good one.
inline constexpr std::size_t kRememberedAnswers = 1024;
inline constexpr std::size_t kRememberedAnswerBytes = std::size_t{1} << 20;

// The guard's reviews under way at once: random tokens must not use up the connections that controllers need. And the
// longest that one may take, with waiting for its turn and all tries.
inline constexpr std::size_t kReviewsAtOnce = 16;
inline constexpr std::chrono::seconds kReviewTime{10};

// Requests that wait for reviews, half of what a server has connections for: while the API server is away, unknown
// tokens must leave room for those that the guard remembers.
inline constexpr std::size_t kRequestsAwaitingReview = (kServerOwnConnections + kServerSharedConnections) / 2;

// Kubeconfig and other small local files.
inline constexpr std::size_t kLocalFileBytes = std::size_t{8} << 20;

// What an exec plugin may write: a token or a certificate with its chain takes some KiB. And the longest it may take,
// with someone at the terminal who has to log in and without.
inline constexpr std::size_t kPluginBytes = std::size_t{1} << 20;
inline constexpr std::chrono::minutes kPluginTimeAtTerminal{10};
inline constexpr std::chrono::seconds kPluginTime{60};

// Lines of standard error that are told of one run of a plugin: one told to explain itself writes some dozens. The end
// is kept anyway.
inline constexpr std::size_t kToldErrorLines = 100;

// Reasons kept per queued key; more are counted, not kept.
inline constexpr std::size_t kReasonsPerKey = 4;

// Different sets of reasons in one queue at a time: kinds times events make some dozens.
inline constexpr std::size_t kReasonSets = 1000;

// Priorities with a series of their own in workqueue_depth, as in controller-runtime.
inline constexpr std::size_t kPriorityLabels = 25;

// Events (the API's kind) that wait to be sent, and objects and series an event recorder remembers (client-go).
inline constexpr std::size_t kQueuedEvents = 1000;
inline constexpr std::size_t kRememberedEvents = 4096;

// Bytes of an Event's note and reportingInstance: what the API server takes.
inline constexpr std::size_t kEventNoteBytes = 1024;
inline constexpr std::size_t kReportingInstanceBytes = 128;

// Children of one metric family; a label value that runs wild must not take the memory of the process.
inline constexpr std::size_t kLabelSetsPerFamily = 1000;

// One log line: container runtimes cut lines at 16 KiB, and half a JSON object is of no use to anyone.
inline constexpr std::size_t kLogLineBytes = std::size_t{16} << 10;

// One value of a log line, so that one long text cannot push out the others.
inline constexpr std::size_t kLogValueBytes = std::size_t{4} << 10;

// Messages whose rate is counted for sampling; they are constants, so there are fewer.
inline constexpr std::size_t kSampledMessages = 1024;

// Uids of objects that this process deleted and whose DELETED event has not come yet.
inline constexpr std::size_t kOwnDeletions = 1024;

// Jobs that a CronJob's status lists as active; it counts all of them.
inline constexpr std::size_t kActiveReferences = 1000;

// Words of one Hikawa's song. Each ends it with a chance of 1 in 64, so that 10,000 are never reached but by mistake.
inline constexpr std::int64_t kZundokos = 10'000;

// Refusals told about one object: a reader mends the first few, and a list of a million bad entries must not explode.
inline constexpr std::size_t kFieldErrors = 100;

// One admission request. An object that etcd stores has at most 1.5 MiB, and the API server sends custom resources as
// it stores them: the old and the new object are 3 MiB. Kinds that etcd stores in binary form are longer in JSON, and
// nothing but an object that etcd rejects anyway is longer than 3 MiB, the API server's limit for a request: twice that
// is 6 MiB. The envelope (users, groups, names) comes from HTTP headers, of which the API server takes 1 MiB. Together
// it is controller-runtime's limit.
inline constexpr std::size_t kAdmissionBytes = std::size_t{7} << 20;

// The longest a review may take: what the API server takes as a webhook's timeoutSeconds.
inline constexpr std::chrono::seconds kAdmissionTime{30};

// Warnings of one admission answer: the API server shows 4096 bytes of them in sum.
inline constexpr std::size_t kAdmissionWarnings = 32;

// Different warning texts of the API server that are logged, each once.
inline constexpr std::size_t kServerWarnings = 256;

// --max-concurrent-reconciles: more than the API server's default queue for one user would only wait there.
inline constexpr int kConcurrentReconciles = 1000;

// Runs that `manager schedule` prints: a year of minutes, and nobody reads more.
inline constexpr std::uint64_t kScheduleRuns = 1'000'000;

// Operations of one JSON patch, as the API server limits them (maxJSONPatchOperations).
inline constexpr std::size_t kJsonPatchOperations = 10000;

// Stored objects of which the sandbox keeps a tree beside the JSON: 5 to 20 KB each.
inline constexpr std::size_t kSandboxTrees = 2048;

// Writes that the sandbox remembers for watches, requests in its log, list pages kept, bytes a watch may lag behind.
inline constexpr std::size_t kSandboxHistory = 20000;
inline constexpr std::size_t kSandboxEvents = 10'000;  // of controllers; then the oldest goes
inline constexpr std::size_t kSandboxRequests = 200000;
inline constexpr std::size_t kSandboxPages = 64;
inline constexpr std::size_t kSandboxWatchBytes = std::size_t{256} << 20;

// Bytes of a list or of a watch's first events that are rendered in one turn of the loop, and objects that are examined
// between two reads of the clock: other requests then wait for a piece of a long list and not for all of it.
inline constexpr std::size_t kSandboxPieceBytes = std::size_t{64} << 10;
inline constexpr std::size_t kSandboxObjectsAtOnce = 256;

// keelson-sandbox --data: pages of 4 KiB that the WAL collects until they are copied to the file, which happens on the
// loop, and the bytes that the WAL keeps on disk after a large transaction.
inline constexpr std::size_t kSandboxWalPages = 1000;
inline constexpr std::size_t kSandboxWalBytes = std::size_t{8} << 20;

// What keelson-sandbox takes over HTTPS. One request: kube-apiserver's limit. Connections: a watch is one, and a
// thousand watches are a large test. Bytes that connections hold: replies on their way to slow clients, mostly lists.
inline constexpr std::size_t kSandboxBodyBytes = std::size_t{3} << 20;
inline constexpr std::size_t kSandboxConnections = 4096;
inline constexpr std::size_t kSandboxHeldBytes = std::size_t{512} << 20;

// Writes of roles and bindings under RBAC: permissions that one may grant, and comparisons with those of its user.
inline constexpr std::size_t kSandboxGrantedPermissions = 10'000;
inline constexpr std::size_t kSandboxPermissionComparisons = 20'000'000;

// Calls of webhooks that the sandbox has in progress: kube-apiserver's limit of writes in flight. Bytes of a reply: a
// patch of the largest object, in base64. Clients with kept connections, one for each origin and authority. Runs of one
// write whose object keeps changing while its webhooks are called.
inline constexpr std::size_t kSandboxWebhookCalls = 200;
inline constexpr std::size_t kSandboxWebhookReplyBytes = std::size_t{6} << 20;
inline constexpr std::size_t kSandboxWebhookClients = 64;
inline constexpr int kSandboxWriteRuns = 32;

// The JSON of all objects that a plan copies. The copy takes about three times as much memory: as text, and as stored.
inline constexpr std::size_t kPlanBytes = std::size_t{512} << 20;

// Writes of one plan; a controller that writes more in its few minutes never settles.
inline constexpr std::size_t kPlanWrites = 100'000;

// The name of an operator: with the longest suffix of a label (-webhook-server-cert) it stays below the 63 of
// Kubernetes.
inline constexpr std::size_t kOperatorNameBytes = 40;

// The file of --config: far more than all flags with the longest values that make sense.
inline constexpr std::size_t kConfigFileBytes = std::size_t{1} << 20;

// Keys that a channel stores for a controller that does not run yet. With more the controller reconciles every object
// instead when it starts.
inline constexpr std::size_t kChannelKeys = 10'000;

}  // namespace keelson::limits
