// The initial objects of a cluster and of each of its namespaces.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using std::chrono::milliseconds;
using std::chrono::seconds;

const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);
const kube::Resource kNodes("", "v1", "Node", "nodes", false);
const kube::Resource kAccounts("", "v1", "ServiceAccount", "serviceaccounts");

ApiServerOptions cluster_options(bool has_controllers = true) {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  options.has_controllers = has_controllers;
  options.root_ca_pem = "PEM";
  return options;
}

// "namespace/name" of all objects of a kind.
std::vector<std::string> keys(const ApiServer& server, const kube::Resource& resource) {
  std::vector<std::string> found;
  for (const auto& object : server.objects(resource)) {
    found.push_back(std::string(object.ns()) + "/" + std::string(object.name()));
  }
  std::ranges::sort(found);
  return found;
}

TEST_CASE("the objects of a new cluster are valid, although they are not validated when they are written") {
  Talk talk(cluster_options(false));
  const Kinds kinds;
  std::size_t count = 0;
  for (const auto& kind : kinds.all()) {
    if (!kind.allows("update")) continue;
    for (const auto& object : talk.server.objects(kind.resource)) {
      CAPTURE(kind.resource.kind, object.name());
      auto written = talk.ask(kube::update(talk.client(), kind.resource, object.key(), std::string(object.json())));
      CHECK((written || written.error().message() == ""));
      ++count;
    }
  }
  CHECK(count > 20);
}

TEST_CASE("a new cluster has its namespaces, its node, the Service kubernetes, and the objects of each namespace") {
  Talk talk(cluster_options());

  CHECK(keys(talk.server, kNamespaces) ==
        std::vector<std::string>{"/default", "/kube-node-lease", "/kube-public", "/kube-system"});
  CHECK(keys(talk.server, kube::services()) == std::vector<std::string>{"default/kubernetes"});
  CHECK(keys(talk.server, kNodes) == std::vector<std::string>{"/node-1"});
  CHECK(keys(talk.server, kAccounts) == std::vector<std::string>{"default/default", "kube-node-lease/default",
                                                                 "kube-public/default", "kube-system/default"});
  auto maps = talk.server.objects(kube::config_maps());
  REQUIRE(maps.size() == 4);
  auto document = json::Document::parse(maps[0].json());
  CHECK(maps[0].name() == "kube-root-ca.crt");
  CHECK(document->root().at({"data", "ca.crt"}).string() == std::string_view("PEM"));
}

TEST_CASE("a new namespace gets its ServiceAccount and its ConfigMap, also again after they were deleted") {
  Talk talk(cluster_options());
  REQUIRE(talk.ask(kube::create(talk.client(), kNamespaces, "", R"({"metadata":{"name":"team"}})")));

  talk.pass(seconds(1));
  REQUIRE(talk.ask(kube::get(talk.client(), kAccounts, {"team", "default"})));
  REQUIRE(talk.ask(kube::remove(talk.client(), kAccounts, {"team", "default"}, {})));
  REQUIRE(talk.ask(kube::remove(talk.client(), kube::config_maps(), {"team", "kube-root-ca.crt"}, {})));
  talk.pass(seconds(1));

  CHECK(talk.ask(kube::get(talk.client(), kAccounts, {"team", "default"})));
  CHECK(talk.ask(kube::get(talk.client(), kube::config_maps(), {"team", "kube-root-ca.crt"})));
}

TEST_CASE("a changed kube-root-ca.crt is restored, except for labels and other annotations") {
  Talk talk(cluster_options());
  const kube::Key key("default", "kube-root-ca.crt");
  REQUIRE(talk.ask(kube::patch(talk.client(), kube::config_maps(), key, kube::PatchType::kMerge,
                               R"({"data":{"ca.crt":"x","more":"y"},"metadata":{"labels":{"a":"b"},)"
                               R"("annotations":{"kubernetes.io/description":null,"q":"r"}}})")));
  talk.pass(seconds(1));

  const auto restored = talk.ask(kube::get(talk.client(), kube::config_maps(), key));
  REQUIRE(restored);
  CHECK(restored->json().find(R"("data":{"ca.crt":"PEM"})") != std::string_view::npos);
  CHECK(restored->label("a") == "b");
  CHECK(restored->annotation("q") == "r");
  CHECK(restored->annotation("kubernetes.io/description"));
}

TEST_CASE("without controllers there is no node, and namespaces stay empty") {
  Talk talk(cluster_options(false));
  REQUIRE(talk.ask(kube::create(talk.client(), kNamespaces, "", R"({"metadata":{"name":"team"}})")));

  talk.pass(seconds(1));

  CHECK(keys(talk.server, kNodes).empty());
  CHECK(keys(talk.server, kAccounts).empty());
  CHECK(keys(talk.server, kube::config_maps()).empty());
  CHECK(keys(talk.server, kube::services()).size() == 1);
}

TEST_CASE("all watches end gracefully when the server is about to stop, also those that are opened later") {
  Talk talk(cluster_options());
  auto handler = talk.server.handler();
  net::Request request;
  request.target = "/api/v1/services?watch=1";
  net::ServerReply before;
  net::ServerReply after;
  std::vector<std::string> pieces;

  talk.loop.run([&]() -> boost::asio::awaitable<void> {
    before = co_await handler(request);
    talk.server.end_watches();
    after = co_await handler(request);
    for (auto* reply : {&before, &after}) {
      while (auto piece = co_await reply->streaming->next()) pieces.push_back(*piece);
    }
  });

  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0] == pieces[1]);
  CHECK(pieces[0].starts_with(R"({"type":"ADDED","object":)"));
}

TEST_CASE("controllers wait on their own clock") {
  sandbox::loop::TestLoop loop;
  base::Random random(1);
  // A clock that stands still while the server's clock moves.
  sandbox::loop::TestLoop other;
  ApiServerOptions options;
  options.controller_clock = &other.clock();
  ApiServer server(loop.clock(), random, options);
  auto create = [&]() -> boost::asio::awaitable<void> {
    auto made = co_await kube::create(server.client("tester"), kube::pods(), "default",
                                      R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    CHECK(made.has_value());
    co_await async::sleep_for(loop.clock(), seconds(60));
  };
  auto phase = [&] {
    auto document = json::Document::parse(server.objects(kube::pods()).at(0).json());
    return std::string(document->root().at({"status", "phase"}).string().value_or(""));
  };

  loop.run(create());
  CHECK(phase() != "Running");
  other.run([&]() -> boost::asio::awaitable<void> { co_await async::sleep_for(other.clock(), seconds(1)); });
  CHECK(phase() == "Running");
}

}  // namespace
}  // namespace keelson::sandbox
