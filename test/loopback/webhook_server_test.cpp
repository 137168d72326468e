// The webhook server with real handshakes: certificates that appear late and change, and hostile clients.
#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/tls/certificate_files.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "keelson/detail/webhook/server.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/certificates.hpp"
#include "test/support/raw_peer.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/unit/webhook/toast.hpp"

namespace keelson::testing {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Few enough for the file descriptors of a process, which has both ends.
constexpr std::size_t kConnections = 30;
constexpr const char* kPath = "/validate-kitchen-example-com-v1-toast";

void write(const TemporaryFolder& folder, const KeyPair& pair) {
  folder.write("tls.crt", pair.certificate_pem);
  folder.write("tls.key", pair.key_pem);
}

webhook::ServedWebhook toast_validation() {
  return served_toasts(webhook::WebhookType::kValidating,
                       webhook::validating_by<ToastSpec>(std::make_unique<ToastValidator>()));
}

// Timeouts and the polling of files use the virtual clock, which moves only when a test says so.
struct WebhookFixture {
  explicit WebhookFixture(const std::string& client_ca = "") {
    webhook::ServerOptions options;
    options.host = "127.0.0.1";
    options.port = 0;
    server = webhook::make_server(loop.executor(), loop.clock(), Logger(sink), registry, budget, {toast_validation()},
                                  options);
    tls::CertificatePaths paths{folder.file("tls.crt"), folder.file("tls.key"), client_ca};
    files =
        tls::make_certificate_files(loop.executor(), loop.clock(), Logger(sink), registry, "webhook", paths, *server);
  }

  asio::awaitable<void> start() {
    auto started = co_await server->start();
    CHECK(started.has_value());
    auto watching = co_await files->start();
    CHECK(watching.has_value());
  }
  asio::awaitable<void> stop() {
    co_await files->stop();
    co_await server->stop();
  }
  // Advances the time of the file polling, then runs both sides until neither can continue.
  asio::awaitable<void> pass(async::Duration time) {
    co_await settle();
    loop.clock().advance(time);
    co_await settle();
  }
  asio::awaitable<void> settle() {
    for (int round = 0; round < 25; ++round) {
      co_await async::sleep_for(loop.real_clock(), 1ms);
      co_await sandbox::loop::yield();
    }
  }

  std::unique_ptr<net::HttpClient> client(const Authority& trusted, const KeyPair& identity = {}) {
    net::ClientOptions options;
    options.origin = {true, "127.0.0.1", std::to_string(server->port())};
    options.tls.ca_pem = trusted.certificate_pem();
    options.tls.certificate_pem = identity.certificate_pem;
    options.tls.key_pem = identity.key_pem;
    options.idle_timeout = 1min;  // as the API server, which reuses connections for longer than a new certificate takes
    return net::make_http_client(loop.executor(), loop.clock(), std::move(options)).value();
  }
  bool counts(const std::string& line) { return registry.text().find(line + "\n") != std::string::npos; }

  TemporaryFolder folder;
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  net::ServerBudget budget{{.own_connections = kConnections, .shared_connections = 0}};
  std::unique_ptr<webhook::Server> server;
  std::unique_ptr<async::Runnable> files;
};

net::Request review_of(std::string body = R"({"request":{"uid":"u-1","operation":"CREATE","object":{"spec":{}}}})") {
  net::Request request;
  request.method = "POST";
  request.target = kPath;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = std::move(body);
  return request;
}

// The body of the response, or the error's text.
asio::awaitable<std::string> ask(net::HttpClient& client, net::Request request) {
  auto answer = co_await client.send(std::move(request), {});
  if (!answer) co_return answer.error().text;
  co_return answer->body;
}

bool is_allowed(const std::string& body) { return body.find(R"("allowed":true)") != std::string::npos; }

}  // namespace

TEST_CASE("the webhook server listens when its certificate appears and reports until then why it waits") {
  WebhookFixture fixture;
  Authority authority;
  std::string before;
  std::string answer;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    before = fixture.server->check().error().text;
    CHECK(fixture.server->port() == 0);
    write(fixture.folder, authority.issue_for_loopback());
    co_await fixture.pass(1s);
    CHECK(fixture.server->check().has_value());
    auto client = fixture.client(authority);
    answer = co_await ask(*client, review_of());
    co_await fixture.stop();
  });

  CHECK(before == "webhook server has not been started yet: open " + fixture.folder.file("tls.crt") +
                      ": no such file or directory");
  CHECK(is_allowed(answer));
  CHECK(fixture.sink.count("Waiting for the webhook certificate") == 1);
  CHECK(fixture.sink.count("Serving webhook server") == 1);
}

TEST_CASE("new connections get the new certificate, and existing ones continue") {
  WebhookFixture fixture;
  Authority first("first authority");
  Authority second("second authority");
  write(fixture.folder, first.issue_for_loopback());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    auto old_client = fixture.client(first);
    auto answer = co_await ask(*old_client, review_of());
    CHECK(is_allowed(answer));
    write(fixture.folder, second.issue_for_loopback());
    co_await fixture.pass(10s);
    answer = co_await ask(*old_client, review_of());
    CHECK(is_allowed(answer));
    auto new_client = fixture.client(second);
    answer = co_await ask(*new_client, review_of());
    CHECK(is_allowed(answer));
    auto late_client = fixture.client(first);
    answer = co_await ask(*late_client, review_of());
    CHECK(answer.find("unknown authority") != std::string::npos);
    co_await fixture.stop();
  });

  CHECK(fixture.counts("certwatcher_read_certificate_total 2"));
  CHECK(fixture.counts("certwatcher_read_certificate_errors_total 0"));
}

TEST_CASE("the former certificate stays in use while files are invalid or missing, and each error is counted") {
  WebhookFixture fixture;
  Authority authority;
  auto pair = authority.issue_for_loopback();
  write(fixture.folder, pair);

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    fixture.folder.write("tls.key", authority.issue_for_loopback().key_pem);
    co_await fixture.pass(10s);
    auto client = fixture.client(authority);
    auto answer = co_await ask(*client, review_of());
    CHECK(is_allowed(answer));
    CHECK(fixture.counts("certwatcher_read_certificate_errors_total 1"));
    fixture.folder.remove("tls.crt");
    co_await fixture.pass(1s);
    auto second = fixture.client(authority);
    answer = co_await ask(*second, review_of());
    CHECK(is_allowed(answer));
    CHECK(fixture.server->check().has_value());
    co_await fixture.stop();
  });

  CHECK(fixture.counts("certwatcher_read_certificate_total 3"));
  CHECK(fixture.counts("certwatcher_read_certificate_errors_total 2"));
  CHECK(fixture.sink.count("failed to read certificate") == 2);
}

TEST_CASE("a server with a client CA serves only clients that have a certificate of that CA") {
  TemporaryFolder folder;
  Authority clients("client authority");
  folder.write("ca.crt", clients.certificate_pem());
  WebhookFixture fixture(folder.file("ca.crt"));
  Authority authority;
  write(fixture.folder, authority.issue_for_loopback());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    auto untrusted = fixture.client(authority);
    auto rejected = co_await ask(*untrusted, review_of());
    CHECK_FALSE(is_allowed(rejected));
    auto known = fixture.client(authority, clients.issue_for_loopback());
    auto answer = co_await ask(*known, review_of());
    CHECK(is_allowed(answer));
    co_await fixture.stop();
  });
}

TEST_CASE("a body over 7 MiB is rejected by a review response with HTTP 200") {
  WebhookFixture fixture;
  Authority authority;
  write(fixture.folder, authority.issue_for_loopback());
  Result<net::Response> answer = transport_error("nothing was asked");

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    auto client = fixture.client(authority);
    answer = co_await client->send(review_of(std::string(limits::kAdmissionBytes, ' ')), {});
    co_await fixture.stop();
  });

  REQUIRE(answer.has_value());
  CHECK(answer->status == 200);
  CHECK(answer->body.find(R"("message":"request entity is too large; limit is 7340032 bytes","code":413)") !=
        std::string::npos);
}

TEST_CASE("silent, slow and invalid clients do not block the API server") {
  WebhookFixture fixture;
  Authority authority;
  write(fixture.folder, authority.issue_for_loopback());

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    co_await fixture.start();
    std::vector<std::unique_ptr<RawConnection>> hostile;
    for (std::size_t number = 0; number < 3 * kConnections; ++number) {
      hostile.push_back(co_await connect_raw(fixture.server->port()));
      // An incomplete TLS record, plain HTTP, and no bytes at all.
      if (number % 3 == 0) co_await hostile.back()->write(std::string("\x16\x03\x01\x01\x00", 5));
      if (number % 3 == 1) co_await hostile.back()->write("POST / HTTP/1.1\r\nHost: a\r\n");
    }
    auto client = fixture.client(authority);
    auto answer = co_await ask(*client, review_of());
    CHECK(is_allowed(answer));
    co_await fixture.stop();
  });
}

}  // namespace keelson::testing
