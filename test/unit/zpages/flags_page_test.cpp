#include "keelson/detail/zpages/flags_page.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/text_parts.hpp"

namespace keelson::zpages {
namespace {

using testing::contains;

FlagState own(std::string name) { return {std::move(name), "s3cret", "", FlagSource::kCommandLine, true}; }

TEST_CASE("the value of an operator's flag that is named after a secret is not shown") {
  for (const auto* name : {"api-token",
                           "redis-password",
                           "db-passwd",
                           "db-pass",
                           "tls-passphrase",
                           "pwd",
                           "client-secret",
                           "signing-key",
                           "basic-auth",
                           "aws-credentials",
                           "db-cred",
                           "dsn",
                           "apiToken",
                           "API_KEY",
                           "aws-profile-token",
                           "path-secret",
                           "key",
                           "ssh-key-base64",
                           "token-profile",
                           "smtp-pass"}) {
    INFO(name);
    CHECK(shown_value(own(name), "s3cret") == "REDACTED");
    CHECK(shown_value(own(name), "").empty());
  }
  for (const auto* path : {"token-file", "key-path", "secret-dir", "credentials-folder", "Token_File", "auth.path"}) {
    INFO(path);
    CHECK(shown_value(own(path), "/etc/a") == "/etc/a");
  }
  CHECK(shown_value(own("redis-image"), "redis:7") == "redis:7");
}

TEST_CASE("the names of Secrets and files in the library's own flags are shown") {
  CHECK(shown_value({.name = "webhook-secret"}, "keelson-webhook-server-cert") == "keelson-webhook-server-cert");
  CHECK(shown_value({.name = "webhook-cert-key"}, "tls.key") == "tls.key");
}

TEST_CASE("user information in URLs and addresses is not shown, in flags of the library neither") {
  struct Case {
    std::string value;
    std::string shown;
  };
  const std::vector<Case> cases{
      {"https://user:pw@example.com/path", "https://REDACTED@example.com/path"},
      {"https://token@example.com", "https://REDACTED@example.com"},
      {"redis://:p@ss/word@host:6379,redis://a:b@other", "redis://REDACTED@other"},
      {"user:pw@tcp(db:3306)/name", "REDACTED@tcp(db:3306)/name"},
      {"https://example.com:9443", "https://example.com:9443"},
      {"admin@example.com", "admin@example.com"},
      {":8081", ":8081"},
  };
  for (const auto& one : cases) {
    INFO(one.value);
    CHECK(shown_value(own("address"), one.value) == one.shown);
    CHECK(shown_value({.name = "webhook-url"}, one.value) == one.shown);
  }
}

TEST_CASE("passwords and the queries of URLs in the operator's own flags are not shown") {
  CHECK(shown_value(own("database"), "host=db user=a password=s3cret") == "REDACTED");
  CHECK(shown_value(own("database"), "Server=db;Password=s3cret") == "REDACTED");
  CHECK(shown_value(own("bucket"), "https://s3.example.com/a?sig=s3cret") == "https://s3.example.com/a?REDACTED");
  CHECK(shown_value(own("bucket"), "https://a:b@s3.example.com/?x=1") == "https://REDACTED@s3.example.com/?REDACTED");
  CHECK(shown_value(own("pattern"), "web-?") == "web-?");
  CHECK(shown_value({.name = "webhook-url"}, "https://example.com/?timeout=1s") == "https://example.com/?timeout=1s");
}

TEST_CASE("no format of the page contains a secret, in values or defaults") {
  const std::vector<FlagState> flags{
      {"password", "s3cret", "s3cret", FlagSource::kCommandLine, true},
      {"webhook-url", "https://a:s3cret@b", "https://a:s3cret@c", FlagSource::kConfigFile, false}};

  for (const auto& page : {html_of(flags_page("manager", flags, {})), plain_text_of(flags_page("manager", flags, {})),
                           flags_text("manager", flags), flags_json("manager", flags)}) {
    CHECK_FALSE(contains(page, "s3cret"));
    CHECK(contains(page, "REDACTED"));
  }
}

TEST_CASE("the text has a line for each flag, and the source of those that are set") {
  const std::vector<FlagState> flags{{"config", "", "", FlagSource::kDefault, false},
                                     {"leader-elect", "true", "false", FlagSource::kCommandLine, false},
                                     {"watch-namespaces", "a\nb", "", FlagSource::kEnvironment, false}};

  CHECK(flags_text("manager", flags) ==
        "\nmanager flagz\n"
        "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and "
        "is for debugging purposes only.\n"
        "\n"
        "config=\n"
        "leader-elect=true  (command line)\n"
        "watch-namespaces=a b  (environment)\n");
}

TEST_CASE("a flag that is set to its default is not marked as changed") {
  const std::vector<FlagState> flags{{"dry-run", "false", "false", FlagSource::kCommandLine, false},
                                     {"leader-elect", "true", "false", FlagSource::kConfigFile, false}};

  CHECK(flags_json("manager", flags) ==
        R"({"kind":"Flagz","program":"manager","flags":[)"
        R"({"name":"dry-run","value":"false","default":"false","source":"command line","isChanged":false},)"
        R"({"name":"leader-elect","value":"true","default":"false","source":"config file","isChanged":true}]})"
        "\n");
  CHECK(contains(html_of(flags_page("manager", flags, {})), "Changed flags</dt><dd class=\"warning\">1</dd>"));
}

}  // namespace
}  // namespace keelson::zpages
