// Retries: which requests are sent again, when, and how often.
#include "test/unit/kube/rest_client_on_script.hpp"

namespace keelson::kube {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST_CASE("a request of any verb is repeated ten times after replies with Retry-After") {
  for (auto verb : {Verb::kGet, Verb::kList, Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete}) {
    INFO("verb " << static_cast<int>(verb));
    RestClientOnScript world;
    always(world.http, verb).replies({503, {{"Retry-After", "2"}}, ""});

    auto reply = world.send(request_of(verb));

    REQUIRE_FALSE(reply);
    CHECK(reply.error().code == 503);
    CHECK(reply.error().retry_after == seconds(2));
    CHECK(world.http.requests().size() == 11);
    CHECK(world.took >= seconds(20));
    CHECK(world.took <= seconds(22));
  }
}

TEST_CASE("a success after some rejections is returned") {
  RestClientOnScript world;
  world.http.expect("POST", "/prefix").replies({429, {{"Retry-After", "1"}}, ""});
  world.http.expect("POST", "/prefix").replies({500, {{"Retry-After", "3"}}, ""});
  world.http.expect("POST", "/prefix").replies(201, kPod);

  auto reply = world.send(request_of(Verb::kCreate));

  REQUIRE(reply);
  CHECK(reply->code == 201);
  CHECK(world.took >= seconds(4));
  CHECK(world.has_metric(R"(rest_client_requests_total{code="429",host="10.0.0.1:6443",method="POST"} 1)"));
  CHECK(world.has_metric(R"(rest_client_requests_total{code="201",host="10.0.0.1:6443",method="POST"} 1)"));
}

TEST_CASE("every answer is reported, and whether the server asks to wait") {
  struct Case {
    net::Response reply;
    bool asks_to_wait;
  };
  const std::string status = R"({"kind":"Status","status":"Failure","message":"no","code":429})";
  const Case cases[] = {
      {{429, {{"Retry-After", "1"}}, "Too many requests"}, true},
      {{429, {}, "Too many requests"}, true},
      {{503, {{"Retry-After", "1"}}, ""}, true},
      {{500, {}, ""}, false},
      {{429, {{"Retry-After", "1"}}, status}, false},  // a rejection of this object
      {{404, {}, kNotFound}, false},
  };
  for (const auto& one : cases) {
    INFO(one.reply.status << " " << one.reply.body);
    RestClientOnScript world;
    world.http.expect("PATCH", "/prefix").replies(one.reply);
    world.http.always("PATCH", "/prefix").replies(200, kPod);

    static_cast<void>(world.send(request_of(Verb::kPatch)));

    REQUIRE_FALSE(world.answers.empty());
    CHECK(world.answers[0].verb == Verb::kPatch);
    CHECK(world.answers[0].status == one.reply.status);
    CHECK(world.answers[0].asks_to_wait == one.asks_to_wait);
  }
}

TEST_CASE("a list or watch of a kind whose watch cache initializes waits, and is not reported as an overload") {
  const std::string initializing =
      R"({"kind":"Status","status":"Failure","message":"storage is (re)initializing","reason":"TooManyRequests","code":429})";
  struct Case {
    net::Response reply;
    bool asks_to_wait;
  };
  const Case cases[] = {
      {{429, {{"Retry-After", "1"}, {"Content-Type", "application/json"}}, initializing}, false},
      {{429, {{"Retry-After", "1"}, {"Content-Type", "text/plain; charset=utf-8"}}, "Too many requests"}, true},
  };
  for (const auto& one : cases) {
    for (const auto verb : {Verb::kList, Verb::kGet, Verb::kWatch}) {
      INFO(one.reply.body << " verb " << static_cast<int>(verb));
      RestClientOnScript world;
      world.http.expect("GET", "/prefix").replies(one.reply);
      world.http.always("GET", "/prefix").replies(200, kPod);

      if (verb == Verb::kWatch) {
        CHECK(world.stream(request_of(verb)));
      } else {
        CHECK(world.send(request_of(verb)));
        CHECK(world.took >= seconds(1));
      }
      REQUIRE_FALSE(world.answers.empty());
      CHECK(world.answers[0].status == 429);
      CHECK(world.answers[0].asks_to_wait == one.asks_to_wait);
    }
  }
}

TEST_CASE("a request that times out is reported without a status, a lost connection is not") {
  RestClientOnScript world;
  world.http.expect("PATCH", "/prefix").after(seconds(60)).fails(timeout_error("no answer within 60000 ms"));
  world.http.expect("PATCH", "/prefix").fails(transport_error("unexpected EOF"));
  auto request = request_of(Verb::kPatch);
  request.resource = deployments();
  request.subresource = "scale";

  CHECK_FALSE(world.send(request));
  CHECK_FALSE(world.send(request));

  REQUIRE(world.answers.size() == 1);
  CHECK(world.answers[0].verb == Verb::kPatch);
  CHECK(world.answers[0].target == "deployments.apps/scale");
  CHECK(world.answers[0].status == 0);
  CHECK_FALSE(world.answers[0].asks_to_wait);
  CHECK(world.answers[0].lasted == seconds(60));
}

TEST_CASE("a write that is rejected because of its object returns at once, with the Retry-After") {
  // An eviction that a budget forbids, a webhook, a quota: the API server writes a Status.
  const std::string body =
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Cannot evict pod",)"
      R"("reason":"TooManyRequests","details":{"retryAfterSeconds":10},"code":429})";
  for (auto verb : {Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete}) {
    INFO("verb " << static_cast<int>(verb));
    RestClientOnScript world;
    always(world.http, verb).replies({429, {{"Retry-After", "10"}}, body});

    auto reply = world.send(request_of(verb));

    REQUIRE_FALSE(reply);
    CHECK(reply.error().retry_after == seconds(10));
    CHECK(world.http.requests().size() == 1);
    CHECK(world.took == seconds(0));
  }
}

TEST_CASE("a request waits for a minute in total for a server that rejects every request") {
  for (auto verb : {Verb::kGet, Verb::kPatch}) {
    INFO("verb " << static_cast<int>(verb));
    RestClientOnScript world;
    always(world.http, verb).replies({429, {{"Retry-After", "3600"}}, "Too many requests, please try again later.\n"});

    auto reply = world.send(request_of(verb));

    REQUIRE_FALSE(reply);
    CHECK(reply.error().retry_after == seconds(60));
    CHECK(world.http.requests().size() == 2);
    CHECK(world.took >= seconds(60));
    CHECK(world.took <= seconds(66));
  }
}

TEST_CASE("only a read is repeated after a lost connection") {
  struct Row {
    Verb verb;
    Error error;
    std::size_t requests;
  };
  const Row rows[] = {
      {Verb::kGet, transport_error("read tcp 10.0.0.1:6443: connection reset by peer"), 11},
      {Verb::kList, transport_error("unexpected EOF"), 11},
      {Verb::kGet, transport_error("dial tcp 10.0.0.1:6443: connection refused"), 1},
      {Verb::kGet, timeout_error("no answer within 60000 ms"), 1},
      {Verb::kCreate, transport_error("unexpected EOF"), 1},
      {Verb::kUpdate, transport_error("unexpected EOF"), 1},
      {Verb::kPatch, transport_error("unexpected EOF"), 1},
      {Verb::kDelete, transport_error("unexpected EOF"), 1},
  };

  for (const auto& row : rows) {
    INFO(static_cast<int>(row.verb) << " " << row.error.text);
    RestClientOnScript world;
    always(world.http, row.verb).fails(row.error);

    auto reply = world.send(request_of(row.verb));

    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == row.error.kind);
    CHECK(reply.error().text == row.error.text);
    CHECK(world.http.requests().size() == row.requests);
    auto waits = seconds(row.requests - 1);
    CHECK(world.took >= waits);
    CHECK(world.took <= waits + waits / 10.0);
    CHECK(world.registry.text().find(R"(code="<error>")") != std::string::npos);
  }
}

TEST_CASE("a fenced write is not sent and not counted") {
  RestClientOnScript world;
  auto request = request_of(Verb::kPatch);
  request.may_send = [] { return false; };

  auto reply = world.send(std::move(request));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == Error::Kind::kFenced);
  CHECK(world.http.requests().empty());
  CHECK(world.registry.text().find("rest_client_requests_total{") == std::string::npos);
}

TEST_CASE("a write is not repeated if the fence closes during the Retry-After") {
  RestClientOnScript world;
  bool is_open = true;
  net::Response busy{503, {{"Retry-After", "1"}}, "{}"};
  always(world.http, Verb::kPatch).replies(busy);
  auto closing = world.loop.clock().call_at(world.loop.clock().now() + std::chrono::milliseconds(500),
                                            [&is_open] { is_open = false; });
  auto request = request_of(Verb::kPatch);
  request.may_send = [&is_open] { return is_open; };

  auto reply = world.send(std::move(request));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == Error::Kind::kFenced);
  CHECK(world.http.requests().size() == 1);
}

TEST_CASE("a conversation completes or reports the error, with a failure at each of its steps") {
  RestClientOnScript outer;
  auto script = [](testing::ScriptedHttpClient& http) {
    http.expect("GET", "/api/v1/namespaces/ns/pods/a").replies(404, kNotFound);
    http.expect("PATCH", "/api/v1/namespaces/ns/pods/a").replies(201, kPod);
    http.expect("GET", "/api/v1/namespaces/ns/pods/a").replies(200, kPod);
  };
  auto converse = [&](testing::ScriptedHttpClient& http, const std::optional<testing::InjectedFailure>& failure) {
    ApiServerParts parts;
    parts.make_http = [&http](const tls::TlsOptions&) -> Result<std::unique_ptr<net::HttpClient>> {
      std::unique_ptr<net::HttpClient> borrowed = std::make_unique<BorrowedHttp>(http);
      return borrowed;
    };
    parts.credentials.read_file = outer.files.read_file();
    auto client = make_rest_client(outer.loop.clock(), outer.random, Logger(outer.sink), outer.registry, {},
                                   {.user_agent = "t"}, parts);
    REQUIRE(client);
    std::optional<Error> failed;
    outer.loop.run([&]() -> boost::asio::awaitable<void> {
      auto absent = co_await get(**client, pods(), Key("ns", "a"));
      if (absent || !is_not_found(absent.error())) {
        failed = absent ? invalid_error("found what is not there") : absent.error();
        co_return;
      }
      auto applied = co_await apply(**client, pods(), Key("ns", "a"), ApplyForm::kCreateOnly, "{}");
      if (!applied) {
        failed = applied.error();
        co_return;
      }
      auto found = co_await get(**client, pods(), Key("ns", "a"));
      if (!found) failed = found.error();
    });
    // Reads survive a lost connection; every other failure is returned with its context.
    bool survives = !failure || (failure->step != 1 && failure->fault == testing::Fault::kTransport) ||
                    (failure->step != 1 && failure->fault == testing::Fault::kTruncated);
    if (failed) INFO(failed->message());
    CHECK(failed.has_value() == !survives);
    if (failed) CHECK(failed->text.starts_with(failure->step == 1 ? "apply pods ns/a" : "get pods ns/a"));
  };

  testing::check_every_failure(outer.loop.clock(), script, converse);
}

}  // namespace
}  // namespace keelson::kube
