// Tokens and certificates that are refused, run out or change under a running client.
#include "keelson/async/task_group.hpp"
#include "test/unit/kube/api_server_world.hpp"

namespace keelson::kube {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

awaitable<Result<ProgramEnd>> answer_of(const std::string* output) {
  ProgramEnd end;
  end.output = *output;
  co_return end;
}

// Client certificates come from an exec plugin.
struct PluginWorld : World {
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

TEST_CASE("a plugin's certificate that cannot be used fails requests, and none goes out without it") {
  PluginWorld world;
  world.hands_out("unusable");
  world.http.expect("GET", "/prefix/api/v1/namespaces/ns/pods/a").replies(200, kPod);

  auto first = world.send(request_of(Verb::kGet));
  auto second = world.send(request_of(Verb::kGet));
  CHECK(world.http.requests().empty());
  world.hands_out("usable");
  world.loop.clock().advance(PluginCredentials::kPause);
  auto third = world.send(request_of(Verb::kGet));

  REQUIRE_FALSE(first);
  CHECK(first.error().text == "getting credentials: bad certificate");
  CHECK_FALSE(second);
  CHECK(third);
}

TEST_CASE("a CA file that cannot be used does not keep a plugin's new certificate from being used") {
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

TEST_CASE("a plugin's certificate that cannot be used is the plugin's fault whatever the CA file says") {
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

// Certificate files that change behind a client's back, and two requests under way when the server finds out.
struct ExpiredCertificate : World {
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
    auto one = [&]() -> awaitable<void> {
      auto reply = co_await client().send(request_of(Verb::kGet));
      replies.push_back(std::move(reply));
    };
    loop.run(async::with_task_group([&](async::TaskGroup& requests) -> awaitable<void> {
      requests.spawn(one());
      requests.spawn(one());
      co_await requests.drain();
    }));
    return replies;
  }
};

TEST_CASE("a certificate that was renewed for one refused request is used for the others too") {
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

TEST_CASE("requests that are refused with the renewed certificate too are not sent a third time") {
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

TEST_CASE("certificates read in the middle of their change are looked at again ten seconds later") {
  World world;
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

TEST_CASE("a CA file that could not be used beside a plugin's certificate is looked at again ten seconds later") {
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
