// The names of webhooks, and mistakes in their declarations.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/misuse.hpp"
#include "test/unit/webhook/loaf.hpp"

namespace keelson::webhook {
namespace {

using namespace std::chrono_literals;
using testing::Loaf;

boost::asio::awaitable<Decision> change(Loaf&, const Request&) { co_return Decision::allow(); }
boost::asio::awaitable<Decision> judge(const Review<Loaf>&) { co_return Decision::allow(); }

// The text of the mistake; empty: no mistake.
std::string mistake(const std::vector<Webhook>& webhooks) {
  try {
    check_webhooks(webhooks);
  } catch (const base::Misuse& misuse) {
    return misuse.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a webhook's name is part of its path and comes before kubebuilder's name") {
  const auto plain = mutating<Loaf>(change);
  const auto named = mutating<Loaf>(change, {.name = "butter"});
  const auto scale = validating<Loaf>(judge, {.subresources = {"scale"}, .resource = kube::deployments()});

  CHECK(plain.path() == "/mutate-kitchen-example-com-v1-loaf");
  CHECK(plain.name() == "mloaf-v1.kb.io");
  CHECK(named.path() == "/mutate-kitchen-example-com-v1-loaf-butter");
  CHECK(named.name() == "butter.mloaf-v1.kb.io");
  CHECK(scale.path() == "/validate-apps-v1-deployment");
  CHECK(scale.name() == "vdeployment-v1.kb.io");
}

TEST_CASE("webhooks of one kind need names that differ, but a mutating and a validating one do not") {
  CHECK(mistake({mutating<Loaf>(change), validating<Loaf>(judge), mutating<Loaf>(change, {.name = "a"})}).empty());
  CHECK(mistake({mutating<Loaf>(change), mutating<Loaf>(change)}) ==
        "the mutating webhook of loaves.kitchen.example.com: another webhook has the path "
        "/mutate-kitchen-example-com-v1-loaf: give one of them a name with .name = \"…\"");
  CHECK(mistake({validating<Loaf>(judge, {.name = "a"}), validating<Loaf>(judge, {.name = "a"})})
            .starts_with("the validating webhook \"a\" of loaves.kitchen.example.com: another webhook has the path "));
}

TEST_CASE("options that the API server rejects, or that cannot work, are a mistake with its fix") {
  const std::string mutates = "the mutating webhook of loaves.kitchen.example.com: ";
  const std::string validates = "the validating webhook of loaves.kitchen.example.com: ";
  CHECK(mistake({mutating<Loaf>(change, {.operations = {Operation::kCreate, Operation::kDelete}})}) ==
        mutates + ".operations has kDelete, but a delete has no object that could be patched: use webhook::validating");
  CHECK(mistake({validating<Loaf>(judge, {.operations = {Operation::kDelete}})}).empty());
  CHECK(mistake({mutating<Loaf>(change, {.operations = {}})}) ==
        mutates + ".operations is empty: leave it out for creates and updates");
  CHECK(mistake({mutating<Loaf>(change, {.timeout = 0s})}) ==
        mutates + ".timeout is 0s: the API server waits from 1s to 30s");
  CHECK(mistake({mutating<Loaf>(change, {.timeout = 31s})}).find("31s") != std::string::npos);
  CHECK(mistake({mutating<Loaf>(change, {.timeout = 30s})}).empty());
  CHECK(mistake({mutating<Loaf>(change, {.subresources = {"Status"}})})
            .starts_with(mutates + ".subresources has \"Status\": write it as in a URL"));
  CHECK(mistake({validating<Loaf>(judge, {.subresources = {"", "scale"}})})
            .starts_with(validates + "requests to subresource scale carry an object of another kind"));
  CHECK(mistake({validating<Loaf>(judge, {.reinvocation_policy = ReinvocationPolicy::kIfNeeded})}) ==
        validates + ".reinvocation_policy is for mutating webhooks: leave it out");
  for (const auto* name : {"Side", "-a", "a.b", "1a", "a123456789012345678901234567890123456789x"}) {
    INFO(name);
    CHECK(mistake({mutating<Loaf>(change, {.name = name})}).find(".name is not a valid name") != std::string::npos);
  }
}

}  // namespace keelson::webhook
