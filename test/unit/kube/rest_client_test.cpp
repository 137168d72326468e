// The requests of the client, and its interpretation of replies.
#include "test/unit/kube/rest_client_on_script.hpp"

#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/kube/limits.hpp"
#include "test/support/result_of.hpp"

namespace keelson::kube {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST_CASE("a request has credentials and user agent, and is counted") {
  RestClientOnScript world;
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE(reply);
  CHECK(reply->body == kPod);
  const auto& headers = world.http.requests()[0].headers;
  CHECK(net::header(headers, "User-Agent") == "manager/1 (linux/amd64) keelson/abc");
  CHECK(net::header(headers, "Authorization") == "Bearer secret");
  CHECK(net::header(headers, "Accept") == "application/json");
  CHECK(world.has_metric(R"(rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 1)"));
  CHECK(world.has_metric(R"(rest_client_request_duration_seconds_count{host="10.0.0.1:6443",verb="GET"} 1)"));
}

TEST_CASE("a request for metadata accepts the partial form of its verb or the whole object") {
  struct Row {
    Verb verb;
    const char* accept;
  };
  const Row rows[] = {
      {Verb::kGet, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"},
      {Verb::kList, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"},
      {Verb::kWatch, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"},
  };

  for (const auto& row : rows) {
    RestClientOnScript world;
    world.http.expect("GET", "/prefix").streams({});
    auto request = request_of(row.verb);
    request.content = Content::kMetadata;

    REQUIRE(world.stream(std::move(request)));

    CHECK(net::header(world.http.requests()[0].headers, "Accept") == row.accept);
  }
}

// An object of this many bytes.
std::string object_of(std::size_t bytes) {
  const std::string begin = R"({"kind":"Pod","metadata":{"name":"a"},"x":")";
  return begin + std::string(bytes - begin.size() - 2, 'x') + "\"}";
}

TEST_CASE("a reply is limited to the bytes and the values that its kind can have") {
  std::string values = R"({"kind":"Pod","metadata":{"name":"a"},"x":[1)";
  for (std::size_t i = 0; i < limits::kReplyValues; ++i) values += ",1";
  values += "]}";
  REQUIRE(values.size() < limits::kObjectBytes);
  std::string many_values = R"({"kind":"PodList","items":[{})";
  for (std::size_t i = 0; i < limits::kListReplyValues; ++i) many_values += ",{}";
  many_values += "]}";
  REQUIRE(many_values.size() < limits::kListReplyBytes);
  const struct {
    const char* what;
    Verb verb;
    std::string body;
    bool is_read;
  } cases[] = {
      {"a large object", Verb::kGet, object_of(limits::kObjectBytes), true},
      {"a larger object", Verb::kGet, object_of(limits::kObjectBytes + 1), false},
      {"a larger reply to a write", Verb::kPatch, object_of(limits::kObjectBytes + 1), false},
      {"a large list", Verb::kList, object_of(limits::kListReplyBytes), true},
      {"a larger list", Verb::kList, object_of(limits::kListReplyBytes + 1), false},
      {"a string of 1.5 MiB of commas", Verb::kGet, R"({"x":")" + std::string(1'572'864, ',') + "\"}", true},
      {"a string of 8 MiB of commas", Verb::kGet, R"({"x":"\")" + std::string(8'388'608, ',') + "\"}", true},
      {"millions of values", Verb::kGet, values, false},
      {"millions of values of many objects", Verb::kList, values, true},
      {"more values of many objects", Verb::kList, many_values, false},
  };
  for (const auto& row : cases) {
    INFO(row.what);
    RestClientOnScript world;
    world.http.expect(row.verb == Verb::kPatch ? "PATCH" : "GET", "/prefix").replies(200, row.body);

    const auto reply = world.send(request_of(row.verb));

    CHECK(reply.has_value() == row.is_read);
    if (!reply) CHECK(reply.error().kind == Error::Kind::kMalformed);
    if (!reply) CHECK(reply.error().code == 413);
  }
}

TEST_CASE("a page of a list that is too large is requested again with half the objects") {
  const std::string small = R"({"kind":"PodList","metadata":{"continue":"more"},"items":[{"metadata":{"name":"a"}}]})";
  const auto large = object_of(limits::kListReplyBytes + 1);
  const struct {
    const char* what;
    std::int64_t limit;
    std::vector<std::string> bodies;
    std::int64_t last_limit;
    bool is_read;
  } cases[] = {
      {"too many bytes", 50, {large, large, small}, 12, true},
      {"one object is too large", 3, {large, large}, 1, false},
      {"a list without pages", 0, {large}, 0, false},
  };
  for (const auto& row : cases) {
    INFO(row.what);
    RestClientOnScript world;
    for (const auto& body : row.bodies) world.http.expect("GET", "/prefix").replies(200, body);

    const auto page = testing::result_of(world.loop, list(world.client(), pods(), {.limit = row.limit}));

    CHECK(page.has_value() == row.is_read);
    const auto& asked = world.http.requests();
    REQUIRE(asked.size() == row.bodies.size());
    const auto wanted = row.last_limit == 0 ? std::string("/pods") : "/pods?limit=" + std::to_string(row.last_limit);
    CHECK(asked.back().target.ends_with(wanted));
  }
}

TEST_CASE("a Status of more than a megabyte is not parsed") {
  for (const int code : {200, 500}) {
    RestClientOnScript world;
    const std::string status = R"({"kind":"Status","status":"Failure","message":"no","code":409,"x":[1)";
    std::string values;
    while (values.size() < limits::kStatusBytes) values += ",1";
    world.http.expect("GET", "/prefix").replies(code, status + values + "]}");

    const auto reply = world.send(request_of(Verb::kGet));

    CHECK(reply.has_value() == (code == 200));
    if (!reply) CHECK(reply.error().code == 500);
    if (!reply) CHECK(reply.error().status_body.empty());
  }
}

TEST_CASE("a rejection is an error with the Status in it") {
  RestClientOnScript world;
  world.http.expect("GET", "/prefix").replies(404, kNotFound);

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(reply);
  CHECK(is_not_found(reply.error()));
  CHECK(reply.error().server_text == "pods \"a\" not found");
  CHECK(reply.error().status_body == kNotFound);
}

TEST_CASE("hostile replies are errors and never successes") {
  struct Row {
    int status;
    std::string body;
    int code;
  };
  const Row rows[] = {
      {500, "", 500},
      {500, "<html>", 500},
      {502, std::string(5'000'000, 'x'), 502},
      {404, R"({"kind":"Status","sta)", 404},
      {403, std::string(200'000, '['), 403},
      {302, "", 302},
      {100, "", 100},
      {200, R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410})", 410},
  };

  for (const auto& row : rows) {
    INFO(row.status);
    RestClientOnScript world;
    world.http.expect("GET", "/prefix").replies(row.status, row.body);
    auto reply = world.send(request_of(Verb::kGet));
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == Error::Kind::kStatus);
    CHECK(reply.error().code == row.code);
    CHECK(reply.error().message().size() < 3000);
  }
}

TEST_CASE("a stream is returned if the server accepts it") {
  RestClientOnScript world;
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods?watch=true").streams({"one\n", "two\n"});

  auto stream = world.stream(request_of(Verb::kWatch));

  REQUIRE(stream);
  CHECK((*stream)->status() == 200);
  std::string text;
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    char buffer[64];
    for (;;) {
      auto read = co_await (*stream)->read_some(buffer);
      REQUIRE(read);
      if (*read == 0) co_return;
      text.append(buffer, *read);
    }
  });
  CHECK(text == "one\ntwo\n");
}

TEST_CASE("a rejected stream is an error with its Status, however the body is split") {
  RestClientOnScript world;
  const std::string status =
      R"({"kind":"Status","status":"Failure","reason":"Expired","message":"too old","code":410})";
  world.http.expect("GET", "/prefix").streams({});
  always(world.http, Verb::kGet).replies(410, status);
  REQUIRE(world.stream(request_of(Verb::kWatch)));

  auto rejected = world.stream(request_of(Verb::kWatch));

  REQUIRE_FALSE(rejected);
  CHECK(is_gone(rejected.error()));
  CHECK(rejected.error().server_text == "too old");
}

TEST_CASE("a stream is requested again after a lost connection") {
  RestClientOnScript world;
  world.http.expect("GET", "/prefix").fails(transport_error("EOF"));
  world.http.expect("GET", "/prefix").replies({429, {{"Retry-After", "5"}}, ""});
  world.http.expect("GET", "/prefix").streams({});
  auto began = world.loop.clock().now();

  auto stream = world.stream(request_of(Verb::kList));

  CHECK(stream);
  CHECK(world.loop.clock().now() - began >= seconds(6));
  world.http.verify();
}

TEST_CASE("each warning is logged once, up to a limit") {
  RestClientOnScript world;
  for (int i = 0; i < 2; ++i) {
    world.http.expect("GET", "/prefix").replies({200, {{"Warning", R"(299 - "v1 Endpoints is deprecated")"}}, kPod});
  }
  REQUIRE(world.send(request_of(Verb::kGet)));
  REQUIRE(world.send(request_of(Verb::kGet)));

  CHECK(world.sink.count("v1 Endpoints is deprecated") == 1);

  for (std::size_t i = 0; i < limits::kServerWarnings + 50; ++i) {
    auto text = "299 - \"warning " + std::to_string(i) + "\"";
    world.http.expect("GET", "/prefix").replies({200, {{"warning", text}}, kPod});
    REQUIRE(world.send(request_of(Verb::kGet)));
  }
  CHECK(world.sink.entries().size() == limits::kServerWarnings);
}

TEST_CASE("connecting takes no longer than the timeout of the request") {
  struct Row {
    async::Duration request;
    async::Duration connect;
  };
  const Row rows[] = {{seconds(5), seconds(5)}, {seconds(60), seconds(30)}};

  for (const auto& row : rows) {
    RestClientOptions options;
    options.request_timeout = row.request;
    CHECK(http_options(ConnectionConfig{}, options).connect_timeout == row.connect);
  }
}

TEST_CASE("a client limits the delivery of its writes only if its options request it") {
  RestClientOptions options;
  CHECK(http_options(ConnectionConfig{}, options).delivery_timeout == seconds(0));
  options.delivery_timeout = seconds(2);
  CHECK(http_options(ConnectionConfig{}, options).delivery_timeout == seconds(2));
}

}  // namespace
}  // namespace keelson::kube
