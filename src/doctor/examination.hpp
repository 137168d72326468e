// One run of all checks: it sends the requests of each area, and passes the replies to the check_*() functions of the
// area.
//
// The areas are in examine_*.cpp, in the order in which run() calls them. A later area uses what an earlier one has
// stored, such as the Deployment and its flags.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "keelson/access/manager_pages.hpp"
#include "keelson/controller/webhook_configurations.hpp"
#include "keelson/doctor/doctor.hpp"
#include "src/doctor/deployment.hpp"
#include "src/doctor/lease.hpp"
#include "src/doctor/permissions.hpp"
#include "src/doctor/reader.hpp"
#include "src/doctor/watches.hpp"

namespace keelson::doctor {

// Parameters of a list: the first objects, which are enough to find a problem.
[[nodiscard]] Query sample();
// The list of the endpoints of a Service.
[[nodiscard]] kube::ApiRequest slices_of(const std::string& ns, const std::string& service);
// A kind whose CustomResourceDefinition is missing has a finding, and so has a role that was just deleted.
void add_unless_missing(Area area, const Reading& reading, Findings& findings);

class Examination {
 public:
  Examination(kube::Client& client, async::Clock& clock, Examined examined, Report& report)
      : examined_(std::move(examined)), client_(client), reader_(client, clock), clock_(clock), report_(report) {}
  Examination(const Examination&) = delete;
  Examination& operator=(const Examination&) = delete;

  [[nodiscard]] boost::asio::awaitable<void> run();

 private:
  // Sets ended_ if no other check is possible.
  [[nodiscard]] boost::asio::awaitable<void> examine_server();
  [[nodiscard]] boost::asio::awaitable<void> examine_deployment();
  // Reads pages of a list until the last one, a failed one, which is the last element then, or a limit.
  [[nodiscard]] boost::asio::awaitable<void> read_pages(kube::Resource resource, std::string ns, Query query,
                                                        Requests& pages);
  void choose_deployment();
  void apply_flags();
  void compare_other_deployments();
  [[nodiscard]] boost::asio::awaitable<void> examine_kinds();
  [[nodiscard]] boost::asio::awaitable<void> examine_permissions();
  [[nodiscard]] boost::asio::awaitable<void> examine_roles();
  [[nodiscard]] boost::asio::awaitable<void> add_bindings(const char* kind, const char* plural,
                                                          std::set<BoundRole>& roles);
  [[nodiscard]] boost::asio::awaitable<void> examine_webhooks();
  [[nodiscard]] boost::asio::awaitable<void> examine_registration();
  [[nodiscard]] boost::asio::awaitable<void> find_configurations(
      const std::vector<controller::WebhookConfiguration>& desired, std::vector<std::string>& names);
  [[nodiscard]] boost::asio::awaitable<void> call_webhooks();
  [[nodiscard]] boost::asio::awaitable<void> examine_metrics();
  [[nodiscard]] boost::asio::awaitable<void> examine_watches();
  [[nodiscard]] boost::asio::awaitable<void> examine_namespaces();
  [[nodiscard]] boost::asio::awaitable<void> ask_manager();
  [[nodiscard]] boost::asio::awaitable<void> read_statusz(access::ManagerPod pod, Reading& statusz);
  [[nodiscard]] boost::asio::awaitable<void> examine_not_owned(const Requests& lists);
  // The kinds that the selected controllers own.
  [[nodiscard]] std::vector<kube::Resource> kinds_of_children() const;
  [[nodiscard]] boost::asio::awaitable<void> examine_writers();
  [[nodiscard]] boost::asio::awaitable<void> examine_objects();
  [[nodiscard]] boost::asio::awaitable<void> begin_lease();
  [[nodiscard]] boost::asio::awaitable<void> end_lease();

  [[nodiscard]] async::WallTime server_now() const { return clock_.wall_now() + ahead_; }
  [[nodiscard]] bool has_deployment() const { return !deployment_.is_absent(); }
  [[nodiscard]] std::string lease_namespace() const;
  // Lists a sample of the resources, in each namespace that the manager watches.
  [[nodiscard]] Requests lists_of(const std::vector<kube::Resource>& resources, kube::Content content) const;

  Examined examined_;
  kube::Client& client_;
  Reader reader_;
  async::Clock& clock_;
  Report& report_;
  async::Duration ahead_{};                       // of the API server's clock
  Requests deployments_;                          // pages of a list; only the last one may have failed
  json::View deployment_;                         // of deployments_; absent if there is none
  std::vector<json::View> others_;                // the other Deployments of the operator
  std::vector<std::string> separate_namespaces_;  // of the leases of those that reconcile other objects
  Deployed deployed_;
  Requests pods_;
  std::optional<Reading> statusz_;  // of the pod that was asked
  std::string asked_;
  std::set<std::string> examined_objects_;  // as check_attention() needs them
  DeployedFlags flags_;
  bool ended_ = false;
  bool has_flags_ = true;  // false: the manager does not accept its arguments, and flags_ has the defaults
  std::set<NeededPermission> needed_;
  std::set<NeededPermission> useful_;  // with other flags, too
  std::optional<LeaseFacts> lease_;
  async::TimePoint lease_begun_;
};

}  // namespace keelson::doctor
