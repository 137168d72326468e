// Requests by URL: which client gets them, and what it gets. The clients are fakes.
#include "keelson/net/url_client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "keelson/detail/net/limits.hpp"
#include "keelson/detail/net/url.hpp"
#include "keelson/detail/net/url_client_parts.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::net {
namespace {

struct Sent {
  std::string origin;
  Request request;
  CallOptions options;
};

struct Servers {
  std::vector<Sent> sent;
  std::vector<ClientOptions> made;
  Result<Response> reply = Response{200, {}, "ok"};
};

class FakeOrigin final : public HttpClient {
 public:
  FakeOrigin(Servers& servers, std::string origin) : servers_(servers), origin_(std::move(origin)) {}
  Task<Response> send(Request request, CallOptions options) override {
    servers_.sent.push_back({origin_, std::move(request), std::move(options)});
    co_return servers_.reply;
  }
  Task<std::unique_ptr<Stream>> open(Request, CallOptions) override { co_return invalid_error("not used"); }
  void close_idle() override {}
  void end_streams() override {}

 private:
  Servers& servers_;
  std::string origin_;
};

UrlClientParts parts_of(Servers& servers) {
  UrlClientParts parts;
  parts.make = [&servers](const ClientOptions& options) -> Result<std::unique_ptr<HttpClient>> {
    servers.made.push_back(options);
    return std::unique_ptr<HttpClient>(std::make_unique<FakeOrigin>(servers, origin_text(options.origin)));
  };
  return parts;
}

struct UrlWorld {
  explicit UrlWorld(UrlClientParts parts) : client(std::move(parts)) {}
  UrlWorld() : client(parts_of(servers)) {}
  Result<Response> run(Task<Response> call) { return testing::result_of(loop, std::move(call)); }
  Result<Response> get(const std::string& url, UrlOptions options = {}) {
    return run(client.get(url, std::move(options)));
  }

  sandbox::loop::TestLoop loop;
  Servers servers;
  UrlClient client;
};

TEST_CASE("a request goes to the origin of its URL, with its query and the options") {
  UrlWorld world;
  UrlOptions options;
  options.headers = {{"Accept", "text/plain"}};
  options.timeout = std::chrono::seconds(3);
  options.body_limit = 5;

  REQUIRE(world.get("https://host:8443/path?a=b&c=%20", options));

  REQUIRE(world.servers.sent.size() == 1);
  const auto& sent = world.servers.sent.front();
  CHECK(sent.origin == "https://host:8443");
  CHECK(sent.request.method == "GET");
  CHECK(sent.request.target == "/path?a=b&c=%20");
  CHECK(header(sent.request.headers, "Accept") == "text/plain");
  CHECK(sent.options.timeout == std::chrono::seconds(3));
  CHECK(sent.options.body_limit == 5);
}

TEST_CASE("each method sends its body, as JSON unless a header says otherwise") {
  UrlWorld world;
  auto& client = world.client;
  REQUIRE(world.run(client.post("https://host/a", "{}")));
  UrlOptions text;
  text.headers = {{"content-type", "text/plain"}};
  REQUIRE(world.run(client.put("https://host/a", "hello", text)));
  REQUIRE(world.run(client.remove("https://host/a")));
  REQUIRE(world.run(client.send("HEAD", "https://host/a", "")));

  const auto& sent = world.servers.sent;
  REQUIRE(sent.size() == 4);
  CHECK(sent[0].request.method == "POST");
  CHECK(sent[0].request.body == "{}");
  CHECK(header(sent[0].request.headers, "Content-Type") == "application/json");
  CHECK(sent[1].request.method == "PUT");
  CHECK(sent[1].request.headers.size() == 1);
  CHECK(sent[2].request.method == "DELETE");
  CHECK(header(sent[2].request.headers, "Content-Type").empty());
  CHECK(sent[3].request.method == "HEAD");
}

TEST_CASE("the connections of an origin are reused, per TLS settings, and the least recently used ones are dropped") {
  UrlWorld world;
  UrlOptions own_ca;
  own_ca.tls.ca_pem = "PEM";
  REQUIRE(world.get("https://host/a"));
  REQUIRE(world.get("https://host:443/b"));
  REQUIRE(world.get("https://host/a", own_ca));
  REQUIRE(world.get("http://host:443/a"));
  CHECK(world.servers.made.size() == 3);
  CHECK(world.servers.made[1].tls.ca_pem == "PEM");

  for (std::size_t i = 0; i < limits::kUrlClientOrigins - 1; ++i) {
    REQUIRE(world.get("https://host" + std::to_string(i) + "/"));
    REQUIRE(world.get("https://host/a"));  // stays the most recently used one
  }
  const auto made = 3 + limits::kUrlClientOrigins - 1;
  CHECK(world.servers.made.size() == made);
  REQUIRE(world.get("https://host/a", own_ca));
  CHECK(world.servers.made.size() == made + 1);
}

TEST_CASE("the proxy is chosen per origin, and a bad variable is an error that names it") {
  Servers servers;
  auto parts = parts_of(servers);
  std::map<std::string, std::string> variables{{"https_proxy", "proxy:3128"}, {"NO_PROXY", "inner.example.com"}};
  parts.proxy_of = [&variables](const Origin& origin) {
    const auto variable = [&variables](const std::string& name) { return variables[name]; };
    return proxy_from_environment(variable, origin.tls, origin.host, origin.port);
  };
  UrlWorld world(std::move(parts));

  REQUIRE(world.get("https://outer.example.com/"));
  REQUIRE(world.get("https://inner.example.com/"));
  REQUIRE(world.get("http://outer.example.com/"));
  REQUIRE(servers.made.size() == 3);
  REQUIRE(servers.made[0].proxy);
  CHECK(servers.made[0].proxy->url() == "http://proxy:3128");
  CHECK_FALSE(servers.made[1].proxy);
  CHECK_FALSE(servers.made[2].proxy);

  variables["HTTPS_PROXY"] = "ftp://proxy";
  const auto failed = world.get("https://third.example.com/");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().text ==
        "GET https://third.example.com/: HTTPS_PROXY: unsupported scheme \"ftp\", must be http, https, or socks5; "
        "correct it, or add third.example.com to NO_PROXY");
}

TEST_CASE("the fence and a dry run stop requests that change something, and no others") {
  Servers servers;
  auto parts = parts_of(servers);
  parts.may_send = [] { return false; };
  UrlWorld fenced(std::move(parts));
  REQUIRE(fenced.get("https://host/"));
  REQUIRE(fenced.run(fenced.client.post("https://host/", "{}")));
  REQUIRE(servers.sent.size() == 2);
  CHECK_FALSE(servers.sent[0].options.may_send);
  REQUIRE(servers.sent[1].options.may_send);
  CHECK_FALSE(servers.sent[1].options.may_send());

  Servers others;
  auto dry = parts_of(others);
  dry.refuses_writes = "a dry run";
  UrlWorld world(std::move(dry));
  REQUIRE(world.get("https://host/"));
  const auto refused = world.run(world.client.post("https://host/", "{}"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == Error::Kind::kTerminal);
  CHECK(refused.error().text == "terminal error: POST https://host/ was not sent: a dry run");
  CHECK(others.sent.size() == 1);
}

TEST_CASE("errors of requests and of statuses are recognized, except those of the fence") {
  UrlWorld world;
  CHECK(is_url_error(world.get("host/a").error()));
  world.servers.reply = transport_error("connection refused");
  CHECK(is_url_error(world.get("https://host/").error()));
  world.servers.reply = Error(Error::Kind::kFenced, "not the leader");
  CHECK_FALSE(is_url_error(world.get("https://host/").error()));

  CHECK(check_status({204, {}, ""}));
  const auto failed = check_status({503, {{"Retry-After", "7"}, {"Content-Type", "text/plain"}}, "\n later\nmore\n"},
                                   "upload the backup");
  REQUIRE_FALSE(failed);
  CHECK(is_url_error(failed.error()));
  CHECK(failed.error().message() == "upload the backup: 503 Service Unavailable: later");
  CHECK(failed.error().retry_after == std::chrono::seconds(7));
  CHECK(failed.error().code == 0);
  CHECK(check_status({302, {}, ""}).error().message() == "302 Found");
  CHECK(check_status({599, {{"Content-Type", "text/html"}}, "<html>"}).error().message() == "599");
  const auto long_body = check_status({400, {}, std::string(1000, 'x')});
  CHECK(long_body.error().message() == "400 Bad Request: " + std::string(200, 'x') + "…");
}

}  // namespace
}  // namespace keelson::net
