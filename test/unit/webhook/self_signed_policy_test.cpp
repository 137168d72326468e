#include "src/webhook/self_signed_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/webhook/ca_bundle.hpp"
#include "src/webhook/serving_secret.hpp"

using namespace keelson;
using namespace keelson::webhook;
using namespace std::chrono_literals;
using Secret = SelfSignedSeen::Secret;

namespace {

constexpr auto kDay = std::chrono::hours(24);
const async::WallTime kMade{std::chrono::hours(24 * 365 * 50)};
const std::string kName = "webhook.system.svc";

tls::ServingCertificateFacts facts_from(async::WallTime made) { return {{kName}, made, made + kCertificateLifetime}; }

// A valid certificate of the first day, published since then, observed `age` later.
SelfSignedSeen seen_after(async::Duration age) {
  SelfSignedSeen seen;
  seen.secret = Secret::kGood;
  seen.current = facts_from(kMade);
  seen.published_for = age;
  seen.name = kName;
  seen.now = kMade + age;
  return seen;
}

SelfSignedSeen with_next(SelfSignedSeen seen, async::Duration ago) {
  seen.next_since = seen.now - ago;
  seen.next = facts_from(seen.next_since);
  return seen;
}

}  // namespace

TEST_CASE("an API server that cannot be asked is not a certificate that cannot be read") {
  const auto status = [](int code) {
    Error error(Error::Kind::kStatus, "get secrets");
    error.code = code;
    return error;
  };
  CHECK_FALSE(is_about_certificate(transport_error("connection refused")));
  CHECK_FALSE(is_about_certificate(timeout_error("no reply")));
  CHECK_FALSE(is_about_certificate(status(500)));
  CHECK_FALSE(is_about_certificate(status(503)));
  CHECK_FALSE(is_about_certificate(status(429)));
  CHECK_FALSE(is_about_certificate(status(401)));
  CHECK(is_about_certificate(status(403)));
  CHECK(is_about_certificate(status(422)));
  CHECK(is_about_certificate(invalid_error("secret a/b was not created by this operator")));
}

TEST_CASE(
    "a Secret that is absent is created, one that is invalid is replaced, and one that is not owned is rejected") {
  auto seen = seen_after(kDay);

  seen.secret = Secret::kAbsent;
  CHECK(decide(seen) == SelfSignedAction::kCreate);
  seen.secret = Secret::kNotOwned;
  CHECK(decide(seen) == SelfSignedAction::kReject);
  seen.secret = Secret::kUnreadable;
  CHECK(decide(seen) == SelfSignedAction::kReplace);
}

TEST_CASE("the next certificate is prepared when a third of the lifetime is left, and not before") {
  CHECK(decide(seen_after(0s)) == SelfSignedAction::kNothing);
  CHECK(decide(seen_after(kCertificateLifetime - kRenewBefore - 1s)) == SelfSignedAction::kNothing);
  CHECK(decide(seen_after(kCertificateLifetime - kRenewBefore)) == SelfSignedAction::kPrepareNext);
  CHECK(decide(seen_after(kCertificateLifetime - 1s)) == SelfSignedAction::kPrepareNext);
}

TEST_CASE("the next certificate is promoted an hour after its creation, if its CA has been published") {
  auto due = seen_after(kCertificateLifetime - kRenewBefore);

  CHECK(decide(with_next(due, 0s)) == SelfSignedAction::kNothing);
  CHECK(decide(with_next(due, kPublishedBefore - 1s)) == SelfSignedAction::kNothing);
  CHECK(decide(with_next(due, kPublishedBefore)) == SelfSignedAction::kPromote);
  due.published_for = kSeenBefore - 1s;
  CHECK(decide(with_next(due, kPublishedBefore)) == SelfSignedAction::kNothing);
  due.published_for.reset();
  CHECK(decide(with_next(due, kPublishedBefore)) == SelfSignedAction::kNothing);
}

TEST_CASE("the time for which a CA bundle has been published starts again with a new bundle") {
  const async::TimePoint begin{};
  PublishedSpan span;
  CHECK_FALSE(span.at(begin).has_value());

  span.saw("a", begin);
  span.saw("a", begin + 1h);
  CHECK(span.at(begin + 1h) == 1h);
  span.saw("ab", begin + 1h);
  CHECK(span.at(begin + 1h) == 0s);
  CHECK(span.at(begin + 2h) == 1h);
  span.lost();
  CHECK_FALSE(span.at(begin + 2h).has_value());
  span.saw("ab", begin + 3h);
  CHECK(span.at(begin + 3h) == 0s);
}

TEST_CASE("a next certificate that cannot be used is created again") {
  auto due = with_next(seen_after(kCertificateLifetime - kRenewBefore), kPublishedBefore);

  auto other_name = due;
  other_name.next->names = {"other.system.svc"};
  auto ended = due;
  ended.next->until = ended.now;

  CHECK(decide(other_name) == SelfSignedAction::kPrepareNext);
  CHECK(decide(ended) == SelfSignedAction::kPrepareNext);
}

TEST_CASE("an expired certificate is replaced immediately") {
  CHECK(decide(seen_after(kCertificateLifetime)) == SelfSignedAction::kReplace);
  CHECK(decide(with_next(seen_after(kCertificateLifetime), 1s)) == SelfSignedAction::kReplace);
}

TEST_CASE("a certificate for another Service is replaced without waiting for the hour") {
  auto moved = seen_after(kDay);
  moved.current.names = {"other.system.svc"};

  CHECK(decide(moved) == SelfSignedAction::kPrepareNext);
  CHECK(decide(with_next(moved, 0s)) == SelfSignedAction::kPromote);
  moved.published_for.reset();
  CHECK(decide(with_next(moved, 0s)) == SelfSignedAction::kNothing);
}

TEST_CASE("a Secret is read back as it was written, and the Secret of another program is recognized") {
  ServingState state;
  state.current = {"certificate", "key", "authority"};
  state.next = tls::ServingCertificate{"next certificate", "next key", "next authority"};
  state.next_since = kMade;
  state.former_authority = "former";

  auto written = *kube::Object::from_json(secret_text(state, {"system", "cert"}, std::nullopt));
  auto foreign = *kube::Object::from_json(R"({"metadata":{"name":"cert"},"data":{"tls.crt":"eA==","tls.key":"eA=="}})");

  CHECK(is_ours(written));
  CHECK(*parse_secret(written) == state);
  CHECK_FALSE(is_ours(foreign));
  CHECK_FALSE(parse_secret(foreign).has_value());
  state.next.reset();
  state.next_since = {};
  auto without_next = *kube::Object::from_json(secret_text(state, {"system", "cert"}, std::nullopt));
  CHECK(*parse_secret(without_next) == state);
}

TEST_CASE("a change of the Secret has the uid and the resourceVersion on which it is based") {
  ServingState state;
  auto before = *kube::Object::from_json(R"({"metadata":{"name":"cert","uid":"u-1","resourceVersion":"7"}})");

  auto text = secret_text(state, {"system", "cert"}, before);

  auto written = *kube::Object::from_json(text);
  CHECK(written.uid() == "u-1");
  CHECK(written.resource_version() == 7);
}

TEST_CASE("a promotion does not change the CA bundle of the webhook configurations") {
  ServingState published;
  published.current.authority_pem = "b";
  published.next = tls::ServingCertificate{"", "", "a"};
  ServingState promoted;
  promoted.current.authority_pem = "a";
  promoted.former_authority = "b";

  CHECK(published.bundle() == promoted.bundle());
  CHECK(promoted.bundle() == "ab");
}

TEST_CASE("only webhooks of our Service that lack the bundle get it") {
  auto configuration = *json::Document::parse(R"({"webhooks":[
      {"name":"a","clientConfig":{"service":{"name":"webhook","namespace":"system"}}},
      {"name":"b","clientConfig":{"service":{"name":"webhook","namespace":"other"}}},
      {"name":"c","clientConfig":{"url":"https://x"}},
      {"name":"d","clientConfig":{"service":{"name":"webhook","namespace":"system"},"caBundle":"Y2E="}},
      {"name":"e","clientConfig":{"service":{"name":"webhook","namespace":"system"},"caBundle":"b2xk"}}]})");

  CHECK(bundle_patch(configuration.root(), {"system", "webhook"}, "ca") ==
        R"([{"op":"test","path":"/webhooks/0/name","value":"a"},)"
        R"({"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":"Y2E="},)"
        R"({"op":"test","path":"/webhooks/4/name","value":"e"},)"
        R"({"op":"add","path":"/webhooks/4/clientConfig/caBundle","value":"Y2E="}])");
  CHECK(bundle_patch(configuration.root(), {"third", "webhook"}, "ca") == "[]");
}
