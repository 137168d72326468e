// The API server in one process: the test double of `kube::Client`, the simulated cluster, and `keelson-sandbox`.
//
// It stores objects as kube-apiserver does: one counter of resourceVersions, optimistic locking, server-side apply with
// field ownership, the subresources status and scale, finalizers, and watches with bookmarks and 410. A garbage
// collector and the controllers of Deployments, ReplicaSets, Pods, Jobs and other kinds run on the clock that is passed
// in, each after a small delay. Every reply and Status has the text of Kubernetes 1.36. The namespaces default,
// kube-system and kube-public exist from the start.
//
// To test the controllers of an operator, use simulated_cluster.hpp, which runs them on this server.
//
// Example (test/examples/sandbox.cpp#api_server):
//   // A create whose reply is lost: the client gets a broken connection, but the object is stored.
//   std::size_t objects_after_lost_reply() {
//     sandbox::loop::TestLoop loop;
//     base::Random random(1);
//     sandbox::ApiServer server(loop.clock(), random);
//     server.before_write([](const sandbox::RequestInfo&) { return sandbox::WriteFate::kReplyLost; });
//     loop.run([&]() -> boost::asio::awaitable<void> {
//       const std::string hello = R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hello"}})";
//       auto created = co_await kube::create(server.client("alice"), kube::config_maps(), "default", hello);
//       if (created) throw std::runtime_error("the reply is not lost");
//     });
//     return server.objects(kube::config_maps()).size();
//   }
//
// Ownership: the server owns its objects and its clients. Clock, Random and all that ApiServerOptions points to must
// outlive it; it must outlive its clients, their streams, and its handler().
//
// Threads: the server runs on one loop and is not thread-safe. Its methods do not wait: they take effect immediately.
//
// Cancellation: a request that is canceled before it is executed (on its way, or during a call of a webhook) has no
// effect. Later only its reply is lost.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/controller/policy_rule.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/sandbox/chaos.hpp"
#include "keelson/detail/sandbox/journal.hpp"
#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/detail/sandbox/webhook_call.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "keelson/detail/tls/signing_key.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::sandbox {

// A request, for predicates, observers and log().
struct RequestInfo {
  std::string user;  // the name; user_named() has its groups
  kube::Verb verb = kube::Verb::kGet;
  kube::Resource resource;
  kube::Key key;            // the name is empty for lists, and for creates, whose name is in the body
  std::string subresource;  // "status", "scale", …; empty: the object itself
  bool is_apply = false;    // a patch of type server-side apply
  bool is_dry_run = false;  // a write that stores nothing
  int code = 0;             // the HTTP status of the reply; 0: not answered yet, or failed without a status

  [[nodiscard]] bool is_write() const { return verb >= kube::Verb::kCreate; }
};
using RequestPredicate = std::function<bool(const RequestInfo&)>;
using WarningObserver = std::function<void(const RequestInfo& request, const std::string& warning)>;
// `before` is nullopt for a creation, `after` for the removal of an object.
using WriteObserver = std::function<void(const kube::Resource& resource, const std::optional<kube::Object>& before,
                                         const std::optional<kube::Object>& after)>;

// The effect of before_write() on a write.
enum class WriteFate {
  kProceeds,
  kLost,       // not executed and not in log(): the client gets a broken connection
  kReplyLost,  // executed, but the client gets a broken connection
};

// Authorization of users, as --authorization-mode of kube-apiserver: everything is allowed, or roles and bindings
// decide.
enum class Authorization { kAlwaysAllow, kRbac };

struct ApiServerOptions {
  // The maximum latency in each direction; each request and reply takes a random part of it. In-memory clients only.
  async::Duration latency = std::chrono::milliseconds(2);
  // The time from a change until the controllers act on it, and from the creation of a pod until it runs.
  async::Duration controller_delay = std::chrono::milliseconds(20);
  async::Duration pod_start = std::chrono::milliseconds(300);
  // The run time of a Job is random between these two, and a `job_failure` share (0 to 1) of all Jobs fails. Jobs have
  // pods only with `has_cluster_objects`; then these options apply to the pods.
  async::Duration job_shortest = std::chrono::seconds(1);
  async::Duration job_longest = std::chrono::seconds(1);
  double job_failure = 0;
  async::Duration bookmark_period = std::chrono::seconds(60);  // between two bookmarks of a watch
  // The controllers of Deployments, ReplicaSets, Pods, Jobs, …. The garbage collector runs without them, too.
  bool has_controllers = true;
  // The clock of the controllers and the garbage collector; it must outlive the server. Null: the server's own clock.
  async::Clock* controller_clock = nullptr;
  // Creates the objects of a new cluster: the namespace kube-node-lease and the Service kubernetes; with controllers
  // also the Node node-1, and the ServiceAccount default and the ConfigMap kube-root-ca.crt in each namespace. Also
  // enables what a simulation does not need: controllers record Events, which expire; Jobs have pods; Services have
  // Endpoints; admission plugins complete new pods.
  bool has_cluster_objects = false;
  bool ignores_rules = false;  // x-kubernetes-validations of CRDs are neither compiled nor evaluated
  std::string root_ca_pem;     // the content of kube-root-ca.crt
  bool has_log = true;         // log() and count() work: for tests
  // Stores the objects outside of the process; it must outlive the server, which is empty until resume(). Null: the
  // objects are lost with the server.
  Journal* journal = nullptr;
  // With kRbac the server has the default ClusterRoles and ClusterRoleBindings of Kubernetes (cluster-admin, admin,
  // edit, view, …). The groups of an in-memory client are those of user_named().
  Authorization authorization = Authorization::kAlwaysAllow;
  // Returns the user of a bearer token, or nullopt: the request gets 401. Empty: every token is the name of its user.
  std::function<std::optional<UserInfo>(const std::string& token)> user_of_token = {};
  // Signs the tokens of ServiceAccounts, which are accepted in addition to those of user_of_token. Nullopt: the server
  // creates a key with the first token, so that tokens do not survive the server.
  std::optional<tls::SigningKey> token_key = {};
  // Authenticates clients by the certificates that it signed (net::Request::client_certificates), and signs approved
  // CertificateSigningRequests. Nullopt: certificates are ignored.
  std::optional<tls::ClientAuthority> client_authority = {};
  // Injected failures from the start; ApiServer::set_chaos() changes them.
  ChaosOptions chaos = {};
  // Receives a line of the audit log (an Event of audit.k8s.io/v1 as JSON) for each answered HTTP request, and for each
  // watch that begins. Empty: no audit log.
  std::function<void(const std::string& line)> audit = {};
  // Calls the configured webhooks. Empty: over HTTPS. In a SimulatedCluster and in Replicas, empty means that the
  // manager answers at its own address, and that no other address exists.
  WebhookTransport webhooks = {};
};

class ApiServer {
 public:
  ApiServer(async::Clock& clock, base::Random& random, ApiServerOptions options = {});
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;
  ~ApiServer();

  // Loads the objects of ApiServerOptions::journal, creates the missing objects of a new cluster, and lets the
  // controllers continue. Call it once, before the first request. resourceVersions continue, too; watches from older
  // versions get 410. Fails if an object cannot be read or written.
  [[nodiscard]] Result<void> resume();

  // The in-memory client of this user (user_named), without HTTP. Each user has one, which lives as long as the server.
  [[nodiscard]] kube::Client& client(const std::string& user);

  // The server as a handler of net::HttpServer. The bearer token determines the user, or
  // before it a valid client certificate. A request without a token is
  // system:anonymous, which is authorized like other users under kRbac, and without ApiServerOptions::user_of_token.
  // Otherwise it gets 401, except for /healthz, /livez, /readyz and /version. `Impersonate-` headers are supported.
  [[nodiscard]] net::Handler handler();

  // Serves a custom kind from now on, as the creation of its CustomResourceDefinition does.
  void serve(const kube::Kind& kind);

  // Creates an object as the server itself: without authorization, webhooks, chaos and an entry in log(). With
  // ApiServerOptions::journal, only after resume(). `json` is one JSON object; the errors are those of a create.
  [[nodiscard]] Result<void> add_object(const kube::Resource& resource, const std::string& ns, std::string_view json);

  // The next matching request fails with this error and is not executed. Each call is for one request.
  void fail_next(RequestPredicate fits, Error error);
  // Matching requests get 403, with the text of kube-apiserver, until the handle is dropped.
  [[nodiscard]] std::shared_ptr<void> forbid(RequestPredicate fits);
  // Restricts this user to these rules, in all namespaces, and to what every user may do (discovery, access reviews of
  // itself). Other requests get 403, with the text of kube-apiserver.
  void allow_only(const std::string& user, const std::vector<controller::PolicyRule>& rules);
  // `decide` is called before every write of a client. An empty function removes it.
  void before_write(std::function<WriteFate(const RequestInfo&)> decide);

  // Injects failures and delays into all requests of clients from now on, and breaks watches, open ones too;
  // ChaosOptions() ends it. Over HTTP, /healthz, /livez and /readyz are exempt, and members of system:masters read and
  // change the options with GET and PUT of /sandbox/chaos.
  void set_chaos(const ChaosOptions& options);

  // `callback` is called after every write, of clients and of the server's controllers. An empty function removes it.
  void after_write(WriteObserver callback);
  // Within the function of after_write: the client's request that caused the write. Null: a controller of the server
  // caused it.
  [[nodiscard]] const RequestInfo* current_request() const;

  // `callback` is called for each warning to an in-memory client ("unknown field …"); a client over HTTP gets it in a
  // header of the reply. An empty function removes it, and the server then does not check for warnings.
  void on_warning(WarningObserver callback);

  // Breaks the connection of every watch. Events that the client has not read are lost with it.
  void drop_watches();
  // Ends every watch cleanly, and each later one after its first events: for a server that is about to stop.
  void end_watches();
  // Discards all history: watches and lists from an older version get 410, and so do continue tokens.
  void compact();
  // All objects in their current state, for restore(). Immutable, independent of the server's lifetime.
  class Backup;
  [[nodiscard]] std::shared_ptr<const Backup> backup() const;
  // Restores a backup as `etcdutl snapshot restore --bump-revision --mark-compacted` does: objects have their former
  // versions, the next version is higher by `raised_by`, the history is discarded, and every watch breaks. Not for a
  // server with a journal (assertion).
  void restore(const Backup& backup, std::uint64_t raised_by = 1'000'000'000);
  // Pods with an image for which `works` returns false never become ready.
  void image_works(std::function<bool(const std::string& image)> works);

  // Answered requests of clients since the start or the last clear_log(), in the order of their replies, without
  // discovery. After limits::kSandboxRequests (200,000) further ones are not recorded.
  [[nodiscard]] const std::vector<RequestInfo>& log() const;
  [[nodiscard]] std::size_t count(const RequestPredicate& fits) const;
  void clear_log();

  // The highest resourceVersion given so far.
  [[nodiscard]] std::uint64_t resource_version() const;
  // The stored objects of a kind, by namespace and name, without a client and its latency. Empty for an unknown kind.
  [[nodiscard]] std::vector<kube::Object> objects(const kube::Resource& resource) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keelson::sandbox
