#include "keelson/detail/zpages/endpoint.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::zpages {
namespace {

using namespace std::chrono_literals;

struct PageEndpoint {
  net::Response get(std::string accept, std::string target = "/statusz", std::string method = "GET") {
    net::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    if (!accept.empty()) request.headers = {{"Accept", std::move(accept)}};
    return testing::result_of(loop, handler(std::move(request))).response;
  }

  sandbox::loop::TestLoop loop;
  std::vector<Format> renders;
  net::Handler handler = make_page_handler(loop.clock(), [this](Format format) {
    renders.push_back(format);
    return "page " + std::to_string(renders.size());
  });
};

TEST_CASE("the header Accept chooses the format") {
  struct Case {
    std::string accept;
    std::optional<Format> format;
  };
  const std::vector<Case> cases{
      {"", Format::kText},
      {"*/*", Format::kText},
      {"text/*", Format::kText},
      {"text/html", Format::kHtml},
      {"TEXT/HTML", Format::kHtml},
      {"application/json", Format::kJson},
      {"application/*", Format::kJson},
      // Chromium, Firefox, and curl with a preference.
      {"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", Format::kHtml},
      {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Format::kHtml},
      {"application/json, text/plain;q=0.9", Format::kJson},
      {"application/json;q=0.5, text/plain;q=0.75", Format::kText},
      {"text/html;q=0.2;level=1, application/json ; q=0.3", Format::kJson},
      // The more specific range decides, whatever the order is.
      {"*/*;q=0.9, text/plain;q=0.1, text/html;q=0.5", Format::kJson},
      {"text/*;q=0.4, text/html;q=0", Format::kText},
      {"text/plain;q=0, text/html;q=0, application/json;q=0", std::nullopt},
      {"image/png", std::nullopt},
      {"text/html;q=nonsense", std::nullopt},
      {"text/html;q=0.0001", std::nullopt},
      {"text/html;q=2", std::nullopt},
      {",,;,/", std::nullopt},
      {std::string(limits::kAcceptBytes + 1, 'a'), Format::kText},
  };
  for (const auto& one : cases) {
    INFO(one.accept.substr(0, 100));
    CHECK(choose_format(one.accept) == one.format);
  }
}

TEST_CASE("a page for browsers may not load, run, embed or send anything") {
  PageEndpoint fixture;

  const auto response = fixture.get("text/html");

  CHECK(response.status == 200);
  CHECK(net::header(response.headers, "Content-Type") == "text/html; charset=utf-8");
  CHECK(net::header(response.headers, "Content-Security-Policy") ==
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  CHECK(net::header(response.headers, "X-Content-Type-Options") == "nosniff");
  CHECK(net::header(response.headers, "Cache-Control") == "no-store");
  CHECK(net::header(response.headers, "Refresh").empty());
}

TEST_CASE("a browser reloads the page only if the query says so") {
  PageEndpoint fixture;
  const auto refresh = [&](const std::string& target, const std::string& accept = "text/html") {
    return std::string(net::header(fixture.get(accept, target).headers, "Refresh"));
  };

  CHECK(refresh("/statusz?refresh=5") == "5");
  CHECK(refresh("/statusz?a=b&refresh=3600") == "3600");
  for (const auto* invalid : {"0", "3601", "-1", "5;url=https://example.com", "", "99999999999"}) {
    INFO(invalid);
    CHECK(refresh("/statusz?refresh=" + std::string(invalid)).empty());
  }
  CHECK(refresh("/statusz?refresh=5", "text/plain").empty());
}

TEST_CASE("a flood of requests renders each format once in a second") {
  PageEndpoint fixture;

  for (int request = 0; request < 1000; ++request) {
    CHECK(fixture.get("text/html").body == "page 1");
    CHECK(fixture.get("application/json").body == "page 2");
  }
  CHECK(fixture.renders == std::vector{Format::kHtml, Format::kJson});
  fixture.loop.clock().advance(1s);

  CHECK(fixture.get("text/html").body == "page 3");
  CHECK(fixture.get("text/html", "/statusz?refresh=5").body == "page 3");
}

TEST_CASE("a request that changes something, and one for another type, are rejected with the way to fix them") {
  PageEndpoint fixture;

  const auto post = fixture.get("", "/statusz", "POST");
  CHECK(post.status == 405);
  CHECK(net::header(post.headers, "Allow") == "GET, HEAD");
  const auto image = fixture.get("image/png");
  CHECK(image.status == 406);
  CHECK(image.body == "406 not acceptable: use text/plain, text/html or application/json\n");
  CHECK(fixture.get("", "/statusz", "HEAD").status == 200);
  CHECK(fixture.renders.size() == 1);
}

}  // namespace
}  // namespace keelson::zpages
