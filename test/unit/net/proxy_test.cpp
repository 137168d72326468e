#include "keelson/detail/net/proxy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace keelson;

namespace {

// "http host port user:password", or the error's text.
std::string show(const std::string& url) {
  auto proxy = net::parse_proxy_url(url, "HTTPS_PROXY");
  if (!proxy) return proxy.error().text;
  const char* kinds[] = {"http", "https", "socks5"};
  auto shown = std::string(kinds[static_cast<int>(proxy->kind)]) + " " + proxy->host + " " + proxy->port;
  return proxy->user ? shown + " " + proxy->user->name + ":" + proxy->user->password : shown;
}

}  // namespace

TEST_CASE("proxy URLs are parsed, and users and passwords are decoded") {
  struct Row {
    std::string url;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"http://proxy", "http proxy 80"},
      {"HTTPS://Proxy.example:8443/ignored?x#y", "https Proxy.example 8443"},
      {"https://proxy", "https proxy 443"},
      {"socks5://10.0.0.1", "socks5 10.0.0.1 1080"},
      {"socks5h://[::1]:99", "socks5 ::1 99"},
      {"http://[fe80::1%25eth0]:3128", "http fe80::1%eth0 3128"},
      {"http://me:se%3Acret%40@proxy:3128", "http proxy 3128 me:se:cret@"},
      {"http://do%5Cme@proxy", "http proxy 80 do\\me:"},
      {"http://me:a@b@proxy", "http proxy 80 me:a@b"},
      {"http://:token@proxy", "http proxy 80 :token"},
      {"http://@proxy", "http proxy 80 :"},
      {"http://" + std::string(300, 't') + "@proxy", "http proxy 80 " + std::string(300, 't') + ":"},
  };

  for (const auto& row : rows) {
    INFO(row.url);
    CHECK(show(row.url) == row.expected);
  }
}

TEST_CASE("errors of proxy URLs do not contain the user and password") {
  struct Row {
    std::string url;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"ftp://secret@p", R"(HTTPS_PROXY: unsupported scheme "ftp", must be http, https, or socks5)"},
      {"proxy:3128", R"(HTTPS_PROXY: unsupported scheme "", must be http, https, or socks5)"},
      {"http://secret@:3128", R"(HTTPS_PROXY: invalid host "")"},
      {"http://secret@p:0", R"(HTTPS_PROXY: invalid port "0")"},
      {"http://secret@p:x", R"(HTTPS_PROXY: invalid port "x")"},
      {"http://secret@[::g]", R"(HTTPS_PROXY: invalid host "::g")"},
      {"http://secret@a b", R"(HTTPS_PROXY: invalid host "a b")"},
      {"http://me:123/secret@p", "HTTPS_PROXY: encode / ? # in a password as %2F %3F %23"},
      {"http://me:1?secret@p", "HTTPS_PROXY: encode / ? # in a password as %2F %3F %23"},
      {"http://me:se#cret@p:3128", "HTTPS_PROXY: encode / ? # in a password as %2F %3F %23"},
      {"http://secret%@p", "HTTPS_PROXY: the user or password has an invalid percent-encoding; encode '%' as %25"},
      {"socks5://" + std::string(256, 's') + "@p",
       "HTTPS_PROXY: SOCKS requires a user of 1 to 255 bytes and a password of at most 255 bytes"},
      {"socks5://:secret@p",
       "HTTPS_PROXY: SOCKS requires a user of 1 to 255 bytes and a password of at most 255 bytes"},
      {"me:secret://word@p", R"(HTTPS_PROXY: unsupported scheme "", must be http, https, or socks5)"},
  };

  for (const auto& row : rows) {
    INFO(row.url);
    CHECK(show(row.url) == row.expected);
  }
}

TEST_CASE("the text of a proxy does not contain its password") {
  CHECK(net::parse_proxy_url("http://me:secret@p:1", "")->url() == "http://me:xxxxx@p:1");
  CHECK(net::parse_proxy_url("https://me@p", "")->url() == "https://me@p:443");
  CHECK(net::parse_proxy_url("socks5h://[::1]", "")->url() == "socks5://[::1]:1080");
}

TEST_CASE("NO_PROXY is evaluated as in Go") {
  struct Row {
    std::string no_proxy;
    std::string host;
    std::string port;
    bool direct;
  };
  // Rows of Go's own test of httpproxy, and a few of what clusters set.
  const std::vector<Row> rows = {
      {"", "localhost", "80", true},
      {"", "127.0.0.1", "80", true},
      {"", "127.0.0.2", "80", true},
      {"", "::1", "80", true},
      {"", "example.com", "80", false},
      {"", "localhost.example", "80", false},
      {"foobar.com, .barbaz.net, 192.168.1.1, 192.168.1.2:81, 192.168.1.3:80, 10.0.0.0/30, 2001:db8::52:0:1, "
       "[2001:db8::52:0:2]:443, [2001:db8::52:0:3]:80, 2002:db8:a::45/64",
       "192.168.1.1", "80", true},
      {"192.168.1.2:81", "192.168.1.2", "80", false},
      {"192.168.1.3:80", "192.168.1.3", "80", true},
      {"10.0.0.0/30", "10.0.0.2", "80", true},
      {"10.0.0.0/30", "10.0.0.4", "80", false},
      {"10.96.0.0/12,.svc,.cluster.local", "10.96.0.1", "443", true},
      {"10.96.0.0/12,.svc,.cluster.local", "kubernetes.default.svc", "443", true},
      {"10.96.0.0/12,.svc,.cluster.local", "svc", "443", false},
      {"2001:db8::52:0:1", "2001:db8::52:0:1", "80", true},
      {"[2001:db8::52:0:2]:443", "2001:db8::52:0:2", "80", false},
      {"[2001:db8::52:0:3]:80", "2001:db8::52:0:3", "80", true},
      {"2002:db8:a::45/64", "2002:db8:a::123", "80", true},
      {"2002:db8:a::45/64", "fe80::424b:c8be:1643:a1b6", "80", false},
      {"2002:db8:a::45/64", "10.0.0.1", "80", false},
      {"10.0.0.1", "::ffff:10.0.0.1", "80", true},
      {"barbaz.net", "barbaz.net", "80", true},
      {".barbaz.net", "barbaz.net", "80", false},
      {"*.barbaz.net", "barbaz.net", "80", false},
      {"*.barbaz.net", "www.barbaz.net", "80", true},
      {"foobar.com", "www.foobar.com", "80", true},
      {"foobar.com", "foofoobar.com", "80", false},
      {"foobar.com", "baz.com", "80", false},
      {"ForBar.Com", "fOrbAr.coM", "80", true},
      {"foobar.com:443", "foobar.com", "80", false},
      {"foobar.com:443", "www.foobar.com", "443", true},
      {"168.1.1", "192.168.1.1", "80", false},
      {"*", "anything", "80", true},
      {"x, *", "10.9.8.7", "80", true},
      {",, ,", "example.com", "80", false},
      {":80, :1", "example.com", "80", false},
      {"10.0.0.0/33, [::1, ]", "10.0.0.1", "80", false},
  };

  for (const auto& row : rows) {
    INFO(row.no_proxy << " and " << row.host << ":" << row.port);
    CHECK(net::bypasses_proxy(row.no_proxy, row.host, row.port) == row.direct);
  }
}
