// The registration of a program's webhooks.
#include "keelson/detail/controller/webhook_configurations.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::controller {
namespace {

using namespace std::chrono_literals;
using core::v1::Namespace;
using core::v1::Pod;
using webhook::Operation;
using Decided = boost::asio::awaitable<webhook::Decision>;

Decided add_sidecar(Pod&, const webhook::Request&) { co_return webhook::Decision::allow(); }
Decided keep(const webhook::Review<Namespace>&) { co_return webhook::Decision::allow(); }
Decided check(const webhook::Review<Pod>&) { co_return webhook::Decision::allow(); }

struct BoatSpec {};
void describe(kube::Description&, BoatSpec&) {}

kube::Kind boats() {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Boat", "boats"};
  return kind;
}

Definition boat_with_webhooks(webhook::WebhookOptions options = {}) {
  return define(boats())
      .with_defaulter<BoatSpec>([](Context&) { return nullptr; }, options)
      .with_validator<BoatSpec>([](Context&) { return nullptr; }, options);
}

json::Document registered(const std::vector<webhook::Webhook>& webhooks, std::size_t configuration = 0) {
  const auto write_path = [](json::Writer& writer, const std::string& path) { writer.field("path", path); };
  return *json::Document::parse(webhook_configurations(webhooks, write_path).at(configuration).json);
}

std::string only(const std::vector<webhook::Webhook>& webhooks) {
  return registered(webhooks).root().find("webhooks").item(0).text();
}

std::vector<std::string> names(const json::Document& configuration) {
  std::vector<std::string> names;
  for (const auto webhook : configuration.root().find("webhooks").items()) {
    names.emplace_back(webhook.find("name").string().value_or(""));
  }
  return names;
}

}  // namespace

TEST_CASE("a webhook of a kind without a controller is registered as kubebuilder registers it") {
  CHECK(only({webhook::mutating<Pod>(add_sidecar)}) ==
        R"({"admissionReviewVersions":["v1"],"clientConfig":{"path":"/mutate--v1-pod"},"failurePolicy":"Fail",)"
        R"("name":"mpod-v1.kb.io","rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],)"
        R"("resources":["pods"],"scope":"*"}],"sideEffects":"None"})");
}

TEST_CASE("every option of a webhook is registered") {
  const auto written =
      only({webhook::mutating<Pod>(add_sidecar, {.name = "sidecar",
                                                 .operations = {Operation::kCreate},
                                                 .subresources = {"", "ephemeralcontainers"},
                                                 .failure_policy = webhook::FailurePolicy::kIgnore,
                                                 .timeout = 5s,
                                                 .object_selector = "app=web,tier in (a,b),!skip,env!=test"_selector,
                                                 .namespace_selector = "mesh"_selector,
                                                 .match_policy = webhook::MatchPolicy::kExact,
                                                 .reinvocation_policy = webhook::ReinvocationPolicy::kIfNeeded,
                                                 .side_effects = webhook::SideEffects::kNoneOnDryRun})});

  CHECK(written == R"({"admissionReviewVersions":["v1"],"clientConfig":{"path":"/mutate--v1-pod-sidecar"},)"
                   R"("failurePolicy":"Ignore","matchPolicy":"Exact","name":"sidecar.mpod-v1.kb.io",)"
                   R"("namespaceSelector":{"matchExpressions":[{"key":"mesh","operator":"Exists"}]},)"
                   R"("objectSelector":{"matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]},)"
                   R"({"key":"skip","operator":"DoesNotExist"},{"key":"env","operator":"NotIn","values":["test"]}],)"
                   R"("matchLabels":{"app":"web"}},"reinvocationPolicy":"IfNeeded",)"
                   R"("rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],)"
                   R"("resources":["pods","pods/ephemeralcontainers"],"scope":"*"}],)"
                   R"("sideEffects":"NoneOnDryRun","timeoutSeconds":5})");
}

TEST_CASE("two required values of the same label are both registered") {
  const auto written = only({webhook::mutating<Pod>(add_sidecar, {.object_selector = "a=1,a=2"_selector})});

  CHECK(written.find(R"("matchExpressions":[{"key":"a","operator":"In","values":["2"]}],"matchLabels":{"a":"1"})") !=
        std::string::npos);
}

TEST_CASE("the webhooks of all controllers and of the program are registered together, sorted by name") {
  const auto boat = boat_with_webhooks().webhook(webhook::mutating<Pod>(add_sidecar));
  const auto webhooks = webhooks_of({boat}, {webhook::validating<Namespace>(keep, {.operations = {Operation::kDelete}}),
                                             webhook::validating<Pod>(check, {.name = "a"})});

  CHECK(names(registered(webhooks, 0)) == std::vector<std::string>{"mboat-v1.kb.io", "mpod-v1.kb.io"});
  const auto validating = registered(webhooks, 1);
  CHECK(names(validating) == std::vector<std::string>{"a.vpod-v1.kb.io", "vboat-v1.kb.io", "vnamespace-v1.kb.io"});
  CHECK(validating.root().find("webhooks").item(2).find("rules").item(0).find("operations").text() == R"(["DELETE"])");
}

TEST_CASE("kinds with the same name in the core group and in another group have webhooks with distinct names") {
  kube::Kind kind;
  kind.resource = {"sea.example.com", "v1", "Pod", "pods"};
  auto pods = define(kind).with_defaulter<BoatSpec>([](Context&) { return nullptr; });
  pods.webhook(webhook::mutating<Pod>(add_sidecar));

  CHECK(names(registered(pods.parts().webhooks)) ==
        std::vector<std::string>{"mpod-v1.kb.io", "mpod-v1.sea.example.com.kb.io"});
}

TEST_CASE("a defaulter and a validator take the same options") {
  const auto written = only(boat_with_webhooks({.name = "strict", .timeout = 2s}).parts().webhooks);

  CHECK(written.find(R"("path":"/mutate-sea-example-com-v1-boat-strict")") != std::string::npos);
  CHECK(written.find(R"("timeoutSeconds":2)") != std::string::npos);
}

TEST_CASE("validates_deletes() registers each validator of the controller's kind once, in any order of calls") {
  const auto deletes = [](const Definition& definition) {
    std::vector<int> counts;
    for (const auto& webhook : definition.parts().webhooks) {
      const auto& operations = webhook.options.operations;
      counts.push_back(static_cast<int>(std::ranges::count(operations, Operation::kDelete)));
    }
    return counts;
  };
  auto before = define(boats()).validates_deletes();
  before.with_validator<BoatSpec>([](Context&) { return nullptr; });
  auto after = boat_with_webhooks().webhook(webhook::validating<Pod>(check)).validates_deletes().validates_deletes();

  CHECK(deletes(before) == std::vector<int>{1});
  CHECK(deletes(after) == std::vector<int>{0, 1, 0});
}

namespace {

class KeepsBoats final : public webhook::Validator<BoatSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<BoatSpec>&) override {
    co_return webhook::Decision::allow();
  }
  boost::asio::awaitable<webhook::Decision> validate_delete(const webhook::Submission<BoatSpec>&) override {
    co_return webhook::Decision::deny("boats are kept");
  }
};

}  // namespace

TEST_CASE("a validator with validate_delete() is registered for deletes without a further declaration") {
  auto definition = define(boats());
  definition.with_validator<BoatSpec>([](Context&) { return std::make_unique<KeepsBoats>(); });

  CHECK(definition.parts().webhooks.front().options.operations ==
        std::vector{Operation::kCreate, Operation::kUpdate, Operation::kDelete});
}

TEST_CASE("two controllers with the same webhook are rejected, and so are invalid options") {
  const auto other = define(boats()).named("other").webhook(webhook::mutating<Pod>(add_sidecar));
  const auto boat = boat_with_webhooks().webhook(webhook::mutating<Pod>(add_sidecar));

  CHECK_NOTHROW(check_definitions({boat}));
  CHECK_THROWS_AS(check_definitions({boat, other}), base::Misuse);
  CHECK_THROWS_AS(check_definitions({boat_with_webhooks({.timeout = 0s})}), base::Misuse);
}

}  // namespace keelson::controller
