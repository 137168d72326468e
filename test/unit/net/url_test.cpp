#include "keelson/detail/net/url.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::net {
namespace {

TEST_CASE("a URL is an origin and a target, with its query") {
  struct Row {
    const char* url;
    const char* origin;
    const char* target;
  };
  const Row rows[] = {
      {"https://host:8443/path?a=b", "https://host:8443", "/path?a=b"},
      {"http://host", "http://host", "/"},
      {"HTTPS://host:443", "https://host", "/"},
      {"http://host:443/", "http://host:443", "/"},
      {"https://host?a=b&c=d", "https://host", "/?a=b&c=d"},
      {"https://host/?", "https://host", "/?"},
      {"https://host/a//b/?x=/y?z", "https://host", "/a//b/?x=/y?z"},
      {"https://host/a?to=https://other/b@c", "https://host", "/a?to=https://other/b@c"},
      {"https://host/a#part?no", "https://host", "/a"},
      {"https://[::1]:8443/a@b", "https://[::1]:8443", "/a@b"},
      {"https://host/@scope/b#c@d", "https://host", "/@scope/b"},
      {"https://[::1]:8443/a", "https://[::1]:8443", "/a"},
      {"https://host/a%20b?c=%zz", "https://host", "/a%20b?c=%zz"},
      {"https://host/{id}|x", "https://host", "/{id}|x"},
  };
  for (const auto& row : rows) {
    INFO(row.url);
    const auto url = parse_url(row.url);
    REQUIRE(url);
    CHECK(origin_text(url->origin) == row.origin);
    CHECK(url->target == row.target);
  }
}

TEST_CASE("a bad URL is rejected with what to correct, and never with a password") {
  struct Row {
    const char* url;
    const char* error;
  };
  const Row rows[] = {
      {"", R"(invalid URL "": it is empty)"},
      {"host:8443/path", R"(invalid URL "host:8443/path": the scheme is missing; begin it with https:// or http://)"},
      {"/path", R"(invalid URL "/path": the scheme is missing; begin it with https:// or http://)"},
      {"/a?b=http://c", R"(invalid URL "/a?b=http://c": the scheme is missing; begin it with https:// or http://)"},
      {"ftp://host", R"(invalid URL "ftp://host": unsupported protocol scheme "ftp")"},
      {"https://", R"(invalid URL "https://": invalid host "")"},
      {"https://host:x/", R"(invalid URL "https://host:x/": invalid port "x")"},
      {"https://host:70000/", R"(invalid URL "https://host:70000/": invalid port "70000")"},
      {"https://ho st/", R"(invalid URL "https://ho st/": invalid host "ho st")"},
      {"https://host/a b",
       R"(invalid URL "https://host/a b": the character " " in its path or query must be encoded as %20)"},
      {"https://host/a?b=c\n",
       R"(invalid URL "https://host/a?b=c\n": the character "\n" in its path or query must be encoded as %0A)"},
      {"https://host/5%",
       R"(invalid URL "https://host/5%": the character "%" in its path or query must be encoded as %25)"},
      {"https://me:secret@host/",
       "invalid URL: user information (user:password@host) is not supported; send the header Authorization. Encode an "
       "@ "
       "in a path or query as %40"},
      {"me:secret@host",
       "invalid URL: user information (user:password@host) is not supported; send the header Authorization. Encode an "
       "@ "
       "in a path or query as %40"},
  };
  for (const auto& row : rows) {
    INFO(row.url);
    const auto url = parse_url(row.url);
    REQUIRE_FALSE(url);
    CHECK(url.error().kind == Error::Kind::kInvalid);
    CHECK(url.error().text == row.error);
  }
}

TEST_CASE("a password that is not encoded is never printed, and nothing is sent to the host that its user looks like") {
  for (const auto* url :
       {"https://user:pa/ss@host/x", "https://user:pa?ss@host/x", "https://user:pa#ss@host/x",
        "https://user:123/ss@host", "https://user:8443#ss@host", "https://user:/pa@host", "ftp://user:pa/ss@host",
        "user:pa/ss@host", "https://user:p@ss/pa@host", "https://user:pa://ss@host", "https://us er/pass@host",
        "://user:pa/ss@host", "https://user:pa ss@host"}) {
    INFO(url);
    const auto parsed = parse_url(url);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().text.find("%40") != std::string::npos);
    CHECK(parsed.error().text.find("pa/") == std::string::npos);
    CHECK(parsed.error().text.find("ss@") == std::string::npos);
    CHECK(parsed.error().text.find("us er") == std::string::npos);
  }
  for (const auto* url : {"secret/pass@host", "https://host/sec ret@host"}) {
    INFO(url);
    const auto parsed = parse_url(url);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().text.find("sec") == std::string::npos);
  }
}

}  // namespace
}  // namespace keelson::net
