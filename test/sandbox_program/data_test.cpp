// `--data`: the stored state after SIGKILL and on a full disk, and errors about files that cannot be used.
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <filesystem>
#include <map>

#include "keelson/async/task_group.hpp"
#include "keelson/json/value.hpp"
#include "test/sandbox_program/connected.hpp"
#include "test/sandbox_program/started.hpp"
#include "test/support/files.hpp"

namespace keelson::testing {
namespace {

using boost::asio::awaitable;

constexpr std::size_t kNamesOfWriter = 4;

// The value of the key v in a ConfigMap; nullopt: it does not exist.
using Value = std::optional<std::string>;

struct Write {
  std::string name;
  Value value;
};

// The state that a writer knows after the server has ended.
struct Writer {
  int number = 0;
  std::map<std::string, Value> acknowledged;
  std::optional<Write> in_flight;  // no reply came
};

struct Round {
  kube::Client& client;
  base::Random& random;
  Started& server;
  int replies_left = 0;  // the server is killed after that many
  std::uint64_t highest = 0;
};

Write next_write(const Writer& writer, Round& round, int step) {
  auto slot = round.random.between(0, kNamesOfWriter - 1);
  auto name = "w" + std::to_string(writer.number) + "-" + std::to_string(slot);
  auto found = writer.acknowledged.find(name);
  bool exists = found != writer.acknowledged.end() && found->second;
  if (exists && round.random.between(0, 2) == 0) return {name, std::nullopt};
  // Some of the values take several pages of the database.
  auto padding = std::string(static_cast<std::size_t>(round.random.between(0, 6000)), 'x');
  return {name, std::to_string(step) + padding};
}

awaitable<void> write_until_killed(Writer& writer, Round& round) {
  for (int step = 0;; ++step) {
    auto write = next_write(writer, round, step);
    const auto had = writer.acknowledged.find(write.name);
    bool exists = had != writer.acknowledged.end() && had->second;
    writer.in_flight = write;
    kube::ApiRequest request;
    request.resource = kube::config_maps();
    request.key = kube::Key("default", exists ? write.name : "");
    request.verb = !write.value ? kube::Verb::kDelete : exists ? kube::Verb::kPatch : kube::Verb::kCreate;
    if (write.value) {
      request.body = R"({"metadata":{"name":")" + write.name + R"("},"data":{"v":")" + *write.value + "\"}}";
    }
    auto reply = co_await round.client.send(std::move(request));
    if (!reply) co_return;
    writer.acknowledged[write.name] = write.value;
    writer.in_flight.reset();
    auto object = kube::Object::from_json(reply->body);
    if (object) round.highest = std::max(round.highest, object->resource_version());
    if (--round.replies_left == 0) round.server.signal(SIGKILL);
  }
}

// The stored values.
std::map<std::string, Value> stored(Connected& connected) {
  std::map<std::string, Value> found;
  auto list = connected.ask(kube::list(*connected.client, kube::config_maps(), {.ns = "default"}));
  REQUIRE(list);
  for (const auto& object : list->items) {
    auto document = json::Document::parse(object.json());
    auto value = document->root().find("data").find("v").string();
    if (value) found.emplace(object.name(), std::string(*value));
  }
  return found;
}

void check_writer(Writer& writer, const std::map<std::string, Value>& found) {
  for (auto& [name, value] : writer.acknowledged) {
    auto at = found.find(name);
    auto is = at == found.end() ? Value() : at->second;
    bool is_in_flight = writer.in_flight && writer.in_flight->name == name;
    INFO(name);
    CHECK((is == value || (is_in_flight && is == writer.in_flight->value)));
    value = is;
  }
  if (writer.in_flight && !writer.acknowledged.contains(writer.in_flight->name)) {
    auto at = found.find(writer.in_flight->name);
    if (at != found.end()) writer.acknowledged[at->first] = at->second;
  }
  writer.in_flight.reset();
}

TEST_CASE("no acknowledged write is lost when the server is killed at any moment under concurrent writers") {
  constexpr int kRounds = 40;
  TemporaryFolder folder;
  base::Random random(1);
  std::vector<Writer> writers(6);
  for (std::size_t i = 0; i < writers.size(); ++i) writers[i].number = static_cast<int>(i);
  std::uint64_t highest = 0;

  for (int number = 0; number <= kRounds; ++number) {
    INFO("round " << number);
    Started server({"--data", folder.file("data"), "--no-controllers"});
    Connected connected(server.kubeconfig());
    auto found = stored(connected);
    for (auto& writer : writers) check_writer(writer, found);
    auto probe = connected.ask(
        kube::create(*connected.client, kube::config_maps(), "default", R"({"metadata":{"generateName":"probe-"}})"));
    REQUIRE(probe);
    CHECK(probe->resource_version() > highest);
    Round round{*connected.client, random, server, static_cast<int>(random.between(1, 150)), 0};
    connected.loop.run_real([&]() -> awaitable<void> {
      co_await async::with_task_group([&](async::TaskGroup& group) -> awaitable<void> {
        for (auto& writer : writers) group.spawn(write_until_killed(writer, round));
        co_await group.join();
      });
    });
    CHECK(server.wait() == 128 + SIGKILL);
    CHECK(round.replies_left <= 0);
    highest = std::max(highest, round.highest);
  }
}

std::string without_server(const std::string& kubeconfig) {
  auto from = kubeconfig.find("    server:");
  REQUIRE(from != std::string::npos);
  return kubeconfig.substr(0, from) + kubeconfig.substr(kubeconfig.find('\n', from) + 1);
}

TEST_CASE("a restart retains the token and the certificate, and the controllers start nothing twice") {
  TemporaryFolder folder;
  std::string before;
  std::size_t objects = 0;
  for (int life = 0; life < 3; ++life) {
    INFO("life " << life);
    Started started({"--data", folder.file("data"), "--kubeconfig-out", folder.file("k")});
    Connected connected(started.kubeconfig());
    std::size_t count = 0;
    for (const kube::Resource& resource :
         {kube::Resource("", "v1", "Namespace", "namespaces", false), kube::Resource("", "v1", "Node", "nodes", false),
          kube::services(), kube::config_maps(), kube::Resource("", "v1", "ServiceAccount", "serviceaccounts")}) {
      auto list = connected.ask(kube::list(*connected.client, resource, {}));
      REQUIRE(list);
      count += list->items.size();
    }
    auto kubeconfig = without_server(folder.read("k"));
    if (life > 0) CHECK(kubeconfig == before);
    if (life > 0) CHECK(count == objects);
    before = kubeconfig;
    objects = count;
    started.signal(life == 0 ? SIGKILL : SIGTERM);
    CHECK(started.wait() == (life == 0 ? 128 + SIGKILL : 0));
  }
  CHECK(objects == 4 + 1 + 1 + 4 + 4);
}

TEST_CASE("the flag --token replaces the stored token, and another address gets another certificate") {
  TemporaryFolder folder;
  auto kubeconfig_with = [&folder](std::vector<std::string> arguments) {
    for (const auto& word : {std::string("--data"), folder.file("data")}) arguments.push_back(word);
    Started started(arguments);
    auto text = without_server(content_of(started.kubeconfig()));
    started.signal(SIGTERM);
    CHECK(started.wait() == 0);
    return text;
  };

  auto given = kubeconfig_with({"--token", "given"});
  auto later = kubeconfig_with({});
  auto elsewhere = kubeconfig_with({"--bind-address", "127.0.0.2"});
  auto back = kubeconfig_with({});

  CHECK(given.find("token: \"given\"") != std::string::npos);
  CHECK(later == given);
  CHECK(elsewhere != given);
  CHECK(elsewhere.find("token: \"given\"") != std::string::npos);
  CHECK(back == elsewhere);
}

TEST_CASE("on a full disk writes get a 500 with the fix, reads work, and nothing is lost") {
  TemporaryFolder folder;
  const auto path = folder.file("data");
  auto create = [](Connected& connected, const std::string& name) {
    auto body = R"({"metadata":{"name":")" + name + R"("},"data":{"v":")" + std::string(20'000, 'x') + "\"}}";
    return connected.ask(kube::create(*connected.client, kube::config_maps(), "default", body));
  };
  {
    Started started({"--data", path, "--no-controllers"});
    Connected connected(started.kubeconfig());
    REQUIRE(create(connected, "before"));
    const kube::Resource namespaces("", "v1", "Namespace", "namespaces", false);
    REQUIRE(connected.ask(kube::create(*connected.client, namespaces, "", R"({"metadata":{"name":"other"}})")));
    started.limit_files(std::filesystem::file_size(path + "-wal") + 10'000);

    auto failed = create(connected, "during");
    auto removed = connected.ask(kube::remove(*connected.client, namespaces, {"", "other"}, {}));

    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == 500);
    CHECK(failed.error().server_text == "database space exceeded: cannot write " + path +
                                            ": file too large: nothing was changed: free space on its file system, "
                                            "then repeat the request");
    CHECK(stored(connected).size() == 1);
    started.limit_files(std::nullopt);
    CHECK(create(connected, "after"));
    CHECK((removed || removed.error().code == 500));
    started.signal(SIGKILL);
    CHECK(started.wait() == 128 + SIGKILL);
    CHECK(started.errors().find("Writes to the data file fail") != std::string::npos);
  }
  Started started({"--data", path, "--no-controllers"});
  Connected connected(started.kubeconfig());
  auto found = stored(connected);
  CHECK(found.contains("after"));
  CHECK_FALSE(found.contains("during"));
}

TEST_CASE("a data file that cannot be used ends the program with exit code 1 and an error that names the file") {
  TemporaryFolder folder;
  Started first({"--data", folder.file("data")});
  static_cast<void>(first.kubeconfig());
  folder.write("text", "hello");

  Started second({"--data", folder.file("data")});
  Started foreign({"--data", folder.file("text")});
  Started nowhere({"run", "--data", folder.file("none/data"), "--", "true"});

  CHECK(second.wait() == 1);
  CHECK(second.errors() == "keelson-sandbox: --data: " + folder.file("data") +
                               " is in use by another process: stop that process, or give the name of another file\n");
  CHECK(foreign.wait() == 1);
  CHECK(foreign.errors() == "keelson-sandbox: --data: " + folder.file("text") +
                                " is not a data file of keelson-sandbox, and was not changed: give the name of another "
                                "file\n");
  CHECK(folder.read("text") == "hello");
  CHECK(nowhere.wait() == 1);
  CHECK(nowhere.errors().find("no such file or directory") != std::string::npos);
}

TEST_CASE("a WAL that has changed after SIGKILL ends the program with an error, and is not changed") {
  TemporaryFolder folder;
  const std::vector<std::string> arguments{"--data", folder.file("data"), "--no-controllers"};
  {
    Started server(arguments);
    Connected connected(server.kubeconfig());
    for (int i = 0; i < 20; ++i) {
      auto body = R"({"metadata":{"name":"a)" + std::to_string(i) + "\"}}";
      REQUIRE(connected.ask(kube::create(*connected.client, kube::config_maps(), "default", body)));
    }
    server.signal(SIGKILL);
    REQUIRE(server.wait() == 128 + SIGKILL);
  }
  auto wal = folder.read("data-wal");
  auto& changed = wal[wal.size() / 2];
  changed = static_cast<char>(changed ^ 4);
  folder.write("data-wal", wal);

  Started server(arguments);

  CHECK(server.wait() == 1);
  CHECK(server.errors().starts_with("keelson-sandbox: --data: " + folder.file("data") +
                                    " is damaged (acknowledged writes are missing: "));
  CHECK(folder.read("data-wal") == wal);
}

TEST_CASE("the token of a ServiceAccount is valid after a restart") {
  TemporaryFolder folder;
  const std::vector<std::string> arguments{"--data", folder.file("data")};
  const kube::Resource accounts("", "v1", "ServiceAccount", "serviceaccounts");
  std::string token;
  {
    Started server(arguments);
    Connected connected(server.kubeconfig());
    REQUIRE(connected.ask(kube::create(*connected.client, accounts, "default", R"({"metadata":{"name":"worker"}})")));
    kube::ApiRequest request;
    request.verb = kube::Verb::kCreate;
    request.resource = accounts;
    request.key = kube::Key("default", "worker");
    request.subresource = "token";
    request.body = "{}";
    auto reply = connected.ask(connected.client->send(request));
    REQUIRE(reply);
    auto document = json::Document::parse(reply->body);
    REQUIRE(document);
    token = document->root().at({"status", "token"}).string().value_or("");
    server.signal(SIGKILL);
    REQUIRE(server.wait() == 128 + SIGKILL);
  }

  Started server(arguments);
  auto kubeconfig = server.kubeconfig();
  Connected worker(kubeconfig, token);
  CHECK(worker.ask(kube::list(*worker.client, kube::config_maps(), {})));
  Connected stranger(kubeconfig, token + "A");
  CHECK_FALSE(stranger.ask(kube::list(*stranger.client, kube::config_maps(), {})));
}

}  // namespace
}  // namespace keelson::testing
