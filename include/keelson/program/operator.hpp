// An operator: its controllers, and what its program has in addition to them.
//
//   int main(int argc, char** argv) {
//     keelson::Operator redis("redis");
//     redis.add(controller_for<Redis>(reconcile).owns<apps::v1::StatefulSet>());
//     redis.flag<std::string>("backup-url", "", "Where backups are stored.");
//     redis.runnable("backup", [](controller::Context& context) { return back_up(context); });
//     redis.readyz("backup-store", [] { return check_store(); });
//     return redis.run(argc, argv);
//   }
//
// Without additions `keelson::run("redis", argc, argv, {…})` (run.hpp) is enough. A mistake in the declarations
// (base::Misuse) is printed by run(), which returns 1.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/net/http.hpp"
#include "keelson/program/command.hpp"

namespace keelson {

namespace program {

// Which replicas run it. With --leader-elect off, the only process is the leader.
enum class RunsOn { kLeader, kEveryReplica };

struct FunctionRunnable {
  std::string name;
  std::function<boost::asio::awaitable<Result<void>>(controller::Context&)> function;
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

// What a program has in addition to its controllers.
struct Additions {
  std::vector<FunctionRunnable> runnables;
  std::vector<NamedCheck> healthz;
  std::vector<NamedCheck> readyz;
  std::vector<Endpoint> endpoints;
  std::vector<Command> commands;
  std::vector<controller::Flag> flags;
  std::vector<webhook::Webhook> webhooks;
  std::vector<controller::Permission> permissions;
};

}  // namespace program

class Operator {
 public:
  // The field manager of everything that the operator writes, and the beginning of the names of its lease and webhook
  // objects (kube/operator_name.hpp): choose it once.
  explicit Operator(std::string name) : name_(std::move(name)) {}

  Operator& add(controller::Definition definition);

  // `function` is started when the caches have started, on the leader when this process leads, and cancelled when the
  // program stops. It may end early with success. An Error or an exception is logged and ends the program with exit
  // code 1, as in controller-runtime; so it handles itself what can be retried. The context outlives it; its writes are
  // fenced on the leader alone.
  Operator& runnable(std::string name,
                     std::function<boost::asio::awaitable<Result<void>>(controller::Context&)> function,
                     program::RunsOn runs_on = program::RunsOn::kLeader);

  // Part of /healthz or /readyz, and answered as /healthz/NAME. The Error is in the answer to that path only. Called
  // for every probe: it must not wait.
  Operator& healthz(std::string name, std::function<Result<void>()> check);
  Operator& readyz(std::string name, std::function<Result<void>()> check);

  // Answers requests for exactly this path on the metrics server, next to /metrics and behind the same authentication
  // and authorization: clients need the RBAC verb of the method ("get") on the nonResourceURL. The context is that of
  // every replica: its writes are not fenced.
  Operator& handle(std::string path,
                   std::function<boost::asio::awaitable<net::Response>(controller::Context&, net::Request)> handler);

  // A subcommand: its name comes directly after the program's.
  Operator& command(program::Command command);

  // A webhook that belongs to no controller, for objects of any kind (webhook/whole_object.hpp): also in a program
  // without controllers, and independent of --controllers.
  Operator& webhook(webhook::Webhook webhook);

  // What runnables, endpoints and webhooks ask of the API server, for the role that `generate rbac` writes.
  Operator& needs(controller::Permission permission);

  // A flag that belongs to no controller, read by Context::flag of runnables, handlers and reconcilers.
  template <controller::FlagType T>
  Operator& flag(std::string name, T default_value, std::string help) {
    additions_.flags.push_back(controller::make_flag<T>(std::move(name), std::move(default_value), std::move(help)));
    return *this;
  }
  // Without a default, read by Context::optional_flag.
  template <controller::FlagType T>
  Operator& flag(std::string name, std::nullopt_t, std::string help) {
    additions_.flags.push_back(controller::make_flag<T>(std::move(name), std::monostate{}, std::move(help)));
    return *this;
  }

  // As keelson::run (run.hpp).
  [[nodiscard]] int run(int argc, char** argv) const;

 private:
  std::string name_;
  std::vector<controller::Definition> controllers_;
  program::Additions additions_;
};

}  // namespace keelson
