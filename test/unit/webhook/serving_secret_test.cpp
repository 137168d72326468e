#include "src/webhook/serving_secret.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"

namespace keelson::webhook {
namespace {

using namespace std::chrono_literals;

const kube::Key kSecret("system", "certificate");

ServingState renewing() {
  ServingState state;
  state.current = {"certificate", "key", "authority"};
  state.next = tls::ServingCertificate{"next certificate", "next key", "next authority"};
  state.next_since = async::WallTime(24h);
  return state;
}

kube::Object secret(const kube::OperatorName& name) {
  const auto stored = json::merge_patch(secret_text(renewing(), kSecret, std::nullopt, name),
                                        R"({"metadata":{"uid":"s-1","resourceVersion":"7"}})");
  REQUIRE(stored);
  auto object = kube::Object::from_json(*stored);
  REQUIRE(object);
  return std::move(*object);
}

TEST_CASE("the annotations of the Secret have the operator's name as their prefix, and keelson.dev for keelson") {
  const auto ours = secret(kube::OperatorName());
  const auto theirs = secret(kube::OperatorName("greeter"));

  CHECK(ours.annotation("keelson.dev/webhook-certificate") == "self-signed");
  CHECK(ours.annotation("keelson.dev/next-certificate-since") == "1970-01-02T00:00:00Z");
  CHECK(theirs.annotation("greeter.keelson.dev/webhook-certificate") == "self-signed");
  CHECK(theirs.annotation("greeter.keelson.dev/next-certificate-since") == "1970-01-02T00:00:00Z");
  CHECK_FALSE(theirs.annotation("keelson.dev/webhook-certificate"));
}

TEST_CASE("a Secret is read by the operator that wrote it, and is not owned by others") {
  const kube::OperatorName greeter("greeter");
  const auto stored = secret(greeter);

  const auto state = parse_secret(stored, greeter);

  CHECK(is_ours(stored, greeter));
  REQUIRE(state);
  CHECK(*state == renewing());
  CHECK_FALSE(is_ours(stored, kube::OperatorName("other")));
  CHECK_FALSE(is_ours(stored, kube::OperatorName()));
}

}  // namespace
}  // namespace keelson::webhook
