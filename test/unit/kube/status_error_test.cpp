#include "src/kube/status_error.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/kube/server_warnings.hpp"

namespace keelson::kube {
namespace {

ApiRequest get_pod() {
  ApiRequest request;
  request.resource = pods();
  request.key = Key("default", "a");
  return request;
}

TEST_CASE("a Status is stored whole and parsed") {
  const std::string body =
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"a\" not found",)"
      R"("reason":"NotFound","details":{"name":"a","kind":"pods","retryAfterSeconds":3},"code":404})";

  auto error = status_error(get_pod(), 404, {}, body);

  CHECK(error.kind == Error::Kind::kStatus);
  CHECK(error.text.empty());
  CHECK(error.server_text == "pods \"a\" not found");
  CHECK(error.code == 404);
  CHECK(error.reason == "NotFound");
  CHECK(error.status_body == body);
  CHECK(error.retry_after == std::chrono::seconds(3));
}

TEST_CASE("the header's Retry-After has precedence over the Status's") {
  const std::string body = R"({"kind":"Status","status":"Failure","code":429,"details":{"retryAfterSeconds":3}})";

  CHECK(status_error(get_pod(), 429, {{"Retry-After", "7"}}, body).retry_after == std::chrono::seconds(7));
}

TEST_CASE("a Retry-After of more than a minute is a minute, in the header and in the Status") {
  for (const auto* asked : {"60", "61", "86400", "2147483647"}) {
    INFO(asked);
    const std::string body =
        std::string(R"({"kind":"Status","status":"Failure","code":429,"details":{"retryAfterSeconds":)") + asked + "}}";

    CHECK(status_error(get_pod(), 429, {{"Retry-After", asked}}, "").retry_after == std::chrono::seconds(60));
    CHECK(status_error(get_pod(), 429, {}, body).retry_after == std::chrono::seconds(60));
    CHECK(error_from_status(body).retry_after == std::chrono::seconds(60));
  }
}

TEST_CASE("replies that are not a Status get client-go's texts") {
  struct Row {
    int code;
    const char* type;
    const char* body;
    const char* reason;
    const char* text;
  };
  const Row rows[] = {
      {404, "text/plain", "404 page not found\n", "NotFound",
       "the server could not find the requested resource (get pods a)"},
      {401, "text/plain", "Unauthorized", "Unauthorized",
       "the server has asked for the client to provide credentials (get pods a)"},
      {403, "text/html; charset=utf-8", " no entry \n", "Forbidden", "no entry (get pods a)"},
      {403, "image/png", "\x89PNG", "Forbidden", "unknown (get pods a)"},
      {400, "", "", "BadRequest", "the server rejected our request for an unknown reason (get pods a)"},
      {409, "", "", "Conflict", "the server reported a conflict (get pods a)"},
      {429, "", "slow down", "TooManyRequests",
       "the server has received too many requests and has asked us to try again later (get pods a)"},
      {502, "text/html", "<h1>bad \"gateway\"</h1>", "InternalError",
       "an error on the server (\"<h1>bad \\\"gateway\\\"</h1>\") has prevented the request from succeeding (get pods "
       "a)"},
      {503, "", "", "ServiceUnavailable", "the server is currently unable to handle the request (get pods a)"},
      {504, "", "", "Timeout",
       "the server was unable to return a response in the time allotted, but may still be processing the request (get "
       "pods a)"},
      {302, "", "", "",
       "the server responded with the status code 302 but did not return more information (get pods a)"},
      {500, "application/json", "{\"kind\":\"Stat", "InternalError",
       "an error on the server (\"unknown\") has prevented the request from succeeding (get pods a)"},
      {422, "application/json", "[1]", "Invalid",
       "the server rejected our request due to an error in our request (get pods a)"},
  };

  for (const auto& row : rows) {
    INFO(row.code << " " << row.body);
    net::Headers headers;
    if (*row.type) headers.emplace_back("content-type", row.type);
    auto error = status_error(get_pod(), row.code, headers, row.body);
    CHECK(error.code == row.code);
    CHECK(error.reason == row.reason);
    CHECK(error.server_text == row.text);
    CHECK(error.status_body.empty());
  }
}

TEST_CASE("a conflict of a create means that the name exists") {
  auto request = get_pod();
  request.verb = Verb::kCreate;

  auto error = status_error(request, 409, {}, "");

  CHECK(is_already_exists(error));
  CHECK_FALSE(is_conflict(error));
}

TEST_CASE("a long body that is not a Status is truncated") {
  auto error = status_error(get_pod(), 500, {}, std::string(1 << 20, 'x'));

  CHECK(error.server_text.size() < 2300);
}

TEST_CASE("a Status without message gets the generic one, and an impossible code is ignored") {
  auto error = status_error(get_pod(), 503, {}, R"({"kind":"Status","status":"Failure","code":7})");

  CHECK(error.code == 503);
  CHECK(error.reason == "ServiceUnavailable");
  CHECK(error.server_text == "the server is currently unable to handle the request (get pods a)");
}

TEST_CASE("errors are classified by reason, or by code without a known reason") {
  auto of = [](int code, const char* reason) {
    Error error(Error::Kind::kStatus, "");
    error.code = code;
    error.reason = reason;
    return error;
  };

  CHECK(is_not_found(of(404, "NotFound")));
  CHECK(is_not_found(of(404, "")));
  CHECK(is_not_found(of(404, "SomethingNew")));
  CHECK_FALSE(is_not_found(of(404, "Gone")));
  CHECK(is_conflict(of(409, "Conflict")));
  CHECK_FALSE(is_conflict(of(409, "AlreadyExists")));
  CHECK(is_already_exists(of(409, "AlreadyExists")));
  CHECK(is_forbidden(of(403, "Forbidden")));
  CHECK(is_gone(of(410, "Expired")));
  CHECK(is_gone(of(410, "Gone")));
  CHECK(is_gone(of(410, "")));
  CHECK(is_invalid(of(422, "Invalid")));
  CHECK_FALSE(is_not_found(transport_error("404")));
}

TEST_CASE("a Status with Failure is recognized in a reply of 200") {
  CHECK(is_failure_status(R"({"kind":"Status","apiVersion":"v1","status":"Failure"})"));
  CHECK_FALSE(is_failure_status(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
  CHECK_FALSE(is_failure_status(R"({"kind":"Pod","metadata":{"name":"Status"}})"));
  CHECK_FALSE(is_failure_status(""));
}

TEST_CASE("warning headers with code 299 are parsed, and others are ignored") {
  CHECK(warning_text(R"(299 - "v1 Endpoints is deprecated")") == "v1 Endpoints is deprecated");
  CHECK(warning_text(R"(299 - "say \"hi\" \\o/" "Sat, 01 Jan 2000 00:00:00 GMT")") == R"(say "hi" \o/)");
  CHECK(warning_text(R"(199 - "other")").empty());
  CHECK(warning_text("299 - unquoted").empty());
  CHECK(warning_text(R"(299 - "open)").empty());
  CHECK(warning_text("").empty());
}

}  // namespace
}  // namespace keelson::kube
