// The server as a process: its kubeconfig, its authentication, its end.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "test/sandbox_program/connected.hpp"
#include "test/sandbox_program/started.hpp"
#include "test/support/files.hpp"

namespace keelson::testing {
namespace {

namespace asio = boost::asio;

const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);

TEST_CASE(
    "the server accepts its kubeconfig, which only its owner can read, until SIGTERM, and leaves no files behind") {
  Started started({});
  const auto kubeconfig = started.kubeconfig();

  CHECK(mode_of(kubeconfig) == 0600);
  CHECK(mode_of(std::filesystem::path(kubeconfig).parent_path()) == 0700);
  CHECK(started.left_behind().size() == 1);
  {
    Connected connected(kubeconfig);
    auto namespaces = connected.ask(kube::list(*connected.client, kNamespaces, {}));
    REQUIRE(namespaces);
    CHECK(namespaces->items.size() == 4);
    auto lost =
        connected.ask(kube::create(*connected.client, kube::config_maps(), "nowhere", R"({"metadata":{"name":"a"}})"));
    REQUIRE_FALSE(lost);
    CHECK(lost.error().server_text == "namespaces \"nowhere\" not found");
  }
  started.signal(SIGTERM);

  CHECK(started.wait() == 0);
  CHECK(started.left_behind().empty());
  CHECK(started.errors().empty());
}

TEST_CASE("a request with another token or without one is unauthorized") {
  Started started({"--token", "right"});
  const auto kubeconfig = started.kubeconfig();

  Connected right(kubeconfig);
  Connected wrong(kubeconfig, "wrong");
  CHECK(right.ask(kube::list(*right.client, kNamespaces, {})));
  auto rejected = wrong.ask(kube::list(*wrong.client, kNamespaces, {}));

  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().code == 401);
  CHECK(rejected.error().reason == "Unauthorized");
}

TEST_CASE("a watch ends cleanly when the server stops") {
  for (int number : {SIGTERM, SIGINT}) {
    Started started({});
    Connected connected(started.kubeconfig());
    kube::ApiRequest watch;
    watch.verb = kube::Verb::kWatch;
    watch.resource = kNamespaces;
    watch.query = {{"allowWatchBookmarks", "true"}};  // the next bookmark is a minute ahead
    std::size_t events = 0;
    bool has_ended = false;

    connected.loop.run_real([&]() -> asio::awaitable<void> {
      auto stream = co_await connected.client->stream(watch);
      REQUIRE(stream);
      char buffer[65536];
      for (;;) {
        auto got = co_await (*stream)->read_some(buffer);
        REQUIRE(got);  // a body that breaks off is an error
        has_ended = *got == 0;
        if (has_ended) co_return;
        bool was_complete = events >= 4;
        events += static_cast<std::size_t>(std::count(buffer, buffer + *got, '\n'));
        if (events >= 4 && !was_complete) started.signal(number);
      }
    });

    CHECK(has_ended);
    CHECK(events == 4);
    CHECK(started.wait() == 0);
  }
}

TEST_CASE("the server starts although the host's openssl.cnf names a provider that cannot be loaded") {
  const TemporaryFolder folder;
  const auto path = folder.write("openssl.cnf",
                                 "openssl_conf = all\nconfig_diagnostics = 1\n[all]\nproviders = providers\n"
                                 "[providers]\nhosts = hosts\n[hosts]\nmodule = /missing.so\nactivate = 1\n");
  ::setenv("OPENSSL_CONF", path.c_str(), 1);
  Started started({"--no-controllers"});
  ::unsetenv("OPENSSL_CONF");

  CHECK(std::filesystem::exists(started.kubeconfig()));
}

TEST_CASE("the server writes the kubeconfig to the file of --kubeconfig-out, which remains") {
  TemporaryFolder folder;
  const auto path = folder.file("sandbox.kubeconfig");
  Started started({"--kubeconfig-out", path, "--bind-address=0.0.0.0", "--no-controllers"});

  CHECK(started.kubeconfig() == path);
  CHECK(mode_of(path) == 0600);
  CHECK(started.left_behind().empty());
  {
    Connected connected(path);
    auto accounts = connected.ask(kube::list(*connected.client, {"", "v1", "ServiceAccount", "serviceaccounts"}, {}));
    REQUIRE(accounts);
    CHECK(accounts->items.empty());
  }
  started.signal(SIGINT);
  CHECK(started.wait() == 0);
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("pods become ready after --pod-start on the clock of --speed") {
  Started started({"--pod-start=1h", "--speed=10000"});
  Connected connected(started.kubeconfig());
  auto& client = *connected.client;
  REQUIRE(connected.ask(kube::create(client, kube::pods(), "default",
                                     R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})")));
  kube::ApiRequest watch;
  watch.verb = kube::Verb::kWatch;
  watch.resource = kube::pods();
  std::string seen;

  connected.loop.run_real([&]() -> asio::awaitable<void> {
    auto stream = co_await client.stream(watch);
    REQUIRE(stream);
    char buffer[4096];
    while (seen.find(R"("phase":"Running")") == std::string::npos) {
      auto got = co_await (*stream)->read_some(buffer);
      REQUIRE((got && *got > 0));
      seen.append(buffer, *got);
    }
  });

  CHECK(seen.find(R"("name":"c","state":{"running":{"startedAt":)") != std::string::npos);
}

TEST_CASE("an address or file that cannot be used ends the program with exit code 1 and an error that names it") {
  TemporaryFolder folder;
  Started first({});
  Connected connected(first.kubeconfig());
  Started nowhere({"--kubeconfig-out", folder.file("none/kubeconfig")});
  Started elsewhere({"--bind-address=203.0.113.1"});

  CHECK(nowhere.wait() == 1);
  CHECK(nowhere.errors().find("keelson-sandbox: kubeconfig: cannot write " + folder.file("none/kubeconfig") +
                              ": no such file or directory\n") == 0);
  CHECK(elsewhere.wait() == 1);
  CHECK(elsewhere.errors().find("203.0.113.1") != std::string::npos);
  CHECK(elsewhere.left_behind().empty());
}

TEST_CASE("an invalid command line ends the program with exit code 2 and an error on standard error") {
  Started started({"--port=x"});

  CHECK(started.wait() == 2);
  CHECK(started.errors() ==
        "invalid value \"x\" for flag -port: give a number from 0 to 65535; 0 picks a free port\n"
        "Run 'keelson-sandbox --help' for usage.\n");
  CHECK(started.output().empty());
}

TEST_CASE("help and version are printed") {
  Started help({"--help"});
  Started version({"version"});
  Started short_version({"--version"});

  CHECK(help.wait() == 0);
  CHECK(help.output().find("--kubeconfig-out FILE") != std::string::npos);
  CHECK(version.wait() == 0);
  CHECK(version.output().find("OpenSSL") != std::string::npos);
  CHECK(short_version.wait() == 0);
  CHECK(short_version.output().find("OpenSSL") != std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
