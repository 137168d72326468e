// The checks of `manager doctor`: whether an operator's installation in a cluster works, and what is wrong with it.
//
// examine() fills a report. It reads through a kube::Client and decides with functions without I/O
// (check_*() in src/doctor). It stores nothing: its only writes are access reviews and server-side dry runs. Requests
// run four at a time, lists are read in pages with a limit, and each request takes at most twelve seconds. After a lost
// connection no more requests are sent.
//
// Errors are findings: a request that the user may not send is `check-forbidden`, any other failure `check-failed`.
// Cancellation unwinds. The references must outlive the coroutine.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

// What follows from the arguments of the deployed manager.
struct DeployedFlags {
  std::vector<std::string> controllers;       // the names of the selected ones
  std::vector<std::string> watch_namespaces;  // empty: all
  bool dry_run = false;
  bool leader_elect = false;
  std::string lease_name;
  std::string lease_namespace;  // empty: the pod's
  enum class Metrics : std::uint8_t { kOff, kPlain, kSecure } metrics = Metrics::kPlain;
  std::string metrics_bind_address;  // "127.0.0.1:8080"
  enum class Webhooks : std::uint8_t { kOff, kSelfSigned, kFiles, kUrl } webhooks = Webhooks::kOff;
  std::string webhooks_off_because;
  int webhook_port = 0;
  std::string webhook_secret;       // with kSelfSigned
  std::string webhook_cert_folder;  // with kFiles
  std::string mutating_configuration;
  std::string validating_configuration;
  std::vector<std::string> notices;  // flags without an effect
  bool are_in_file = false;          // more flags are in a file of the pod (--config), and unknown
};

// The container of the manager, as the template of its Deployment declares it.
struct ManagerContainer {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;  // without values from Secrets and ConfigMaps
  std::map<std::string, std::string> secrets;      // the mounted ones, by folder
};

// The operator whose installation is examined: the declarations of this binary.
struct Examined {
  std::string program;  // "manager"
  std::string version;  // of this binary, "0.1.0"
  std::string server;   // "https://10.96.0.1:443", for the report
  kube::OperatorName name;
  std::vector<controller::Definition> controllers;
  std::vector<webhook::Webhook> webhooks;           // of no controller
  std::vector<controller::Permission> permissions;  // of no controller
  std::string ns;                                   // where the Deployment is; empty: it is searched
  std::string default_ns;                           // used if there is no Deployment
  // What follows from the arguments of the container; the error is that of a manager that is started with them.
  std::function<Result<DeployedFlags>(const ManagerContainer& container)> parse_flags;
};

struct Report {
  std::string program;
  std::string version;
  std::string server;
  std::string ns;
  std::string deployment;  // empty: none was found
  std::string stage = {};  // what is being examined, while examine() runs: "webhooks"
  Findings findings;
};

[[nodiscard]] boost::asio::awaitable<void> examine(kube::Client& client, async::Clock& clock, Examined examined,
                                                   Report& report);

// The report for people, and for machines (docs/doctor.md has the members).
[[nodiscard]] std::string report_text(const Report& report);
[[nodiscard]] std::string report_json(const Report& report);
// 0: no problem, notes included; 1: warnings, or checks that could not be made; 2: errors.
[[nodiscard]] int exit_code(const Report& report);

}  // namespace keelson::doctor
