// The API server in one process: the test double, the simulated world, and what the `sandbox` program serves.
//
// It keeps objects as the real one does: one counter of resourceVersions, optimistic locks, server-side apply with
// owners of fields, status and scale, finalizers, watches with bookmarks and 410. Beside it work a garbage collector
// and the controllers that turn Deployments into ReplicaSets and running Pods and that end Jobs, on the clock that is
// passed in, each after a small delay. Every answer and Status is worded as Kubernetes 1.36 words it.
//
// All on one loop; calls of the hooks take effect at once. Must outlive its clients and their streams.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/random.hpp"
#include "keelson/controller/policy_rule.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/kind.hpp"
#include "keelson/net/http_server.hpp"
#include "keelson/net/signing_key.hpp"
#include "keelson/sandbox/chaos.hpp"
#include "keelson/sandbox/journal.hpp"
#include "keelson/sandbox/user_info.hpp"
#include "keelson/sandbox/webhook_call.hpp"

namespace keelson::sandbox {

// One request as the log keeps it and predicates see it.
struct RequestInfo {
  std::string user;
  kube::Verb verb = kube::Verb::kGet;
  kube::Resource resource;
  kube::Key key;
  std::string subresource;
  bool is_apply = false;
  int code = 0;  // once it is answered; 0 when no answer came

  [[nodiscard]] bool is_write() const { return verb >= kube::Verb::kCreate; }
};
using RequestPredicate = std::function<bool(const RequestInfo&)>;
using WarningObserver = std::function<void(const RequestInfo& request, const std::string& warning)>;
using WriteObserver = std::function<void(const kube::Resource& resource, const std::optional<kube::Object>& before,
                                         const std::optional<kube::Object>& after)>;

// What becomes of a write whose time has come.
enum class WriteFate {
  kProceeds,
  kLost,       // never arrived: the client sees a broken connection
  kReplyLost,  // done, but the client sees a broken connection
};

// What users may do: everything, or what roles and bindings say (--authorization-mode of kube-apiserver).
enum class Authorization { kAlwaysAllow, kRbac };

struct ServerOptions {
  // From the client to the server and back, each way up to this long (in-memory clients only).
  async::Duration latency = std::chrono::milliseconds(2);
  // Controllers act this long after what they react to; a pod runs so long after it was made.
  async::Duration controller_delay = std::chrono::milliseconds(20);
  async::Duration pod_start = std::chrono::milliseconds(300);
  // A Job is done so long after it was made, picked between these; this share of them fails. No pods are made of it,
  // but in a whole cluster (has_cluster_objects), where this says so of its pods.
  async::Duration job_shortest = std::chrono::seconds(1);
  async::Duration job_longest = std::chrono::seconds(1);
  double job_failure = 0;
  async::Duration bookmark_period = std::chrono::seconds(60);
  bool has_controllers = true;  // Deployments, ReplicaSets, Pods, Jobs; the garbage collector always works
  // What controllers and the garbage collector wait by; it must outlive the server. Null: the server's own clock.
  async::Clock* controller_clock = nullptr;
  // The objects that a new cluster has: the namespace kube-node-lease and the Service kubernetes; with controllers also
  // the Node node-1, and the ServiceAccount default and the ConfigMap kube-root-ca.crt in each namespace. And what else
  // a whole cluster does, which a simulation can do without: controllers record Events, which expire; Jobs have pods;
  // Services have Endpoints; new pods get what admission plugins add.
  bool has_cluster_objects = false;
  bool ignores_rules = false;  // x-kubernetes-validations of definitions are neither compiled nor evaluated
  std::string root_ca_pem;     // what is in kube-root-ca.crt
  bool has_log = true;         // log() and count(): for tests
  // Where objects outlive the process; it must outlive the server, which is empty until resume(). Null: nowhere.
  Journal* journal = nullptr;
  // With kRbac the server has the ClusterRoles and bindings that Kubernetes creates for users (cluster-admin, admin,
  // edit, view, …). In-memory clients have the groups that user_named() says.
  Authorization authorization = Authorization::kAlwaysAllow;
  // Whose bearer token that is, nobody's if nothing: requests with such a token get 401. Null: every token is the name
  // of its user.
  std::function<std::optional<UserInfo>(const std::string& token)> user_of_token = {};
  // What signs the tokens of ServiceAccounts, which pass next to those of user_of_token. Nothing: a new key, which is
  // made with the first token.
  std::optional<net::SigningKey> token_key = {};
  // From the start; ApiServer::set_chaos() changes it.
  ChaosOptions chaos = {};
  // Gets a line of the audit log (an Event of audit.k8s.io/v1 as JSON) for each request over HTTP that is answered, and
  // for each watch that begins. Empty: nobody does.
  std::function<void(const std::string& line)> audit = {};
  // Calls the webhooks that are configured. Empty: over HTTPS. In a SimulatedCluster and in Replicas, empty means that
  // the manager answers at its own address, and that no other address exists.
  WebhookTransport webhooks = {};
};

class ApiServer {
 public:
  ApiServer(async::Clock& clock, base::Random& random, ServerOptions options = {});
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;
  ~ApiServer();

  // With ServerOptions::journal, once and before the first request: loads what is stored, creates what a new cluster
  // has and this one does not, and lets the controllers continue. Versions continue too; watches from older ones get
  // 410. Fails when an object cannot be read or written.
  [[nodiscard]] Result<void> resume();

  // A client that asks as this user (user_named), in memory. One for each user; it lives as long as the server.
  [[nodiscard]] kube::Client& client(const std::string& user);

  // The same server for net::HttpServer. A request is by the user of its bearer token; without one by
  // system:anonymous, who under kRbac may do what roles say, and else gets 401 but for /healthz, /livez, /readyz and
  // /version. `Impersonate-` headers are obeyed.
  [[nodiscard]] net::Handler handler();

  // Serves a custom kind from now on, as a CustomResourceDefinition that is created does too.
  void serve(const kube::Kind& kind);

  // Creates an object as the server itself: without authorization, webhooks, chaos and a request in log(). With
  // ServerOptions::journal, only after resume(). Fails as a create does.
  [[nodiscard]] Result<void> add_object(const kube::Resource& resource, const std::string& ns, std::string_view json);

  // The next request that fits fails with this error and is not done.
  void fail_next(RequestPredicate fits, Error error);
  // Until the handle is dropped, requests that fit are refused: 403 in the API server's words.
  [[nodiscard]] std::shared_ptr<void> forbid(RequestPredicate fits);
  // From now on this user may do what these rules say, in all namespaces, and what every user may (discovery, access
  // reviews of itself); everything else is refused: 403 in the API server's words.
  void allow_only(const std::string& user, const std::vector<controller::PolicyRule>& rules);
  // Asked before every write by a client; an empty function ends it.
  void before_write(std::function<WriteFate(const RequestInfo&)> decide);

  // Requests of clients that are allowed fail and are late from now on, and watches break, those that are open too;
  // ChaosOptions() ends it. Over HTTP, /healthz, /livez and /readyz stay as they are, and a member of system:masters
  // reads and sets it by GET and PUT of /sandbox/chaos.
  void set_chaos(const ChaosOptions& options);

  // Told of every write that was done, by whomever: what was there before and after. An empty function ends it.
  void after_write(WriteObserver tell);
  // While after_write's function runs: the client's request that made the write. Null: the cluster did it on its own.
  [[nodiscard]] const RequestInfo* current_request() const;

  // Told of each warning that a client in memory gets ("unknown field …"), as a client over HTTP reads it in a header
  // of the reply. An empty function ends it, and the server looks for none.
  void on_warning(WarningObserver tell);

  // Ends every watch, in the middle of whatever it was saying.
  void drop_watches();
  // Ends every watch in order, also those that are opened from now on: for a server that is about to stop.
  void end_watches();
  // Forgets all history: watches and lists that start from an older version get 410.
  void compact();
  // All objects as they are now, for restore().
  class Backup;
  [[nodiscard]] std::shared_ptr<const Backup> backup() const;
  // Puts back what the backup has, as `etcdutl snapshot restore --bump-revision --mark-compacted` does: objects have
  // the versions that they had, new ones are higher by `raised_by`, history is forgotten and every watch breaks. Not
  // for a server with a journal.
  void restore(const Backup& backup, std::uint64_t raised_by = 1'000'000'000);
  // Pods of images for which this says no never become ready.
  void image_works(std::function<bool(const std::string& image)> works);

  // Every request since the start, or the last clear_log().
  [[nodiscard]] const std::vector<RequestInfo>& log() const;
  [[nodiscard]] std::size_t count(const RequestPredicate& fits) const;
  void clear_log();

  [[nodiscard]] std::uint64_t resource_version() const;
  // What is stored of a kind now, past any client.
  [[nodiscard]] std::vector<kube::Object> objects(const kube::Resource& resource) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keelson::sandbox
