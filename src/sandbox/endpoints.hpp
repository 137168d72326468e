// Dispatches every request, in memory or over HTTP, to the function of its verb and kind.
#pragma once

#include <memory>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "src/sandbox/admission/admission.hpp"
#include "src/sandbox/authentication/authentication.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/controllers/api_services.hpp"
#include "src/sandbox/controllers/definition_deletion.hpp"
#include "src/sandbox/controllers/definition_status.hpp"
#include "src/sandbox/controllers/event_expiry.hpp"
#include "src/sandbox/controllers/garbage_collector.hpp"
#include "src/sandbox/controllers/namespace_deletion.hpp"
#include "src/sandbox/controllers/new_cluster.hpp"
#include "src/sandbox/controllers/role_aggregation.hpp"
#include "src/sandbox/controllers/served_status.hpp"
#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/faults/chaos.hpp"
#include "src/sandbox/faults/hooks.hpp"
#include "src/sandbox/storage/committer.hpp"
#include "src/sandbox/storage/world.hpp"
#include "src/sandbox/verbs/deletes.hpp"
#include "src/sandbox/verbs/reads.hpp"
#include "src/sandbox/verbs/reviews.hpp"
#include "src/sandbox/verbs/writes.hpp"

namespace keelson::sandbox {

class Endpoints {
 public:
  Endpoints(async::Clock& clock, base::Random& random, const ApiServerOptions& options);
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  // The parts of a request that kube::ApiRequest lacks.
  struct Extras {
    bool is_strategic_patch = false;
    bool hears_warnings = false;
    RepeatedKeys repeated_keys = {};
    bool is_authorized = false;  // checked before its body was read
    std::vector<std::string>* warnings_of_rejection =
        nullptr;  // receives those of a rejected request, since an Error has none
  };
  // Executes the request with the hooks, and records it in the log. The client gets an Error instead of a reply.
  [[nodiscard]] Result<Answer> answer(const UserInfo& user, const kube::ApiRequest& request, Extras extras);
  [[nodiscard]] Result<Answer> answer(const UserInfo& user, const kube::ApiRequest& request) {
    return answer(user, request, Extras());
  }
  // Whether the request may need webhooks. answer_later() calls them, while other requests are answered; answer() does
  // not.
  [[nodiscard]] bool may_wait(const kube::ApiRequest& request);
  [[nodiscard]] Task<Answer> answer_later(UserInfo user, kube::ApiRequest request, Extras extras);
  // Whether list() can answer the request: a list whose kind is served as it is stored.
  [[nodiscard]] bool is_plain_list(const kube::ApiRequest& request) const;
  // A list that is not yet rendered. Other requests are answered while it is collected.
  [[nodiscard]] Task<Answer> list(UserInfo user, kube::ApiRequest request, Extras extras);
  // `initial` holds the objects that the watch begins with; without it, they are collected at once.
  [[nodiscard]] Result<std::shared_ptr<Watcher>> watch(const UserInfo& user, const kube::ApiRequest& request,
                                                       Extras extras, std::optional<Snapshot> initial = std::nullopt);
  // The same watch. Other requests are answered while its first objects are collected.
  [[nodiscard]] Task<std::shared_ptr<Watcher>> watch_later(UserInfo user, kube::ApiRequest request, Extras extras);

  // The warning for clients of a deprecated version; empty: it is not deprecated.
  [[nodiscard]] std::string deprecation_of(const kube::Resource& resource) const;

  // The injected delay and failure of a request. A failure replaces the reply, and is recorded in the log.
  [[nodiscard]] Chaos::Disturbance disturb(const UserInfo& user, const kube::ApiRequest& request);
  void set_chaos(const ChaosOptions& options);

  // See ApiServer::add_object().
  [[nodiscard]] Result<void> add(const kube::Resource& resource, const std::string& ns, Tree object);

  void tell_controllers(const Change& change);
  // See ApiServer::resume().
  [[nodiscard]] Result<void> resume();

  World world;
  Authentication authentication;
  Authorizer authorizer;
  Hooks hooks;
  Chaos chaos;
  Committer committer;
  Reads reads;
  Writes writes;
  Deletes deletes;
  GarbageCollector garbage_collector;
  NamespaceDeletion namespace_deletion;
  Workloads workloads;
  NewCluster new_cluster;
  RoleAggregation role_aggregation;
  DefinitionStatus definition_status;
  DefinitionDeletion definition_deletion;
  ServedStatus served_status;
  ApiServices api_services;
  Admission admission;
  std::unique_ptr<EventExpiry> event_expiry;  // null: Events do not expire

 private:
  void create_cluster_objects();
  void create_bootstrap_roles();
  void listen_to_store();
  [[nodiscard]] Result<void> load(const Journal::Row& row);
  // Lets the controllers reconcile everything: at the start, and after the journal rejected a write of theirs.
  void tell_controllers_all();

  Journal* journal_;
  bool has_cluster_objects_;
  std::unique_ptr<async::Timer> retry_;

  // The decisions of the hooks about a request, before it is executed.
  struct Begun {
    UserInfo user;
    RequestInfo info;
    std::optional<Error> failure;
    WriteFate fate = WriteFate::kProceeds;
  };
  [[nodiscard]] Begun begin(const UserInfo& user, const kube::ApiRequest& request);
  // The call that the request describes, or the rejection if it is not allowed.
  [[nodiscard]] RejectionOr<Call> allowed_call(const Begun& begun, const kube::ApiRequest& request, Extras extras);
  [[nodiscard]] RejectionOr<Answer> attempt(const Begun& begun, const kube::ApiRequest& request, Extras extras,
                                            AdmissionSession* session);
  [[nodiscard]] Result<Answer> finish(Begun begun, RejectionOr<Answer> outcome);
  [[nodiscard]] boost::asio::awaitable<RejectionOr<Answer>> attempt_later(const Begun& begun,
                                                                          const kube::ApiRequest& request,
                                                                          Extras extras, AdmissionSession& session);
  [[nodiscard]] RejectionOr<Call> call_of(const UserInfo& user, const kube::ApiRequest& request) const;
  [[nodiscard]] RejectionOr<Answer> dispatch(const Call& call);
  [[nodiscard]] RejectionOr<Answer> store(const Call& call);
};

// The error that a client returns for a rejection.
[[nodiscard]] Error as_error(const Rejection& rejected);

}  // namespace keelson::sandbox
