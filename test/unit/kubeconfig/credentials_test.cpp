#include "keelson/detail/kubeconfig/credentials.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/base64.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"
#include "test/unit/kubeconfig/fake_environment.hpp"

namespace keelson::kube {
namespace {

using fixtures::FakeEnvironment;
using std::chrono::seconds;
using RequestCredentials = Credentials::RequestCredentials;
using TlsChange = Credentials::TlsChange;

class FakeSink final : public LogSink {
 public:
  [[nodiscard]] bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    lines.push_back(std::string(line.message) + ": " + (line.error != nullptr ? line.error->text : ""));
  }
  std::vector<std::string> lines;
};

// The credentials of one configuration, with their environment.
struct CredentialsOfConfig {
  explicit CredentialsOfConfig(ConnectionConfig config)
      : credentials(clock, Logger(sink), config, {.read_file = files.read_file(), .plugin = nullptr}) {}

  [[nodiscard]] Result<RequestCredentials> for_request() { return testing::result_of(loop, credentials.for_request()); }
  [[nodiscard]] std::string authorization() {
    auto now = for_request();
    return now ? std::string(net::header(now->headers, "Authorization")) : now.error().text;
  }
  [[nodiscard]] bool renew(RequestCredentials sent) { return testing::result_of(loop, credentials.renew(sent)); }

  sandbox::loop::TestLoop loop;
  sandbox::loop::VirtualClock& clock = loop.clock();
  FakeSink sink;
  FakeEnvironment files;
  Credentials credentials;
};

ConnectionConfig with_token_file(const std::string& initial_token = "") {
  ConnectionConfig config;
  config.token = initial_token;
  config.token_file = "/token";
  return config;
}

}  // namespace

TEST_CASE("an inline token is sent unchanged, also after a 401") {
  ConnectionConfig config;
  config.token = "t";
  CredentialsOfConfig fixture(config);

  CHECK(fixture.authorization() == "Bearer t");
  CHECK_FALSE(fixture.renew(*fixture.for_request()));
  CHECK(fixture.files.reads == 0);
}

TEST_CASE("name and password are sent as basic authentication") {
  ConnectionConfig config;
  config.username = "Aladdin";
  config.password = "open sesame";
  CredentialsOfConfig fixture(config);

  CHECK(fixture.authorization() == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST_CASE("an anonymous user sends nothing") {
  CredentialsOfConfig fixture{ConnectionConfig()};

  auto headers = fixture.for_request();

  REQUIRE(headers);
  CHECK(headers->headers.empty());
}

TEST_CASE("without TLS no credentials are sent") {
  auto config = with_token_file("t");
  config.username = "n";
  config.impersonation.user = "jane";
  config.url.origin.tls = false;
  CredentialsOfConfig fixture(config);

  auto headers = fixture.for_request();

  REQUIRE(headers);
  CHECK(headers->headers == net::Headers{{"Impersonate-User", "jane"}});
  CHECK_FALSE(fixture.renew(*headers));
}

TEST_CASE("a token file is preferred to the token and read again every 50 seconds") {
  CredentialsOfConfig fixture(with_token_file("inline"));
  fixture.files.file("/token", "\n first \n");
  CHECK(fixture.authorization() == "Bearer first");

  fixture.files.file("/token", "second");
  fixture.clock.advance(seconds(50) - std::chrono::nanoseconds(1));
  CHECK(fixture.authorization() == "Bearer first");
  CHECK(fixture.files.reads == 1);

  fixture.clock.advance(std::chrono::nanoseconds(1));
  CHECK(fixture.authorization() == "Bearer second");
  CHECK(fixture.files.reads == 2);
}

TEST_CASE("after the removal of the token file the last token stays in use, and the file is tried every 10 seconds") {
  CredentialsOfConfig fixture(with_token_file());
  fixture.files.file("/token", "first");
  CHECK(fixture.authorization() == "Bearer first");

  fixture.files.without("/token");
  fixture.clock.advance(seconds(50));
  CHECK(fixture.authorization() == "Bearer first");
  CHECK(fixture.authorization() == "Bearer first");
  CHECK(fixture.sink.lines == std::vector<std::string>{"Unable to rotate token: failed to read token file \"/token\": "
                                                       "open /token: no such file or directory"});

  fixture.files.file("/token", "second");
  fixture.clock.advance(seconds(10));
  CHECK(fixture.authorization() == "Bearer second");
}

TEST_CASE("the error of a token file that never worked does not contain its content") {
  CredentialsOfConfig fixture(with_token_file());

  CHECK(fixture.authorization() == "failed to read token file \"/token\": open /token: no such file or directory");
  fixture.files.file("/token", " \n");
  CHECK(fixture.authorization() == "read empty token from file \"/token\"");
  fixture.files.file("/token", "secret\nX-Evil: 1");
  CHECK(fixture.authorization() ==
        "failed to read token file \"/token\": invalid header field value for \"Authorization\"");
  fixture.files.unreadable("/token");
  CHECK(fixture.authorization() == "failed to read token file \"/token\": open /token: permission denied");
}

TEST_CASE("after a 401 the token file is read immediately, and the request is retried if the token differs") {
  CredentialsOfConfig fixture(with_token_file());
  fixture.files.file("/token", "first");
  auto sent = fixture.for_request();
  REQUIRE(sent);

  CHECK_FALSE(fixture.renew(*sent));
  fixture.files.file("/token", "second");
  CHECK(fixture.renew(*sent));
  CHECK(fixture.authorization() == "Bearer second");
}

TEST_CASE("a request is retried after a 401 if another request has renewed the token meanwhile") {
  CredentialsOfConfig fixture(with_token_file());
  fixture.files.file("/token", "first");
  auto sent = fixture.for_request();
  REQUIRE(sent);
  fixture.files.file("/token", "second");
  REQUIRE(fixture.renew(*sent));

  CHECK(fixture.renew(*sent));
  CHECK_FALSE(fixture.renew(*fixture.for_request()));
}

TEST_CASE("without a token file a renewal leaves the token in use and causes no retry") {
  CredentialsOfConfig fixture(with_token_file());
  fixture.files.file("/token", "first");
  auto sent = fixture.for_request();
  REQUIRE(sent);
  fixture.files.without("/token");

  CHECK_FALSE(fixture.renew(*sent));
  CHECK(fixture.authorization() == "Bearer first");
}

TEST_CASE("impersonation sends user, uid, groups and extra with their keys escaped") {
  ConnectionConfig config;
  config.token = "t";
  config.impersonation.user = "jane";
  config.impersonation.uid = "u1";
  config.impersonation.groups = {"dev", "ops"};
  config.impersonation.extra = {{"acme.com/project", {"a", "b"}}, {"50%\xc3\xbc", {"c"}}};
  CredentialsOfConfig fixture(config);

  auto headers = fixture.for_request();

  REQUIRE(headers);
  CHECK(headers->headers == net::Headers{{"Authorization", "Bearer t"},
                                         {"Impersonate-User", "jane"},
                                         {"Impersonate-Uid", "u1"},
                                         {"Impersonate-Group", "dev"},
                                         {"Impersonate-Group", "ops"},
                                         {"Impersonate-Extra-50%25%C3%BC", "c"},
                                         {"Impersonate-Extra-acme.com%2Fproject", "a"},
                                         {"Impersonate-Extra-acme.com%2Fproject", "b"}});
}

ConnectionConfig with_certificate_files() {
  ConnectionConfig config;
  config.ca_file = "/ca";
  config.certificate_file = "/crt";
  config.key_file = "/key";
  return config;
}

TEST_CASE("certificates that changed on disk are reported once, as trust or as identity") {
  CredentialsOfConfig fixture(with_certificate_files());
  fixture.files.file("/ca", "CA").file("/crt", "CRT").file("/key", "KEY");
  tls::TlsOptions options{.ca_pem = "CA", .certificate_pem = "CRT", .key_pem = "KEY", .server_name = "n"};
  CHECK(fixture.credentials.reload_tls(options) == TlsChange::kNothing);

  fixture.files.file("/crt", "CRT2").file("/key", "KEY2");
  CHECK(fixture.credentials.reload_tls(options) == TlsChange::kIdentity);
  CHECK(options.certificate_pem == "CRT2");
  CHECK(options.key_pem == "KEY2");
  CHECK(options.server_name == "n");
  CHECK(fixture.credentials.reload_tls(options) == TlsChange::kNothing);

  fixture.files.file("/ca", "CA2");
  CHECK(fixture.credentials.reload_tls(options) == TlsChange::kTrust);
  CHECK(options.ca_pem == "CA2");
}

TEST_CASE("a missing or empty certificate file is logged and changes nothing") {
  CredentialsOfConfig fixture(with_certificate_files());
  fixture.files.file("/ca", "CA2").file("/crt", "CRT2").file("/key", "");
  tls::TlsOptions options{.ca_pem = "CA", .certificate_pem = "CRT", .key_pem = "KEY", .server_name = ""};

  auto empty = fixture.credentials.reload_tls(options);
  fixture.files.without("/key");
  auto missing = fixture.credentials.reload_tls(options);

  CHECK(empty == TlsChange::kNothing);
  CHECK(missing == TlsChange::kNothing);
  const std::string told = "Unable to reload certificates, the old ones stay in use: ";
  CHECK(fixture.sink.lines ==
        std::vector<std::string>{told + "read /key: the file is empty", told + "open /key: no such file or directory"});
  CHECK(options.ca_pem == "CA");
  CHECK(options.certificate_pem == "CRT");
}

TEST_CASE("certificates are checked every five minutes, and ten seconds after a check with an error") {
  CredentialsOfConfig fixture(with_certificate_files());
  tls::TlsOptions options;
  CHECK_FALSE(fixture.credentials.tls_is_due());
  fixture.clock.advance(std::chrono::minutes(5));
  CHECK(fixture.credentials.tls_is_due());

  fixture.files.file("/ca", "CA").file("/crt", "CRT").file("/key", "KEY");
  CHECK(fixture.credentials.reload_tls(options) == TlsChange::kIdentity);
  CHECK_FALSE(fixture.credentials.tls_is_due());
  fixture.credentials.suspect_tls();
  CHECK_FALSE(fixture.credentials.tls_is_due());
  fixture.clock.advance(seconds(10));
  CHECK(fixture.credentials.tls_is_due());
}

TEST_CASE("base64 is decoded as in Go") {
  struct Case {
    std::string text;
    std::string outcome;
  };
  const std::string illegal = "illegal base64 data at input byte ";
  const std::vector<Case> cases = {
      {"", ""},
      {"YQ==", "a"},
      {"YWI=", "ab"},
      {"YWJj", "abc"},
      {"YW\nJj\r\n", "abc"},
      {"ab\n==\n", "i"},
      {"a", illegal + "0"},
      {"abc", illegal + "0"},
      {"abcde", illegal + "4"},
      {"ab=", illegal + "3"},
      {"a===", illegal + "1"},
      {"ab=c", illegal + "2"},
      {"abc==", illegal + "4"},
      {"abcd=", illegal + "4"},
      {"abc!", illegal + "3"},
      {"abcd\nefg", illegal + "5"},
      {"ab==x", illegal + "4"},
      {"====", illegal + "0"},
      {"abcd\nab=\n", illegal + "9"},
  };
  for (const auto& [text, outcome] : cases) {
    INFO(text);
    auto decoded = base::base64_decode(text);

    CHECK((decoded ? *decoded : decoded.error().text) == outcome);
  }
}

TEST_CASE("base64 decodes its own encoding at every length") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    CHECK(*base::base64_decode(base::base64_encode(bytes)) == bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
}

}  // namespace keelson::kube
