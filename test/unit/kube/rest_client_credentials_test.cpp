// Tokens and certificates that are rejected, expire or change while a client is running.
#include "keelson/async/task_group.hpp"
#include "keelson/detail/tls/certificate_authority.hpp"
#include "test/unit/kube/rest_client_on_script.hpp"

namespace keelson::kube {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Task<ProgramEnd> answer_of(const std::string* output) {
  ProgramEnd end;
  end.output = *output;
  co_return end;
}

// Client certificates come from an exec plugin.
struct PluginWorld : RestClientOnScript {
  PluginWorld() {
    config.token = "";
    ExecPlugin exec;
    exec.command = "aws";
    exec.api_version = "v1";
    auto runs = [this](const ProgramCall&) { return answer_of(&output_); };
    plugin =
        std::make_shared<PluginCredentials>(loop.executor(), loop.clock(), Logger(sink), exec, runs, Terminal::kNone);
  }
  void hands_out(const std::string& certificate) {
    output_ =
        R"({"kind":"ExecCredential","apiVersion":"v1","status":{"clientKeyData":"key","clientCertificateData":")" +
        certificate + "\"}}";
  }

 private:
  std::string output_;
};

TEST_CASE("a request fails, and is not sent, if the plugin's certificate cannot be used") {
  PluginWorld world;
  world.hands_out("unusable");
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);

  auto first = world.send(request_of(Verb::kGet));
  auto second = world.send(request_of(Verb::kGet));
  CHECK(world.http.requests().empty());
  // The status pages and the log of a server that does not answer have the reason.
  CHECK(world.failures == std::vector<std::string>(2, "getting credentials: bad certificate"));
  world.hands_out("usable");
  world.loop.clock().advance(PluginCredentials::kPause);
  auto third = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(first);
  CHECK(first.error().text == "getting credentials: bad certificate");
  CHECK_FALSE(second);
  CHECK(third);
}

TEST_CASE("a plugin's new certificate is used even if the CA file cannot be used") {
  PluginWorld world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "one");
  world.hands_out("first");
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("GET", "/prefix").replies(401, "{}");
  world.http.expect("GET", "/prefix").replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.files.file("/ca", "unusable");
  world.hands_out("second");
  world.loop.clock().advance(PluginCredentials::kPause);

  auto reply = world.send(request_of(Verb::kGet));

  CHECK(reply);
  CHECK(world.used_tls.back().certificate_pem == "second");
  CHECK(world.used_tls.back().ca_pem == "one");
  CHECK(world.sink.count("Unable to use the new certificate authority, the old one stays in use") == 1);
  world.http.verify();
}

TEST_CASE("an unusable certificate of a plugin is reported as the plugin's error, with any CA file") {
  PluginWorld world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "unusable");
  world.hands_out("unusable");

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().text == "getting credentials: bad certificate");
  CHECK(world.sink.count("Unable to use the new certificate authority, the old one stays in use") == 0);
  CHECK(world.http.requests().empty());
}

TEST_CASE("a 401 is returned at once if the token file has not changed") {
  RestClientOnScript world(true);
  world.http.expect("GET", "/prefix").replies(401, "");

  auto reply = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().code == 401);
  CHECK(reply.error().reason == "Unauthorized");
  CHECK(reply.error().message().find("; sent: the token of file \"/token\"") != std::string::npos);
  CHECK(reply.error().message().find("first") == std::string::npos);
  CHECK(world.has_metric(
      "keelson_rejected_requests_total{cause=\"unauthenticated\",resource=\"pods\",verb=\"get\"} 1\n"));
  world.http.verify();
}

TEST_CASE("the error of a rejected watch names the credentials") {
  RestClientOnScript world;
  world.config.source = "kubeconfig /k, context \"c\"";
  world.http.expect("GET", "/prefix").replies(401, "");

  auto stream = world.stream(request_of(Verb::kWatch));

  REQUIRE_FALSE(stream);
  CHECK(stream.error().message().find("; sent: the token of kubeconfig /k, context \"c\"") != std::string::npos);
  CHECK(stream.error().message().find("secret") == std::string::npos);
}

TEST_CASE("the client exports when its certificate expires, and logs once when it has expired") {
  RestClientOnScript world;
  const auto now = std::chrono::floor<std::chrono::seconds>(world.loop.clock().wall_now());
  auto made = tls::make_serving_certificate({"ca", {"me"}, now - std::chrono::hours(2), now + std::chrono::hours(20)});
  REQUIRE(made);
  world.config.source = "kubeconfig /k, context \"c\"";
  world.config.tls.certificate_pem = made->certificate_pem;
  world.config.tls.key_pem = made->key_pem;
  always(world.http, Verb::kGet).replies(200, kPod);

  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.registry.samples("keelson_certificate_expiry_seconds").at(0).labels.at(0) == "client");
  CHECK(world.sink.count("A certificate has expired") == 0);
  world.loop.clock().advance(std::chrono::hours(21));
  for (int request = 0; request < 3; ++request) REQUIRE(world.send(request_of(Verb::kGet)));

  REQUIRE(world.sink.count("A certificate has expired") == 1);
  const auto& line = world.sink.entries().back();
  CHECK(line.fields.find("kubeconfig /k, context") != std::string::npos);
  CHECK(line.fields.find("remedy=\"\"") == std::string::npos);
}

TEST_CASE("the client reads the rotated token after a 401") {
  RestClientOnScript world(true);
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

TEST_CASE("a create is not repeated after a 401") {
  RestClientOnScript world(true);
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("POST", "/prefix").replies(401, "");
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.files.file("/token", "second");

  auto reply = world.send(request_of(Verb::kCreate));

  REQUIRE_FALSE(reply);
  CHECK(reply.error().code == 401);
  world.http.verify();
}

TEST_CASE("new connections use changed CA files, and open streams continue") {
  RestClientOnScript world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "one");
  world.http.expect("GET", "/prefix").streams({testing::StreamPiece("late\n", minutes(20))});
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
  world.loop.run([&]() -> boost::asio::awaitable<void> {
    char buffer[64];
    auto read = co_await (*stream)->read_some(buffer);
    REQUIRE(read);
    length = *read;
  });
  CHECK(length == 5);
}

TEST_CASE("a changed client certificate also ends streams, which the server would authenticate as its former owner") {
  RestClientOnScript world;
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

TEST_CASE("the client reads its certificate again after a rejection, and repeats the request with a new one") {
  RestClientOnScript world;
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

// Certificate files that change while two requests are in progress, both of which the server rejects.
struct ExpiredCertificate : RestClientOnScript {
  ExpiredCertificate() {
    config.certificate_file = "/crt";
    config.key_file = "/key";
    config.tls.certificate_pem = "CRT";
    config.tls.key_pem = "KEY";
    files.file("/crt", "CRT2").file("/key", "KEY2");
    http.expect("GET", "/prefix").replies(200, kPod);
    http.expect("GET", "/prefix").after(seconds(1)).replies(401, "{}");
    http.expect("GET", "/prefix").after(seconds(1)).replies(401, "{}");
    REQUIRE(send(request_of(Verb::kGet)));
    loop.clock().advance(seconds(10));
  }

  [[nodiscard]] std::vector<Result<ApiReply>> send_two() {
    std::vector<Result<ApiReply>> replies;
    auto one = [&]() -> boost::asio::awaitable<void> {
      auto reply = co_await client().send(request_of(Verb::kGet));
      replies.push_back(std::move(reply));
    };
    loop.run(async::with_task_group([&](async::TaskGroup& requests) -> boost::asio::awaitable<void> {
      requests.spawn(one());
      requests.spawn(one());
      co_await requests.drain();
    }));
    return replies;
  }
};

TEST_CASE("all rejected requests are repeated with the certificate that the first of them renewed") {
  ExpiredCertificate world;
  world.http.expect("GET", "/prefix").replies(200, kPod);
  world.http.expect("GET", "/prefix").replies(200, kPod);

  auto replies = world.send_two();

  REQUIRE(replies.size() == 2);
  CHECK(replies[0]);
  CHECK(replies[1]);
  CHECK(world.used_tls.size() == 2);
  world.http.verify();
}

TEST_CASE("a request that is rejected with the renewed certificate too is not sent a third time") {
  ExpiredCertificate world;
  world.http.expect("GET", "/prefix").replies(401, "{}");
  world.http.expect("GET", "/prefix").replies(401, "{}");

  auto replies = world.send_two();

  REQUIRE(replies.size() == 2);
  CHECK(replies[0].error().code == 401);
  CHECK(replies[1].error().code == 401);
  world.http.verify();
  world.http.verify_no_surprise();
}

TEST_CASE("certificates are read again within ten seconds after a lost connection") {
  RestClientOnScript world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "two");
  world.http.expect("PATCH", "/prefix").fails(transport_error("tls: failed to verify certificate"));
  always(world.http, Verb::kGet).replies(200, kPod);
  CHECK_FALSE(world.send(request_of(Verb::kPatch)));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.used_tls.size() == 1);

  world.loop.clock().advance(seconds(10));
  REQUIRE(world.send(request_of(Verb::kGet)));

  CHECK(world.used_tls.size() == 2);
}

TEST_CASE("the former certificates stay in use if new ones cannot be read or used") {
  RestClientOnScript world;
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

TEST_CASE("certificates that were read while they were replaced are read again ten seconds later") {
  RestClientOnScript world;
  world.config.certificate_file = "/crt";
  world.config.key_file = "/key";
  world.config.tls.certificate_pem = "CRT";
  world.config.tls.key_pem = "KEY";
  world.files.file("/crt", "unusable").file("/key", "KEY");
  always(world.http, Verb::kGet).replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));
  world.loop.clock().advance(minutes(5));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.sink.count("Unable to use the new certificates, the old ones stay in use") == 1);
  world.files.file("/crt", "CRT2").file("/key", "KEY2");

  world.loop.clock().advance(seconds(9));
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.used_tls.size() == 2);
  world.loop.clock().advance(seconds(1));
  REQUIRE(world.send(request_of(Verb::kGet)));

  REQUIRE(world.used_tls.size() == 3);
  CHECK(world.used_tls[2].certificate_pem == "CRT2");
  CHECK(world.used_tls[2].key_pem == "KEY2");
}

TEST_CASE("a CA file that could not be used with a plugin's certificate is read again ten seconds later") {
  PluginWorld world;
  world.config.ca_file = "/ca";
  world.config.tls.ca_pem = "one";
  world.files.file("/ca", "unusable");
  world.hands_out("first");
  always(world.http, Verb::kGet).replies(200, kPod);
  REQUIRE(world.send(request_of(Verb::kGet)));
  CHECK(world.used_tls.back().ca_pem == "one");
  world.files.file("/ca", "two");

  world.loop.clock().advance(seconds(10));
  REQUIRE(world.send(request_of(Verb::kGet)));

  CHECK(world.used_tls.back().ca_pem == "two");
  CHECK(world.used_tls.back().certificate_pem == "first");
}

}  // namespace
}  // namespace keelson::kube
