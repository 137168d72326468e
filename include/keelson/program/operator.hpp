// An operator: its controllers, and the runnables, checks, endpoints, commands, flags and webhooks of its program.
//
// Purpose: the main function declares everything with an Operator and returns run(). A program with controllers only
// can use run() in one call:
//
// Example (test/examples/controller.cpp#run):
//   int main(int argc, char** argv) { return keelson::run("greeter", argc, argv, {greeter()}); }
//
// Ownership: the Operator owns the declared functions and must outlive run(). Functions get a controller::Context
// (clock, client, cache, flags), which outlives them.
//
// Cancellation and threads: run() blocks its thread. All functions run on a single event loop in this thread: they must
// not block, and they wait with co_await. SIGTERM or SIGINT cancels running functions and ends run() within
// --graceful-shutdown-timeout; a second signal ends the process immediately.
//
// Errors: run() prints mistakes in the declarations (base::Misuse: a name that is used twice, a missing function) and
// returns 1. They do not depend on the cluster, so a test that runs `--help` finds them.
//
// Example (test/examples/program.cpp#program):
//   // Uploads a backup every hour, on the leader only, until the program stops.
//   Task<void> back_up(controller::Context& context) {
//     const auto& url = context.flag<std::string>("backup-url");
//     for (;;) {
//       context.log.info("Uploading a backup", {{"url", url}});
//       co_await async::sleep_for(context.clock, std::chrono::hours(1));
//     }
//   }
//
//   boost::asio::awaitable<net::Response> list_backups(controller::Context&, net::Request) {
//     net::Response response;
//     response.status = 200;
//     response.body = "none\n";
//     co_return response;
//   }
//
//   int run_operator(int argc, char** argv) {
//     Operator backups("backups");
//     backups.add(controller_for<core::v1::Namespace>(reconcile));
//     backups.flag<std::string>("backup-url", "", "The URL that backups are uploaded to.");
//     backups.runnable("backup", back_up);
//     backups.readyz("backup-store", [] { return Result<void>(); });
//     backups.handle("/backups", list_backups);
//     return backups.run(argc, argv);
//   }
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/net/http.hpp"

namespace keelson::program {

// The version of an operator, as its author numbers it. Empty: not declared.
struct OperatorVersion {
  std::string version;  // "1.4.0"
  std::string commit;   // of its sources
};

// A subcommand of a program: `manager schedule '0 5 * * *'`. It runs instead of the controllers: without an API server,
// an event loop or the flags of the manager.
struct Command {
  std::string name;       // a word without a dash in front, unique in the program
  std::string arguments;  // for --help: "EXPRESSION [--count 5]"
  std::string help;       // a sentence for --help
  // `arguments` are the words after the name, unparsed. Returns the exit code: 0, 1 after a failure, 2 after a
  // message about the arguments on `errors`. The program flushes `out` afterwards and returns 1 if that fails.
  std::function<int(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors)> run;
};

}  // namespace keelson::program

namespace keelson {

namespace program {

// The replicas on which a function runs. Without --leader-elect every process is a leader.
enum class RunsOn { kLeader, kEveryReplica };

// Used by the functions of Operator; see there.
struct FunctionRunnable {
  std::string name;
  std::function<Task<void>(controller::Context&)> function;
  RunsOn runs_on = RunsOn::kLeader;
};

struct NamedCheck {
  std::string name;
  std::function<Result<void>()> function;
};

struct Endpoint {
  std::string path;
  std::function<boost::asio::awaitable<net::Response>(controller::Context&, net::Request)> function;
};

// The declarations of a program except its controllers.
struct Additions {
  std::vector<FunctionRunnable> runnables;
  std::vector<NamedCheck> healthz;
  std::vector<NamedCheck> readyz;
  std::vector<Endpoint> endpoints;
  std::vector<Command> commands;
  std::vector<controller::Flag> flags;
  std::vector<webhook::Webhook> webhooks;
  std::vector<controller::Permission> permissions;
  OperatorVersion version = {};
};

}  // namespace program

class Operator {
 public:
  // `name` is a DNS label of at most 40 characters (kube::OperatorName): the field manager of everything that the
  // operator writes, and the prefix of the names of its lease and webhook objects. Do not change it later: fields that
  // were applied under another name are not released.
  explicit Operator(std::string name) : name_(std::move(name)) {}

  // Declares the version of the operator, and the commit of its sources: `version`, `doctor`, /statusz, the User-Agent
  // and the metric NAME_build_info have it. By default they have only the library's. A project of `keelson init` passes
  // what its CMakeLists.txt says.
  Operator& version(std::string version, std::string commit = "");

  // Adds a controller (controller/controller_for.hpp). Names of controllers are unique in a program.
  Operator& add(controller::Definition definition);

  // Runs `function` for the life of the program: from the start of the caches, which may not have synced yet, and with
  // RunsOn::kLeader from the acquisition of the lease. It is canceled when the program stops. It may return early with
  // success. An Error or an exception is logged and ends the program with exit code 1, as in controller-runtime, so the
  // function must retry by itself. Only writes of kLeader functions are fenced (leader/fence.hpp).
  Operator& runnable(std::string name, std::function<Task<void>(controller::Context&)> function,
                     program::RunsOn runs_on = program::RunsOn::kLeader);

  // Adds a check to /healthz (liveness) or /readyz (readiness), also served as /healthz/NAME. The text of its Error is
  // in the response of /healthz/NAME only. Called for every probe: it must not block. A failing liveness check makes
  // the kubelet restart the container: check only what a restart can fix.
  Operator& healthz(std::string name, std::function<Result<void>()> check);
  Operator& readyz(std::string name, std::function<Result<void>()> check);

  // Serves requests with exactly this path, whatever their method, on the metrics server (so not with
  // --metrics-bind-address=0), next to /metrics and with the same authentication and authorization: with
  // --metrics-secure, clients need the RBAC verb of the method ("get") for the nonResourceURL. Without
  // --metrics-secure, every client that reaches the address is served. The handler runs on every replica, and its
  // writes are not fenced. An exception is answered with 500.
  Operator& handle(std::string path,
                   std::function<boost::asio::awaitable<net::Response>(controller::Context&, net::Request)> handler);

  // Adds a subcommand: `PROGRAM NAME ARGUMENTS`. NAME must be the first argument.
  Operator& command(program::Command command);

  // Adds a webhook for objects of any kind that belongs to no controller (webhook/admission.hpp). It is served in a
  // program without controllers too, and independently of --controllers.
  Operator& webhook(webhook::Webhook webhook);

  // Adds a permission that runnables, endpoints or webhooks need to the role that `generate rbac` writes. Permissions
  // of controllers follow from their definitions.
  Operator& rbac(controller::Permission permission);

  // Adds a flag `--name`, which every function reads with Context::flag<T>(name).
  template <controller::FlagType T>
  Operator& flag(std::string name, T default_value, std::string help) {
    additions_.flags.push_back(controller::make_flag<T>(std::move(name), std::move(default_value), std::move(help)));
    return *this;
  }
  // Adds a flag without a default, which is read with Context::optional_flag<T>(name).
  template <controller::FlagType T>
  Operator& flag(std::string name, std::nullopt_t, std::string help) {
    additions_.flags.push_back(controller::make_flag<T>(std::move(name), std::monostate{}, std::move(help)));
    return *this;
  }

  // Runs the program and returns its exit code, as keelson::run.
  [[nodiscard]] int run(int argc, char** argv) const;

 private:
  std::string name_;
  std::vector<controller::Definition> controllers_;
  program::Additions additions_;
};

// Parses the flags or a subcommand (version, generate), finds the API server, and runs the controllers until SIGINT or
// SIGTERM. It waits for an API server that does not answer yet. Returns the exit code: 0 after an orderly stop, 1 after
// a failure (also: leadership lost, grace period exceeded, base::Misuse), 2 for an invalid command line.
//
// `name` is the name of the operator, a DNS label of at most 40 characters: the field manager of its writes, and the
// prefix of the names of its lease, Service, Secret and webhook configurations. Do not change it later: fields that
// were applied under another name are not released.
[[nodiscard]] int run(std::string name, int argc, char** argv, std::vector<controller::Definition> controllers);
// The same with the version of the operator (Operator::version): `run("greeter", {"1.4.0", "abc1234"}, …)`.
[[nodiscard]] int run(std::string name, program::OperatorVersion version, int argc, char** argv,
                      std::vector<controller::Definition> controllers);

}  // namespace keelson
