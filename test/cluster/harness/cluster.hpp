// The real cluster that these tests run on: kubectl, a manager, and what the API server wrote into its audit log.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "keelson/json/value.hpp"
#include "test/cluster/harness/live_objects.hpp"
#include "test/cluster/harness/process.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

// kubectl's output; an exit code other than 0 fails the test.
std::string kubectl(const std::vector<std::string>& arguments, const std::string& input = "");
// The same with the exit code, for commands that may be rejected.
[[nodiscard]] Output try_kubectl(const std::vector<std::string>& arguments, const std::string& input = "");

// Applies the CRDs of config/crd and waits until they are established.
void install_crds();
void wait_for_crds();

// Polls until it is true; after `limit` fails the test, with `what` and the end of the manager's log. The limit is for
// machines that are busy with other tests, and is never the subject of a test.
void eventually(const std::string& what, const std::function<bool()>& holds,
                std::chrono::seconds limit = std::chrono::seconds(180));
void pause(std::chrono::milliseconds time);
// The log that a failure prints from now on; a Manager sets its own.
void show_when_it_fails(const std::string& log_file);
// True now and at every poll during `time`.
void throughout(const std::string& what, std::chrono::milliseconds time, const std::function<bool()>& holds);

// Verbs of scripts/cluster on the cluster of this test: "kill-apiserver", "start-apiserver".
void cluster(const std::string& verb);

// A namespace for a test, which is deleted at its end.
class Namespace {
 public:
  Namespace();
  Namespace(const Namespace&) = delete;
  Namespace& operator=(const Namespace&) = delete;
  ~Namespace();
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// Requests that the API server answered, from the audit log.
struct Requests {
  // "create deployments 201", "patch memcacheds/status 200", "watch pods 200": verb, resource, code, and how many.
  std::map<std::string, int> counts;
  [[nodiscard]] int of(const std::string& prefix) const;
  [[nodiscard]] int all_but_watches() const;
  [[nodiscard]] std::string text() const;
};

// A manager with the admin's kubeconfig and its own ports. Destroying it kills it, and deletes its log unless the test
// failed.
class Manager {
 public:
  explicit Manager(std::vector<std::string> more_arguments = {});
  ~Manager();

  // Its requests since it started, or since mark(), except for those for other namespaces (an earlier test's may still
  // be in deletion); empty: all. Each manager is recognized by its User-Agent.
  [[nodiscard]] Requests requests(const std::string& ns = "") const;
  void mark();
  // The beginning of its User-Agent.
  [[nodiscard]] const std::string& user_agent() const { return user_agent_; }

  [[nodiscard]] std::string health_url() const { return "http://127.0.0.1:" + std::to_string(health_port_); }
  [[nodiscard]] std::string health(const std::string& target) const { return http_get(health_port_, target); }
  [[nodiscard]] std::string health_address() const { return "127.0.0.1:" + std::to_string(health_port_); }
  // A request that was still open when a later one was answered.
  [[nodiscard]] OpenRequest begin_health_request() const { return OpenRequest(health_port_); }
  [[nodiscard]] std::string metrics() const { return http_get(metrics_port_, "/metrics"); }
  [[nodiscard]] Process& process() { return *process_; }
  [[nodiscard]] std::string log() const { return process_->log(); }
  // The error lines of its log, except those about objects of other namespaces, as requests() does.
  [[nodiscard]] std::vector<std::string> errors(const std::string& ns) const;
  void wait_until_ready();
  // Sends SIGTERM and requires an exit code of 0.
  void stop();

 private:
  int health_port_;
  int metrics_port_;
  TemporaryFolder folder_;
  std::string log_file_;
  std::size_t audit_from_ = 0;
  std::string user_agent_;
  std::unique_ptr<Process> process_;
};

}  // namespace keelson::testing
