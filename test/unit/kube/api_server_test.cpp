#include "keelson/kube/api_server.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/async/timeout.hpp"
#include "keelson/base/limits.hpp"
#include "src/kube/api_request.hpp"
#include "src/kube/api_server_parts.hpp"
#include "test/support/recording_sink.hpp"
#include "test/support/scripted_http.hpp"
#include "test/support/test_loop.hpp"
#include "test/unit/kube/fake_environment.hpp"

namespace keelson::kube {
namespace {

using boost::asio::awaitable;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kPod = R"({"kind":"Pod","metadata":{"name":"a","namespace":"ns"}})";
constexpr const char* kNotFound =
    R"({"kind":"Status","status":"Failure","message":"pods \"a\" not found","reason":"NotFound","code":404})";

// The client under test owns its HTTP client; the script outlives both.
class BorrowedHttp final : public net::HttpClient {
 public:
  explicit BorrowedHttp(net::HttpClient& http) : http_(http) {}
  awaitable<Result<net::Response>> send(net::Request request, net::CallOptions options) override {
    return http_.send(std::move(request), options);
  }
  awaitable<Result<std::unique_ptr<net::Stream>>> open(net::Request request, net::CallOptions options) override {
    return http_.open(std::move(request), options);
  }
  void close_idle() override { http_.close_idle(); }
  void end_streams() override { http_.end_streams(); }

 private:
  net::HttpClient& http_;
};

// Answers every request the same.
test::ScriptedStep& always(test::ScriptedHttpClient& http, Verb verb) {
  return http.always(method_of(verb), "/prefix");
}

struct World {
  explicit World(bool with_token_file = false) {
    config.server = "https://10.0.0.1:6443/prefix";
    config.url.path_prefix = "/prefix";
    config.token = "secret";
    if (with_token_file) {
      config.token = "";
      config.token_file = "/token";
      files.file("/token", "first");
    }
  }

  Client& client() {
    if (!client_) {
      ApiServerParts parts;
      parts.make_http = [this](const net::TlsOptions& tls) -> Result<std::unique_ptr<net::HttpClient>> {
        used_tls.push_back(tls);
        if (tls.certificate_pem == "unusable") return invalid("bad certificate");
        if (tls.ca_pem == "unusable") return invalid("bad certificate");
        std::unique_ptr<net::HttpClient> borrowed = std::make_unique<BorrowedHttp>(http);
        return borrowed;
      };
      parts.credentials.read_file = files.read_file();
      parts.credentials.plugin = plugin;
      auto made = make_api_server(loop.clock(), random, Logger(sink), registry, config,
                                  {.user_agent = "manager/1 (linux/amd64) keelson/abc"}, parts);
      REQUIRE(made);
      client_ = std::move(*made);
    }
    return *client_;
  }

  // Runs one request and tells how much virtual time it took.
  Result<ApiReply> send(ApiRequest request) {
    std::optional<Result<ApiReply>> reply;
    auto began = loop.clock().now();
    loop.run(async::detail::store<ApiReply>(client().send(std::move(request)), reply));
    took = loop.clock().now() - began;
    return std::move(*reply);
  }
  Result<std::unique_ptr<net::Stream>> stream(ApiRequest request) {
    std::optional<Result<std::unique_ptr<net::Stream>>> reply;
    loop.run(async::detail::store<std::unique_ptr<net::Stream>>(client().stream(std::move(request)), reply));
    return std::move(*reply);
  }
  [[nodiscard]] bool has_metric(const std::string& line) { return registry.text().find(line) != std::string::npos; }

  test::TestLoop loop;
  base::Random random{7};
  test::RecordingSink sink;
  metrics::Registry registry;
  testing::FakeEnvironment files;
  ConnectionConfig config;
  test::ScriptedHttpClient http{loop.clock()};
  std::vector<net::TlsOptions> used_tls;
  std::shared_ptr<PluginCredentials> plugin;
  async::Duration took{};

 private:
  std::unique_ptr<Client> client_;
};

ApiRequest request_of(Verb verb) {
  ApiRequest request;
  request.verb = verb;
  request.resource = pods();
  request.key = Key(
      "ns", verb == Verb::kGet || verb == Verb::kUpdate || verb == Verb::kPatch || verb == Verb::kDelete ? "a" : "");
  if (verb == Verb::kCreate || verb == Verb::kUpdate || verb == Verb::kPatch) request.body = "{}";
  return request;
}

awaitable<Result<ProgramEnd>> answer_of(const std::string* output) {
  ProgramEnd end;
  end.output = *output;
  co_return end;
}

TEST_CASE("a plugin's certificate that cannot be used fails requests, and none goes out without it") {
  World world;
  world.config.token = "";
  auto credential = [](const std::string& certificate) {
    return R"({"kind":"ExecCredential","apiVersion":"v1","status":{"clientKeyData":"key","clientCertificateData":")" +
           certificate + "\"}}";
  };
  auto output = credential("unusable");
  ExecPlugin plugin;
  plugin.command = "aws";
  plugin.api_version = "v1";
  auto runs = [&](const ProgramCall&) { return answer_of(&output); };
  world.plugin = std::make_shared<PluginCredentials>(world.loop.executor(), world.loop.clock(), Logger(world.sink),
                                                     plugin, runs, Terminal::kNone);
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);

  auto first = world.send(request_of(Verb::kGet));
  auto second = world.send(request_of(Verb::kGet));
  CHECK(world.http.requests().empty());
  output = credential("usable");
  world.loop.clock().advance(PluginCredentials::kPause);
  auto third = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(first);
  CHECK(first.error().text == "getting credentials: bad certificate");
  CHECK_FALSE(second);
  CHECK(third);
}

TEST_CASE("a request says who asks, and is counted") {
  World world;
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE(reply);
  CHECK(reply->body == kPod);
  const auto& headers = world.http.requests()[0].headers;
  CHECK(net::header(headers, "User-Agent") == "manager/1 (linux/amd64) keelson/abc");
  CHECK(net::header(headers, "Authorization") == "Bearer secret");
  CHECK(net::header(headers, "Accept") == "application/json");
  CHECK(world.has_metric(R"(rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 1)"));
}

TEST_CASE("a refusal is an error with the Status in it") {
  World world;
  world.http.expect("GET", "/prefix").replies(404, kNotFound);

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(reply);
  CHECK(is_not_found(reply.error()));
  CHECK(reply.error().server_text == "pods \"a\" not found");
  CHECK(reply.error().status_body == kNotFound);
}

TEST_CASE("answers with Retry-After are waited for and repeated ten times, on every verb") {
  for (auto verb : {Verb::kGet, Verb::kList, Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete}) {
    INFO("verb " << static_cast<int>(verb));
    World world;
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

TEST_CASE("an answer after some refusals is the answer") {
  World world;
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

TEST_CASE("what is repeated when no answer comes, and how often") {
  struct Row {
    Verb verb;
    Error error;
    std::size_t requests;
  };
  const Row rows[] = {
      {Verb::kGet, transport("read tcp 10.0.0.1:6443: connection reset by peer"), 11},
      {Verb::kList, transport("unexpected EOF"), 11},
      {Verb::kGet, transport("dial tcp 10.0.0.1:6443: connection refused"), 1},
      {Verb::kGet, timeout("no answer within 60000 ms"), 1},
      {Verb::kCreate, transport("unexpected EOF"), 1},
      {Verb::kUpdate, transport("unexpected EOF"), 1},
      {Verb::kPatch, transport("unexpected EOF"), 1},
      {Verb::kDelete, transport("unexpected EOF"), 1},
  };

  for (const auto& row : rows) {
    INFO(static_cast<int>(row.verb) << " " << row.error.text);
    World world;
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

TEST_CASE("a fenced write is no request") {
  World world;
  auto request = request_of(Verb::kPatch);
  request.may_send = [] { return false; };

  auto reply = world.send(std::move(request));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == Error::Kind::kFenced);
  CHECK(world.http.requests().empty());
  CHECK(world.registry.text().find("rest_client_requests_total{") == std::string::npos);
}

TEST_CASE("a fence that closes while the server asks us to wait keeps the second try back") {
  World world;
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

TEST_CASE("a 401 that reading the token again does not mend is told at once") {
  World world(true);
  world.http.expect("GET", "/prefix").replies(401, "");

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().code == 401);
  CHECK(reply.error().reason == "Unauthorized");
  world.http.verify();
}

TEST_CASE("a rotated token is found after a 401") {
  World world(true);
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("GET", "/prefix").replies(401, "");
  world.http.expect("GET", "/prefix").replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.files.file("/token", "second");

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE(reply);
  CHECK(net::header(world.http.requests()[1].headers, "Authorization") == "Bearer first");
  CHECK(net::header(world.http.requests()[2].headers, "Authorization") == "Bearer second");
  world.http.verify();
}

TEST_CASE("a create that got a 401 is not sent again") {
  World world(true);
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("POST", "/prefix").replies(401, "");
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.files.file("/token", "second");

  auto reply = world.send(request_of(Verb::kCreate));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().code == 401);
  world.http.verify();
}

TEST_CASE("hostile answers are errors, never taken for success") {
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
    World world;
    world.http.expect("GET", "/prefix").replies(row.status, row.body);
    auto reply = world.send(request_of(Verb::kGet));
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == Error::Kind::kStatus);
    CHECK(reply.error().code == row.code);
    CHECK(reply.error().message().size() < 3000);
  }
}

TEST_CASE("a stream is handed out when the server agrees") {
  World world;
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods?watch=true").streams({"one\n", "two\n"});

  auto stream = world.stream(request_of(Verb::kWatch));

  REQUIRE(stream);
  CHECK((*stream)->status() == 200);
  std::string text;
  world.loop.run([&]() -> awaitable<void> {
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

TEST_CASE("a refused stream is an error with the Status in it, however it arrives") {
  World world;
  const std::string status =
      R"({"kind":"Status","status":"Failure","reason":"Expired","message":"too old","code":410})";
  world.http.expect("GET", "/prefix").streams({});
  always(world.http, Verb::kGet).replies(410, status);
  REQUIRE(world.stream(request_of(Verb::kWatch)));

  auto refused = world.stream(request_of(Verb::kWatch));

  REQUIRE_FALSE(refused);
  CHECK(is_gone(refused.error()));
  CHECK(refused.error().server_text == "too old");
}

TEST_CASE("a stream is asked for again after a lost connection") {
  World world;
  world.http.expect("GET", "/prefix").fails(transport("EOF"));
  world.http.expect("GET", "/prefix").replies({429, {{"Retry-After", "5"}}, ""});
  world.http.expect("GET", "/prefix").streams({});
  auto began = world.loop.clock().now();

  auto stream = world.stream(request_of(Verb::kList));

  CHECK(stream);
  CHECK(world.loop.clock().now() - began >= seconds(6));
  world.http.verify();
}

TEST_CASE("warnings are logged once each, and not without end") {
  World world;
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

TEST_CASE("changed certificates are used for new connections, while old streams live on") {
  World world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "one");
  world.http.expect("GET", "/prefix").streams({test::StreamPiece("late\n", minutes(20))});
  always(world.http, Verb::kGet).replies(200, kPod);
  auto stream = world.stream(request_of(Verb::kWatch));
  REQUIRE(stream);

  world.files.file("/ca", "two");
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.used_tls.size() == 1);
  world.loop.clock().advance(minutes(6));
  REQUIRE(world.send(request_of(Verb::kGet)));
  REQUIRE(world.used_tls.size() == 2);
  CHECK(world.used_tls[1].ca_pem == "two");
  CHECK(world.http.idle_closed() == 1);
  CHECK(world.http.streams_ended() == 0);

  std::size_t length = 0;
  world.loop.run([&]() -> awaitable<void> {
    char buffer[64];
    auto read = co_await (*stream)->read_some(buffer);
    REQUIRE(read);
    length = *read;
  });
  CHECK(length == 5);
}

TEST_CASE("a changed certificate of ours also ends streams, which go on as its old owner otherwise") {
  World world;
  world.config.certificate_file = "/crt";
  world.config.key_file = "/key";
  world.config.tls.certificate_pem = "CRT";
  world.config.tls.key_pem = "KEY";
  world.files.file("/crt", "CRT2").file("/key", "KEY2");
  always(world.http, Verb::kGet).replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));

  world.loop.clock().advance(minutes(5));
  REQUIRE(world.send(request_of(Verb::kGet)));

  REQUIRE(world.used_tls.size() == 2);
  CHECK(world.used_tls[1].certificate_pem == "CRT2");
  CHECK(world.http.idle_closed() == 1);
  CHECK(world.http.streams_ended() == 1);
}

TEST_CASE("a certificate that the server refuses is looked for again at once, and used for another try") {
  World world;
  world.config.certificate_file = "/crt";
  world.config.key_file = "/key";
  world.config.tls.certificate_pem = "CRT";
  world.config.tls.key_pem = "KEY";
  world.files.file("/crt", "CRT2").file("/key", "KEY2");
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("GET", "/prefix").replies(401, "{}");
  world.http.expect("GET", "/prefix").replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.loop.clock().advance(seconds(10));

  auto reply = world.send(request_of(Verb::kGet));

  CHECK(reply);
  CHECK(world.used_tls.size() == 2);
  world.http.verify();
}

TEST_CASE("after a lost connection certificates are looked at within ten seconds") {
  World world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "two");
  world.http.expect("PATCH", "/prefix").fails(transport("tls: failed to verify certificate"));
  always(world.http, Verb::kGet).replies(200, kPod);
  CHECK_FALSE(world.send(request_of(Verb::kPatch)));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.used_tls.size() == 1);

  world.loop.clock().advance(seconds(10));
  REQUIRE(world.send(request_of(Verb::kGet)));

  CHECK(world.used_tls.size() == 2);
}

TEST_CASE("certificates that cannot be read or used leave the old ones in use") {
  World world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "unusable");
  always(world.http, Verb::kGet).replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));

  world.loop.clock().advance(minutes(6));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.sink.count("Unable to use the new certificates, the old ones stay in use") == 1);
  world.files.without("/ca");
  world.loop.clock().advance(minutes(6));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.sink.count("Unable to reload certificates, the old ones stay in use") == 1);
  CHECK(world.http.idle_closed() == 0);
}

TEST_CASE("a conversation survives or reports a failure at each of its steps") {
  World outer;
  auto script = [](test::ScriptedHttpClient& http) {
    http.expect("GET", "/api/v1/namespaces/ns/pods/a").replies(404, kNotFound);
    http.expect("PATCH", "/api/v1/namespaces/ns/pods/a").replies(201, kPod);
    http.expect("GET", "/api/v1/namespaces/ns/pods/a").replies(200, kPod);
  };
  auto converse = [&](test::ScriptedHttpClient& http, const std::optional<test::InjectedFailure>& failure) {
    ApiServerParts parts;
    parts.make_http = [&http](const net::TlsOptions&) -> Result<std::unique_ptr<net::HttpClient>> {
      std::unique_ptr<net::HttpClient> borrowed = std::make_unique<BorrowedHttp>(http);
      return borrowed;
    };
    parts.credentials.read_file = outer.files.read_file();
    auto client = make_api_server(outer.loop.clock(), outer.random, Logger(outer.sink), outer.registry, {},
                                  {.user_agent = "t"}, parts);
    REQUIRE(client);
    std::optional<Error> failed;
    outer.loop.run([&]() -> awaitable<void> {
      auto absent = co_await get(**client, pods(), Key("ns", "a"));
      if (absent || !is_not_found(absent.error())) {
        failed = absent ? invalid("found what is not there") : absent.error();
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
    // A lost connection is survived by reads; everything else is told, with what was being done.
    bool survives = !failure || (failure->step != 1 && failure->fault == test::Fault::kTransport) ||
                    (failure->step != 1 && failure->fault == test::Fault::kTruncated);
    if (failed) INFO(failed->message());
    CHECK(failed.has_value() == !survives);
    if (failed) CHECK(failed->text.starts_with(failure->step == 1 ? "apply pods ns/a" : "get pods ns/a"));
  };

  test::check_every_failure(outer.loop.clock(), script, converse);
}

}  // namespace
}  // namespace keelson::kube
