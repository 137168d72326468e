#include "keelson/program/operator.hpp"

#include <catch2/catch_test_macros.hpp>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson {
namespace {

using program::Command;

struct Outcome {
  int code = 0;
  std::string out;
  std::string errors;
};

Outcome run(const Operator& program, std::vector<std::string> words) {
  words.insert(words.begin(), "/usr/bin/redis");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  std::ostringstream out;
  std::ostringstream errors;
  auto* out_before = std::cout.rdbuf(out.rdbuf());
  auto* errors_before = std::cerr.rdbuf(errors.rdbuf());
  const int code = program.run(static_cast<int>(pointers.size()), pointers.data());
  std::cout.rdbuf(out_before);
  std::cerr.rdbuf(errors_before);
  return {code, out.str(), errors.str()};
}

Command greet() {
  return {"greet", "NAME", "Print a greeting.",
          [](const std::vector<std::string>& arguments, std::ostream& out, std::ostream&) {
            out << "Hello, " << arguments.at(0) << "!\n";
            return 7;
          }};
}

controller::Definition of_group(const std::string& group) {
  kube::Kind kind;
  kind.resource = kube::Resource(group, "v1", "Cluster", "clusters");
  kind.singular = "cluster";
  return controller::define(kind);
}

boost::asio::awaitable<webhook::Decision> leave(core::v1::Pod&, const webhook::Request&) {
  co_return webhook::Decision::allow();
}

Task<void> do_nothing(controller::Context&) { co_return Result<void>(); }

class Idle final : public controller::Reconciler {
 public:
  Task<controller::Outcome> reconcile(controller::Attempt&) override { co_return controller::Outcome::done(); }
};

boost::asio::awaitable<net::Response> answer(controller::Context&, net::Request) { co_return net::Response{}; }

// Records the context of the author's function, then fails.
Task<void> note_and_fail(controller::Context& context, std::vector<std::string>& seen) {
  seen.push_back(context.client.operator_name().text());
  seen.push_back(context.flag<std::string>("image"));
  seen.push_back(context.flag<std::string>("cache-size"));
  seen.push_back(context.optional_flag<std::int64_t>("seed") ? "given" : "not given");
  try {
    static_cast<void>(context.flag<bool>("image"));
  } catch (const base::Misuse& mistake) {
    seen.emplace_back(mistake.what());
  }
  co_return transport_error("the store is closed");
}

TEST_CASE("an Error of a runnable ends the program with exit code 1") {
  const testing::TemporaryFolder folder;
  const auto kubeconfig = folder.write("kubeconfig",
                                       "{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], "
                                       "contexts: [{name: c, context: {cluster: c}}], current-context: c}");
  const auto config =
      folder.write("config.yaml", "kubeconfig: " + kubeconfig + "\nmetrics-bind-address: 0\n" +
                                      "health-probe-bind-address: 0\nimage: redis:7\ncache-size: small\n");
  std::vector<std::string> seen;
  Operator redis("redis");
  redis.flag<std::string>("image", "redis:6", "The image.").flag<std::int64_t>("seed", std::nullopt, "The seed.");
  redis.flag<std::string>("cache-size", "large", "How large.");
  redis.runnable("idle", do_nothing, program::RunsOn::kEveryReplica);
  redis.runnable("backup", [&seen](controller::Context& context) { return note_and_fail(context, seen); });
  redis.add(of_group("a.example.com").reconciled_by([](controller::Context&) { return std::make_unique<Idle>(); }));

  const auto outcome = run(redis, {"--config=" + config, "--image=redis:8"});

  CHECK(outcome.code == 1);
  CHECK(seen == std::vector<std::string>{
                    "redis", "redis:8", "small", "not given",
                    "the flag --image is declared as a text and read as a bool: use the same type in both places"});
}

TEST_CASE("a command of an operator gets the words after its name, and its exit code is the program's") {
  Operator redis("redis");
  redis.command(greet());

  const auto outcome = run(redis, {"greet", "Ann", "--loud"});

  CHECK(outcome.code == 7);
  CHECK(outcome.out == "Hello, Ann!\n");
}

TEST_CASE("the help has the commands and flags of an operator, and its name in defaults") {
  Operator redis("redis");
  redis.command(greet()).flag<std::string>("image", "redis:7", "The image.");

  const auto help = run(redis, {"--help"}).out;

  CHECK(help.find("\n  greet NAME\n    \tPrint a greeting.\n") != std::string::npos);
  CHECK(help.find("\n  -image string\n    \tThe image. (default \"redis:7\")\n") != std::string::npos);
  CHECK(help.find("(default \"redis-manager\")") != std::string::npos);
  CHECK(help.find("schedule") == std::string::npos);
  CHECK(run(redis, {"gret"}).errors ==
        "unknown command \"gret\"\ndid you mean greet?\nRun 'redis --help' for usage.\n");
}

TEST_CASE("an invalid operator name is rejected with the rule for names") {
  for (const auto* name :
       {"", "Greeter", "my operator", "1st", "-a", "a-", "a.b", "a/b", "a1234567890123456789012345678901234567890"}) {
    INFO(name);
    const auto outcome = run(Operator(name), {"version"});
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.errors.starts_with("invalid operator name \"" + std::string(name) + "\": "));
    CHECK(outcome.errors.find("for example \"greeter\"") != std::string::npos);
  }
  CHECK(run(Operator("a"), {"version"}).code == 0);
  CHECK(run(Operator("a123456789012345678901234567890123456789"), {"version"}).code == 0);
}

TEST_CASE("a program with a duplicate declaration, or one without a function, does not start") {
  const auto errors_of = [](auto declare) {
    Operator redis("redis");
    declare(redis);
    const auto outcome = run(redis, {"version"});
    CHECK(outcome.code == (outcome.errors.empty() ? 0 : 1));
    return outcome.errors;
  };
  const auto fine = [] { return Result<void>(); };

  CHECK(errors_of([&](Operator& redis) {
          redis.runnable("backup", do_nothing).healthz("store", fine).readyz("store", fine).handle("/a", answer);
        }).empty());
  CHECK(errors_of([](Operator& redis) { redis.runnable("backup", do_nothing).runnable("backup", do_nothing); }) ==
        "the runnable \"backup\" exists already: give this one another name\n");
  CHECK(errors_of([](Operator& redis) { redis.runnable("backup", nullptr); }).find("has no function") !=
        std::string::npos);
  CHECK(errors_of([&](Operator& redis) { redis.readyz("caches", fine); }) ==
        "the check of /readyz \"caches\" exists already: give this one another name\n");
  CHECK(errors_of([&](Operator& redis) { redis.readyz("backup store", fine); }) ==
        "the check of /readyz \"backup store\" cannot be a part of the path /readyz/NAME: use letters, digits and "
        "dashes\n");
  CHECK(errors_of([](Operator& redis) {
          redis.handle("/metrics", answer);
        }).starts_with("the endpoint \"/metrics\" exists already"));
  CHECK(errors_of([](Operator& redis) {
          redis.handle("backups", answer);
        }).starts_with("the endpoint \"backups\" is not a path"));
  CHECK(errors_of([](Operator& redis) {
          redis.command({"generate", "", "", greet().run});
        }).starts_with("the command \"generate\" exists already"));
  CHECK(errors_of([](Operator& redis) {
          redis.command({"greet", "", "", {}});
        }).find("has no function") != std::string::npos);
  CHECK(errors_of([](Operator& redis) {
          redis.add(of_group("a.example.com").flag<bool>("live", false, "")).flag<bool>("live", false, "");
        }).starts_with("the flag --live is declared twice"));
}

TEST_CASE("a program without controllers generates the registrations of its webhooks, and no CRD") {
  Operator mesh("mesh");
  mesh.webhook(webhook::mutating<core::v1::Pod>(leave, {.namespace_selector = "mesh=on"_selector}));
  const testing::TemporaryFolder folder;

  const auto outcome = run(mesh, {"generate", "all", "--output", folder.path().string()});

  CHECK(outcome.code == 0);
  CHECK(folder.read("webhook/manifests.yaml").find("path: /mutate--v1-pod\n") != std::string::npos);
  CHECK(folder.read("webhook/manifests.yaml").find("      mesh: \"on\"\n") != std::string::npos);
  CHECK(folder.read("rbac/kustomization.yaml").find("webhook_certificate_role.yaml") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "crd"));
}

TEST_CASE("the role has the permissions that the operator needs without a controller") {
  const testing::TemporaryFolder folder;
  Operator redis("redis");
  redis.runnable("nothing", do_nothing).rbac({"", "nodes", {"list"}});

  const auto outcome = run(redis, {"generate", "rbac", "--output", folder.path().string()});

  CHECK(outcome.code == 0);
  const auto role = folder.read("rbac/role.yaml");
  CHECK(role.find("  resources:\n  - nodes\n  verbs:\n  - list\n") != std::string::npos);
}

TEST_CASE("a webhook that the operator and a controller declare is rejected with what to change") {
  Operator mesh("mesh");
  mesh.webhook(webhook::mutating<core::v1::Pod>(leave));
  mesh.add(of_group("a.example.com").webhook(webhook::mutating<core::v1::Pod>(leave)));

  const auto outcome = run(mesh, {"version"});

  CHECK(outcome.code == 1);
  CHECK(outcome.errors ==
        "the mutating webhook of pods: another webhook has the path /mutate--v1-pod: give one of them a name with "
        ".name = "
        "\"…\"\n");
}

TEST_CASE("two controllers with the same name are rejected until one of them is renamed") {
  Operator redis("redis");
  redis.add(of_group("a.example.com")).add(of_group("b.example.com"));
  Operator named("redis");
  named.add(of_group("a.example.com")).add(of_group("b.example.com").named("b-cluster"));

  CHECK(run(redis, {"version"}).errors ==
        "two controllers are named cluster (of clusters.a.example.com and of clusters.b.example.com): give one of them "
        "another name with .named(\"…\")\n");
  CHECK(run(named, {"version"}).code == 0);
  CHECK(run(named, {"--controllers=b-clustr"}).errors.find("did you mean b-cluster?") != std::string::npos);
}

TEST_CASE("an invalid option of a controller is a Misuse") {
  auto definition = of_group("a.example.com");
  using namespace std::chrono_literals;

  for (const auto* name : {"", "A", "a b", "-a", "*", "a,b"}) CHECK_THROWS_AS(definition.named(name), base::Misuse);
  CHECK_THROWS_AS(definition.max_concurrent_reconciles(0), base::Misuse);
  CHECK_THROWS_AS(definition.backoff(0s, 1s), base::Misuse);
  CHECK_THROWS_AS(definition.backoff(2s, 1s), base::Misuse);
  CHECK_THROWS_AS(definition.reconcile_timeout(0s), base::Misuse);
}

}  // namespace
}  // namespace keelson
