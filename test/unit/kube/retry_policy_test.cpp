#include "src/kube/retry_policy.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

using std::chrono::seconds;
using Next = RetryPolicy::Next;

constexpr Verb kVerbs[] = {Verb::kGet,    Verb::kList,  Verb::kWatch,  Verb::kCreate,
                           Verb::kUpdate, Verb::kPatch, Verb::kDelete, Verb::kDeleteCollection};

ApiRequest request_of(Verb verb, PatchType type = PatchType::kMerge) {
  ApiRequest request;
  request.verb = verb;
  request.patch_type = type;
  return request;
}

TEST_CASE("a request is repeated by code and Retry-After for every verb") {
  struct Row {
    int status;
    const char* retry_after;
    bool repeated;
  };
  const Row rows[] = {
      {429, "1", true},
      {500, "2", true},
      {503, "30", true},
      {504, "1", true},
      {599, "0", true},
      {429, nullptr, false},
      {500, nullptr, false},
      {503, nullptr, false},
      {503, "soon", false},
      {503, "-1", false},
      {503, "1.5", false},
      {503, "", false},
      {503, "Fri, 31 Dec 2027 23:59:59 GMT", false},
      {200, "1", false},
      {404, "1", false},
      {409, "1", false},
      {422, "1", false},
  };
  base::Random random(1);

  for (const auto& row : rows) {
    for (auto verb : kVerbs) {
      INFO(row.status << " Retry-After: " << (row.retry_after ? row.retry_after : "none"));
      RetryPolicy policy(request_of(verb), random);
      net::Headers headers;
      if (row.retry_after) headers.emplace_back("retry-after", row.retry_after);
      auto step = policy.after_answer(row.status, headers);
      CHECK(step.next == (row.repeated ? Next::kWait : Next::kDone));
      if (row.repeated) {
        auto least = seconds(std::stoi(row.retry_after));
        CHECK(step.wait >= least);
        CHECK(step.wait <= least + least / 10.0);
      }
    }
  }
}

TEST_CASE("a single wait, and all waits of a request together, take at most a minute") {
  base::Random random(1);
  for (const auto* asked : {"61", "3600", "2147483647"}) {
    INFO(asked);
    RetryPolicy policy(request_of(Verb::kGet), random);
    net::Headers headers{{"Retry-After", asked}};

    auto first = policy.after_answer(503, headers);

    CHECK(first.next == Next::kWait);
    CHECK(first.wait >= seconds(60));
    CHECK(first.wait <= seconds(66));
    CHECK(policy.after_answer(503, headers).next == Next::kDone);
  }

  RetryPolicy policy(request_of(Verb::kGet), random);
  net::Headers headers{{"Retry-After", "25"}};
  CHECK(policy.after_answer(503, headers).next == Next::kWait);
  CHECK(policy.after_answer(503, headers).next == Next::kWait);
  CHECK(policy.after_answer(503, headers).next == Next::kDone);
}

TEST_CASE("a request waits after a rejection because of load, and not after a rejection of its object") {
  base::Random random(1);
  net::Headers headers{{"Retry-After", "1"}};
  for (int status : {429, 500, 503, 504}) {
    INFO(status);
    RetryPolicy policy(request_of(Verb::kPatch), random);
    CHECK(policy.after_answer(status, headers, RetryPolicy::Scope::kObject).next == Next::kDone);
    CHECK(policy.after_answer(status, headers, RetryPolicy::Scope::kServer).next == Next::kWait);
  }
}

TEST_CASE("reads are repeated after a lost connection and no other error, and writes never") {
  struct Row {
    Error error;
    bool repeated;
  };
  const Row rows[] = {
      {transport_error("read tcp 10.0.0.1:443: connection reset by peer"), true},
      {transport_error("read tcp 10.0.0.1:443: end of file"), true},
      {transport_error("unexpected EOF"), true},
      {transport_error("EOF"), true},
      {transport_error("the body broke off"), true},
      {transport_error("dial tcp 10.0.0.1:443: connection refused"), false},
      {transport_error("dial tcp: lookup nowhere: host not found"), false},
      {transport_error("tls: failed to verify certificate: self-signed"), false},
      {timeout_error("no answer within 30000 ms"), false},
      {malformed_error("bad chunk"), false},
      {Error(Error::Kind::kFenced, "not the leader"), false},
  };
  base::Random random(1);

  for (const auto& row : rows) {
    for (auto verb : kVerbs) {
      INFO(row.error.text << ", verb " << static_cast<int>(verb));
      RetryPolicy policy(request_of(verb), random);
      auto step = policy.after_error(row.error);
      bool is_read = verb == Verb::kGet || verb == Verb::kList || verb == Verb::kWatch;
      CHECK(step.next == (row.repeated && is_read ? Next::kWait : Next::kDone));
    }
  }
}

TEST_CASE("a request is repeated at most ten times for all causes together") {
  base::Random random(1);
  RetryPolicy policy(request_of(Verb::kGet), random);
  net::Headers headers{{"Retry-After", "1"}};

  for (int repeat = 0; repeat < RetryPolicy::kMaxRetries; ++repeat) {
    auto step =
        repeat % 2 == 0 ? policy.after_answer(503, headers) : policy.after_error(transport_error("unexpected EOF"));
    CHECK(step.next == Next::kWait);
  }

  CHECK(policy.after_answer(503, headers).next == Next::kDone);
  CHECK(policy.after_error(transport_error("unexpected EOF")).next == Next::kDone);
}

TEST_CASE("a 401 requests new credentials once, for idempotent requests") {
  base::Random random(1);
  RetryPolicy read(request_of(Verb::kList), random);
  RetryPolicy create(request_of(Verb::kCreate), random);
  RetryPolicy json_patch(request_of(Verb::kPatch, PatchType::kJson), random);
  RetryPolicy apply(request_of(Verb::kPatch, PatchType::kApply), random);

  CHECK(read.after_answer(401, {}).next == Next::kNewCredentials);
  CHECK(read.after_answer(401, {}).next == Next::kDone);
  CHECK(apply.after_answer(401, {}).next == Next::kNewCredentials);
  CHECK(create.after_answer(401, {}).next == Next::kDone);
  CHECK(json_patch.after_answer(401, {}).next == Next::kDone);
}

TEST_CASE("the last error contains an earlier one that differed") {
  base::Random random(1);
  RetryPolicy policy(request_of(Verb::kGet), random);

  auto step = policy.after_error(transport_error("unexpected EOF"));

  REQUIRE(step.next == Next::kWait);
  CHECK(policy.final_error(transport_error("unexpected EOF")).text == "unexpected EOF");
  CHECK(policy.final_error(transport_error("connection refused")).text ==
        "connection refused - error from a previous attempt: unexpected EOF");
}

}  // namespace
}  // namespace keelson::kube
