// Every verb of every kind behind one call: where a request ends up, whichever way it came.
#pragma once

#include <memory>
#include <string>

#include "keelson/sandbox/api_server.hpp"
#include "src/sandbox/admission/admission.hpp"
#include "src/sandbox/authentication.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/chaos.hpp"
#include "src/sandbox/committer.hpp"
#include "src/sandbox/controllers/event_expiry.hpp"
#include "src/sandbox/controllers/garbage_collector.hpp"
#include "src/sandbox/controllers/new_cluster.hpp"
#include "src/sandbox/controllers/role_aggregation.hpp"
#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/deletes.hpp"
#include "src/sandbox/hooks.hpp"
#include "src/sandbox/reads.hpp"
#include "src/sandbox/reviews.hpp"
#include "src/sandbox/world.hpp"
#include "src/sandbox/writes.hpp"

namespace keelson::sandbox {

class Endpoints {
 public:
  Endpoints(async::Clock& clock, base::Random& random, const ServerOptions& options);
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  // What the verbs of kube::Client do not have.
  struct Extras {
    bool is_strategic_patch = false;
    bool hears_warnings = false;
    bool is_authorized = false;                               // checked before its body was read
    std::vector<std::string>* warnings_of_refusal = nullptr;  // where they go, since an Error has none
  };
  // Logged; hooks have their say. An Error is what the client sees instead of an answer.
  [[nodiscard]] Result<Answer> answer(const UserInfo& user, const kube::ApiRequest& request, Extras extras);
  [[nodiscard]] Result<Answer> answer(const UserInfo& user, const kube::ApiRequest& request) {
    return answer(user, request, Extras());
  }
  // Whether webhooks may have a say. If so, answer_later() calls them, while other requests are answered; answer() does
  // not.
  [[nodiscard]] bool may_wait(const kube::ApiRequest& request);
  [[nodiscard]] boost::asio::awaitable<Result<Answer>> answer_later(UserInfo user, kube::ApiRequest request,
                                                                    Extras extras);
  // Whether list() can answer the request: a list whose kind is served as it is stored.
  [[nodiscard]] bool is_plain_list(const kube::ApiRequest& request) const;
  // A list that is not yet rendered. Other requests are answered while it is collected.
  [[nodiscard]] boost::asio::awaitable<Result<Answer>> list(UserInfo user, kube::ApiRequest request, Extras extras);
  // `initial` holds the objects that the watch begins with; without it, they are collected at once.
  [[nodiscard]] Result<std::shared_ptr<Watcher>> watch(const UserInfo& user, const kube::ApiRequest& request,
                                                       Extras extras, std::optional<Snapshot> initial = std::nullopt);
  // The same watch. Other requests are answered while its first objects are collected.
  [[nodiscard]] boost::asio::awaitable<Result<std::shared_ptr<Watcher>>> watch_later(UserInfo user,
                                                                                     kube::ApiRequest request,
                                                                                     Extras extras);

  // The warning for clients of the version; empty: it is not deprecated.
  [[nodiscard]] std::string deprecation_of(const kube::Resource& resource) const;

  // What chaos does to a request before it is answered; a failure is its answer, and is logged.
  [[nodiscard]] Chaos::Disturbance disturb(const UserInfo& user, const kube::ApiRequest& request);
  void set_chaos(const ChaosOptions& options);

  // As ApiServer::add_object().
  [[nodiscard]] Result<void> add(const kube::Resource& resource, const std::string& ns, Tree object);

  void tell_controllers(const Change& change);
  // As ApiServer::resume().
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
  Workloads workloads;
  NewCluster new_cluster;
  RoleAggregation role_aggregation;
  Admission admission;
  std::unique_ptr<EventExpiry> event_expiry;  // null: Events stay

 private:
  void create_cluster_objects();
  void create_bootstrap_roles();
  void listen_to_store();
  [[nodiscard]] Result<void> load(const Journal::Row& row);
  // The controllers reconcile everything: at the start, and after a write of theirs could not be stored.
  void tell_controllers_all();

  Journal* journal_;
  bool has_cluster_objects_;
  std::unique_ptr<async::Timer> retry_;

  // What the hooks say of a request, before anything is done.
  struct Begun {
    UserInfo user;
    RequestInfo info;
    std::optional<Error> failure;
    WriteFate fate = WriteFate::kProceeds;
  };
  [[nodiscard]] Begun begin(const UserInfo& user, const kube::ApiRequest& request);
  // The call that the request describes, or the rejection if it is not allowed.
  [[nodiscard]] Or<Call> allowed_call(const Begun& begun, const kube::ApiRequest& request, Extras extras);
  [[nodiscard]] Outcome attempt(const Begun& begun, const kube::ApiRequest& request, Extras extras,
                                AdmissionSession* session);
  [[nodiscard]] Result<Answer> finish(Begun begun, Outcome outcome);
  [[nodiscard]] boost::asio::awaitable<Outcome> attempt_later(const Begun& begun, const kube::ApiRequest& request,
                                                              Extras extras, AdmissionSession& session);
  [[nodiscard]] Or<Call> call_of(const UserInfo& user, const kube::ApiRequest& request) const;
  [[nodiscard]] Outcome dispatch(const Call& call);
  [[nodiscard]] Outcome store(const Call& call);
};

// What a client makes of a refusal.
[[nodiscard]] Error as_error(const Refusal& refused);

}  // namespace keelson::sandbox
