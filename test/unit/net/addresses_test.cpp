#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/net/http_server.hpp"

using namespace keelson;
using net::Scheme;

namespace {

// "https host port prefix", or the error's text.
std::string show(const std::string& url, Scheme fallback = Scheme::kHttp) {
  auto parsed = net::parse_server_url(url, fallback);
  if (!parsed) return parsed.error().text;
  const auto& origin = parsed->origin;
  return std::string(origin.tls ? "https" : "http") + " " + origin.host + " " + origin.port + " " + parsed->path_prefix;
}

std::string show_bind(const std::string& text) {
  auto parsed = net::parse_bind_address(text);
  if (!parsed) return parsed.error().text;
  return parsed->host + " " + std::to_string(parsed->port);
}

}  // namespace

TEST_CASE("server URLs are parsed as in client-go") {
  struct Row {
    std::string url;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"https://10.96.0.1:443", "https 10.96.0.1 443 "},
      {"https://10.96.0.1", "https 10.96.0.1 443 "},
      {"http://localhost", "http localhost 80 "},
      {"HTTPS://Example.org:6443/", "https Example.org 6443 "},
      {"https://[::1]:6443/prefix", "https ::1 6443 /prefix"},
      {"https://[fe80::1%25eth0]:6443", "https fe80::1%eth0 6443 "},
      {"https://[::1]", "https ::1 443 "},
      {"https://rancher.example/k8s/clusters/c-1/", "https rancher.example 443 /k8s/clusters/c-1"},
      {"https://a.example?x=1", "https a.example 443 "},
      {"https://a.example/p?x=1#y", "https a.example 443 /p"},
      {"localhost:8080", "http localhost 8080 "},
      {"localhost", "http localhost 80 "},
  };

  for (const auto& row : rows) {
    INFO(row.url);
    CHECK(show(row.url) == row.expected);
  }
  CHECK(show("10.0.0.1:6443", Scheme::kHttps) == "https 10.0.0.1 6443 ");
}

TEST_CASE("invalid server URLs are rejected with an error that contains them") {
  struct Row {
    std::string url;
    std::string reason;
  };
  const std::vector<Row> rows = {
      {"", "empty"},
      {"https://", "invalid host \"\""},
      {"ftp://a.example", "unsupported protocol scheme \"ftp\""},
      {"https://a.example:0", "invalid port \"0\""},
      {"https://a.example:65536", "invalid port \"65536\""},
      {"https://a.example:http", "invalid port \"http\""},
      {"https://a.example:-1", "invalid port \"-1\""},
      {"https://a.example:+1", "invalid port \"+1\""},
      {"https://::1:80", "too many colons"},
      {"https://[::1", "missing ']'"},
      {"https://[::1]x:80", "missing port"},
      {"https://[a.example]:80", "invalid host"},
      {"https://[fe80::1%25a%b]:80", "invalid host"},
      {"https://[fe80::1%25a[b]:80", "unexpected bracket"},
      {"https://[fe80::1%25]:80", "invalid host"},
      {"https://a b.example", "space"},
      {"https://a.example/\r\nX: y", "space"},
      {"https://a_é.example", "invalid host"},
  };

  for (const auto& row : rows) {
    INFO(row.url);
    auto shown = show(row.url);
    CHECK(shown.starts_with("invalid server URL"));
    CHECK(shown.find(row.reason) != std::string::npos);
  }
}

TEST_CASE("the error for a URL with a password does not contain the URL") {
  auto shown = show("https://admin:secret@a.example:6443");

  CHECK(shown.find("user information") != std::string::npos);
  CHECK(shown.find("secret") == std::string::npos);
}

TEST_CASE("bind addresses are parsed as in Go's net.Listen") {
  struct Row {
    std::string text;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {":8080", " 8080"},
      {":0", " 0"},
      {":", " 0"},
      {"localhost:0", "localhost 0"},
      {"127.0.0.1:8081", "127.0.0.1 8081"},
      {"[::1]:80", "::1 80"},
      {"[::]:80", ":: 80"},
      {"0", "address 0: missing port in address"},
      {"", "address : missing port in address"},
      {"8080", "address 8080: missing port in address"},
      {"localhost", "address localhost: missing port in address"},
      {"::1:80", "address ::1:80: too many colons in address"},
      {"[::1]", "address [::1]: missing port in address"},
      {"[::1", "address [::1: missing ']' in address"},
      {":65536", "address :65536: invalid port"},
      {":http", "address :http: invalid port"},
      {":-1", "address :-1: invalid port"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(show_bind(row.text) == row.expected);
  }
}

TEST_CASE("header() returns the first value and ignores the case of the name") {
  net::Headers headers{{"Content-Type", "a"}, {"content-type", "b"}};

  CHECK(net::header(headers, "CONTENT-TYPE") == "a");
  CHECK(net::header(headers, "Content").empty());
}
