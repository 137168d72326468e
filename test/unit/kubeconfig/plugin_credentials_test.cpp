#include "keelson/detail/kubeconfig/plugin_credentials.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kube {
namespace {

using boost::asio::awaitable;
using namespace std::chrono_literals;

// A plugin that returns scripted output after a second of virtual time.
struct ScriptedPlugin {
  ScriptedPlugin() {
    plugin.command = "aws";
    plugin.arguments = {"eks", "get-token"};
    plugin.variables = {{"AWS_PROFILE", "ops"}};
    plugin.api_version = "client.authentication.k8s.io/v1";
    plugin.interactive_mode = "IfAvailable";
    plugin.install_hint = "install the aws command";
    plugin.owner = "exec of user \"u\" in kubeconfig /k";
    says("first");
  }

  void says(const std::string& token, const std::string& more = "") {
    end = ProgramEnd();
    end->value().output =
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":")" + token +
        "\"" + more + "}}";
  }
  void fails(int code, const std::string& errors) {
    end = ProgramEnd();
    end->value().exit_code = code;
    end->value().last_errors = errors;
  }

  PluginCredentials& credentials() {
    if (!credentials_) credentials_.emplace(loop.executor(), loop.clock(), Logger(sink), plugin, runner(), terminal);
    return *credentials_;
  }
  RunProgram runner() {
    return [this](ProgramCall call) { return run(this, std::move(call)); };
  }
  static Task<ProgramEnd> run(ScriptedPlugin* world, ProgramCall call) {
    world->calls.push_back(call);
    if (call.on_error_line) call.on_error_line("thinking");
    co_await async::sleep_for(world->loop.clock(), world->takes);
    co_return *world->end;
  }

  // The token, or the error's text.
  static awaitable<void> ask(ScriptedPlugin* world, std::string* answer) {
    auto now = co_await world->credentials().current();
    if (now) world->last = *now;
    *answer = now ? (*now)->token : now.error().text;
  }
  std::string token() {
    std::string answer;
    loop.run(ask(this, &answer));
    return answer;
  }

  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  ExecPlugin plugin;
  Terminal terminal = Terminal::kNone;
  std::optional<Result<ProgramEnd>> end;
  async::Duration takes = 1s;
  std::vector<ProgramCall> calls;
  PluginCredentials::Credential last;

 private:
  std::optional<PluginCredentials> credentials_;
};

TEST_CASE("a plugin runs with its arguments, variables and cluster info, and its standard error is logged") {
  ScriptedPlugin world;

  CHECK(world.token() == "first");

  REQUIRE(world.calls.size() == 1);
  CHECK(world.calls[0].arguments == std::vector<std::string>{"aws", "eks", "get-token"});
  CHECK(world.calls[0].variables[0] == std::pair<std::string, std::string>("AWS_PROFILE", "ops"));
  CHECK(world.calls[0].variables[1].first == "KUBERNETES_EXEC_INFO");
  CHECK(world.calls[0].variables[1].second.ends_with(R"("spec":{"interactive":false}})"));
  CHECK_FALSE(world.calls[0].at_terminal);
  REQUIRE(world.sink.entries().size() == 1);
  CHECK(world.sink.entries()[0].message == "Exec plugin wrote to standard error");
  CHECK(world.sink.entries()[0].fields == R"(command="aws" stderr="thinking")");
}

TEST_CASE("a plugin at a terminal may run for ten minutes") {
  ScriptedPlugin quick;
  quick.terminal = Terminal::kAttached;
  quick.takes = 10min - 1s;
  CHECK(quick.token() == "first");
  CHECK(quick.calls[0].at_terminal);

  ScriptedPlugin slow;
  slow.terminal = Terminal::kAttached;
  slow.takes = 10min + 1s;
  CHECK(slow.token().starts_with("getting credentials: exec: executable aws: no answer within 600s"));
}

TEST_CASE("a credential without an expiry is cached forever, another until it expires") {
  ScriptedPlugin world;
  CHECK(world.token() == "first");
  world.loop.clock().advance(std::chrono::hours(1000));
  CHECK(world.token() == "first");
  CHECK(world.calls.size() == 1);

  ScriptedPlugin ending;
  auto expires = format_time(ending.loop.clock().wall_now() + 600s);
  ending.says("first", R"(,"expirationTimestamp":")" + expires + "\"");
  CHECK(ending.token() == "first");
  ending.says("second");
  ending.loop.clock().advance(598s);
  CHECK(ending.token() == "first");
  ending.loop.clock().advance(2s);
  CHECK(ending.token() == "second");
  CHECK(ending.calls.size() == 2);
}

TEST_CASE("concurrent calls share one run") {
  ScriptedPlugin world;
  std::vector<std::string> answers(20);

  world.loop.run([&]() -> awaitable<void> {
    async::TaskGroup group(world.loop.executor());
    for (auto& answer : answers) group.spawn(ScriptedPlugin::ask(&world, &answer));
    co_await group.join();
  });

  CHECK(world.calls.size() == 1);
  CHECK(answers == std::vector<std::string>(20, "first"));
}

// Calls with a timeout, as the elector does.
awaitable<void> ask_within(ScriptedPlugin* world, async::Duration limit, std::string* answer) {
  auto asking = ScriptedPlugin::ask(world, answer);
  auto finished = co_await async::finish_within(world->loop.clock(), limit, std::move(asking));
  if (!finished) *answer = "late";
}

TEST_CASE(
    "a plugin that is slower than the caller's timeout runs to its end, and the next caller gets its credential") {
  ScriptedPlugin world;
  world.takes = 8s;
  std::string first;
  std::string second;

  world.loop.run([&]() -> awaitable<void> {
    co_await ask_within(&world, 5s, &first);
    co_await async::sleep_for(world.loop.clock(), 2s);
    co_await ask_within(&world, 5s, &second);
  });

  CHECK(first == "late");
  CHECK(second == "first");
  CHECK(world.calls.size() == 1);
}

TEST_CASE("a slow plugin that fails is not started again within the pause, even if callers were canceled") {
  ScriptedPlugin world;
  world.takes = 8s;
  world.fails(1, "");
  std::string first;
  std::string second;

  world.loop.run([&]() -> awaitable<void> {
    co_await ask_within(&world, 5s, &first);
    co_await async::sleep_for(world.loop.clock(), 6s);
    co_await ask_within(&world, 5s, &second);
  });

  CHECK(first == "late");
  CHECK(second.starts_with("getting credentials: exec: executable aws failed with exit code 1"));
  CHECK(world.calls.size() == 1);
}

TEST_CASE("stopping ends a run and fails waiting and later calls") {
  ScriptedPlugin world;
  std::string waiting;
  std::string later;

  world.loop.run([&]() -> awaitable<void> {
    async::TaskGroup group(world.loop.executor());
    group.spawn(ScriptedPlugin::ask(&world, &waiting));
    co_await async::sleep_for(world.loop.clock(), 100ms);
    co_await world.credentials().stop();
    co_await group.join();
    co_await ScriptedPlugin::ask(&world, &later);
  });

  CHECK(waiting == "getting credentials: stopped (exec of user \"u\" in kubeconfig /k)");
  CHECK(later == waiting);
  CHECK(world.calls.size() == 1);
}

TEST_CASE("if the first caller is canceled, the others get the result of the same run") {
  ScriptedPlugin world;
  std::string cancelled = "no answer";
  std::string answer;

  world.loop.run([&]() -> awaitable<void> {
    async::TaskGroup first(world.loop.executor());
    async::TaskGroup others(world.loop.executor());
    first.spawn(ScriptedPlugin::ask(&world, &cancelled));
    co_await sandbox::loop::yield();
    others.spawn(ScriptedPlugin::ask(&world, &answer));
    co_await sandbox::loop::yield();
    first.stop();
    co_await first.join();
    co_await others.join();
  });

  CHECK(cancelled == "no answer");
  CHECK(answer == "first");
  CHECK(world.calls.size() == 1);
}

TEST_CASE("a rejected credential is replaced once for all rejected requests") {
  ScriptedPlugin world;
  CHECK(world.token() == "first");
  auto sent = world.last;
  world.loop.clock().advance(10s);
  world.says("second");

  world.credentials().reject(sent);
  CHECK(world.token() == "second");
  world.credentials().reject(sent);
  CHECK(world.token() == "second");
  CHECK(world.calls.size() == 2);
}

TEST_CASE("a plugin that returns an equal credential does not change the credential's identity") {
  ScriptedPlugin world;
  CHECK(world.token() == "first");
  auto sent = world.last;
  world.loop.clock().advance(10s);

  world.credentials().reject(sent);
  CHECK(world.token() == "first");

  CHECK(world.calls.size() == 2);
  CHECK(world.last == sent);
}

TEST_CASE("failures and rejections start a plugin at most every five seconds") {
  ScriptedPlugin world;
  world.fails(1, "");
  for (int i = 0; i < 10; ++i) CHECK(world.token().starts_with("getting credentials: "));
  CHECK(world.calls.size() == 1);

  world.loop.clock().advance(5s);
  world.says("first");
  CHECK(world.token() == "first");
  world.says("second");
  for (int i = 0; i < 10; ++i) {
    world.credentials().reject(world.last);
    CHECK(world.token() == "first");
  }
  CHECK(world.calls.size() == 2);
  world.loop.clock().advance(5s);
  CHECK(world.token() == "second");
}

TEST_CASE("the error of a plugin names the plugin, its standard error and its kubeconfig") {
  const std::string where = " (exec of user \"u\" in kubeconfig /k)";
  auto error_of = [](const std::function<void(ScriptedPlugin&)>& breakage) {
    ScriptedPlugin world;
    breakage(world);
    return world.token();
  };

  CHECK(error_of([](ScriptedPlugin& world) { world.fails(255, "Token has expired; run aws sso login"); }) ==
        "getting credentials: exec: executable aws failed with exit code 255: Token has expired; run aws sso login" +
            where);
  CHECK(error_of([](ScriptedPlugin& world) { world.end = invalid_error("exec: executable aws not found"); }) ==
        "getting credentials: exec: executable aws not found; install the aws command" + where);
  CHECK(error_of([](ScriptedPlugin& world) { world.end->value().output = "[]"; }) ==
        "getting credentials: decoding stdout: not an ExecCredential" + where);
  CHECK(error_of([](ScriptedPlugin& world) { world.takes = 61s; }) ==
        "getting credentials: exec: executable aws: no answer within 60s" + where);
  CHECK(error_of([](ScriptedPlugin& world) {
          world.plugin.interactive_mode = "Always";
        }).starts_with("getting credentials: exec plugin cannot support interactive mode"));
}

TEST_CASE("a plugin that fails when its credential has expired fails the request") {
  ScriptedPlugin world;
  world.says("first", R"(,"expirationTimestamp":"2025-01-01T00:00:00Z")");
  CHECK(world.token() == "first");

  world.loop.clock().advance(5s);
  world.fails(1, "no network");

  CHECK(world.token().starts_with("getting credentials: exec: executable aws failed with exit code 1: no network"));
}

}  // namespace
}  // namespace keelson::kube
