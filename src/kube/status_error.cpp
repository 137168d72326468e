#include "src/kube/status_error.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/kube/limits.hpp"
#include "keelson/json/value.hpp"
#include "src/kube/api_request.hpp"

namespace keelson::kube {

namespace {

constexpr std::chrono::seconds kLongestRetryAfter(60);

struct Meaning {
  std::string reason;
  std::string text;
};

// The printable part of a reply that is not a Status, with client-go's limit and its text "unknown" for other content
// types.
std::string shown(const net::Headers& headers, std::string_view body) {
  constexpr std::size_t kShownBytes = 2048;
  auto type = net::header(headers, "Content-Type");
  if (!type.empty() && type.substr(0, 5) != "text/") return "unknown";
  return std::string(base::trim(base::cut_utf8(body, kShownBytes)));
}

// client-go's NewGenericServerResponse.
Meaning generic_meaning(int code, Verb verb, const std::string& server) {
  switch (code) {
    case 400:
      return {"BadRequest", "the server rejected our request for an unknown reason"};
    case 401:
      return {"Unauthorized", "the server has asked for the client to provide credentials"};
    case 403:
      return {"Forbidden", server};
    case 404:
      return {"NotFound", "the server could not find the requested resource"};
    case 405:
      return {"MethodNotAllowed", "the server does not allow this method on the requested resource"};
    case 406:
      if (!server.empty() && server != "unknown") return {"NotAcceptable", server};
      return {"NotAcceptable", "the server was unable to respond with a content type that the client supports"};
    case 409:
      return {verb == Verb::kCreate ? "AlreadyExists" : "Conflict", "the server reported a conflict"};
    case 415:
      return {"UnsupportedMediaType", server};
    case 422:
      return {"Invalid", "the server rejected our request due to an error in our request"};
    case 429:
      return {"TooManyRequests", "the server has received too many requests and has asked us to try again later"};
    case 503:
      return {"ServiceUnavailable", "the server is currently unable to handle the request"};
    case 504:
      return {
          "Timeout",
          "the server was unable to return a response in the time allotted, but may still be processing the request"};
    default:
      break;
  }
  if (code >= 500) {
    return {"InternalError",
            "an error on the server (" + base::quote_go(server) + ") has prevented the request from succeeding"};
  }
  return {"",
          "the server responded with the status code " + std::to_string(code) + " but did not return more information"};
}

Meaning generic_meaning(const ApiRequest& request, int code, const net::Headers& headers, std::string_view body) {
  auto meaning = generic_meaning(code, request.verb, shown(headers, body));
  if (request.resource.plural.empty()) return meaning;
  meaning.text += " (" + base::to_lower(method_of(request.verb)) + " " + request.resource.qualified_plural();
  if (!request.key.name.empty()) meaning.text += " " + request.key.name;
  meaning.text += ")";
  return meaning;
}

bool is_failure(json::View status) {
  return status.find("kind").string() == std::string_view("Status") &&
         status.find("status").string() != std::string_view("Success");
}

// Sets the members of `error` from a Status; false if the body is not one.
bool read_status(std::string_view body, Error& error) {
  if (body.size() > limits::kStatusBytes) return false;
  auto document = json::Document::parse(body);
  if (!document || !is_failure(document->root())) return false;
  auto status = document->root();
  auto code = status.find("code").integer().value_or(0);
  if (code >= 400 && code <= 599) error.code = static_cast<int>(code);
  error.reason = status.find("reason").string().value_or("");
  error.server_text = status.find("message").string().value_or("");
  auto seconds = status.at({"details", "retryAfterSeconds"}).integer().value_or(0);
  if (seconds > 0) error.retry_after = std::min(std::chrono::seconds(seconds), kLongestRetryAfter);
  return true;
}

}  // namespace

Error status_error(const ApiRequest& request, int code, const net::Headers& headers, std::string body) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  bool is_status = read_status(body, error);
  if (!is_status || error.server_text.empty()) {
    auto meaning = generic_meaning(request, error.code, headers, is_status ? std::string_view() : body);
    if (error.reason.empty()) error.reason = std::move(meaning.reason);
    error.server_text = std::move(meaning.text);
  }
  if (is_status) error.status_body = std::move(body);
  if (auto seconds = retry_after(headers)) error.retry_after = seconds;
  return error;
}

Error error_from_status(std::string_view status) {
  Error error(Error::Kind::kStatus, "");
  error.code = 500;
  if (!read_status(status, error)) error.server_text = "the server sent an ERROR event that is not a Status";
  error.status_body = std::string(status);
  return error;
}

bool is_failure_status(std::string_view body) {
  // A Status has its kind within its first bytes; objects that contain the word elsewhere are not parsed.
  if (body.substr(0, 64).find("\"Status\"") == std::string_view::npos) return false;
  if (body.size() > limits::kStatusBytes) return false;
  auto document = json::Document::parse(body);
  return document && is_failure(document->root());
}

std::optional<std::chrono::seconds> retry_after(const net::Headers& headers) {
  const auto seconds = base::parse_number<std::int32_t>(net::header(headers, "Retry-After"));
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::min(std::chrono::seconds(*seconds), kLongestRetryAfter);
}

}  // namespace keelson::kube
