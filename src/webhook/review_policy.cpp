#include "src/webhook/review_policy.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "src/webhook/rejection_codes.hpp"

namespace keelson::webhook {

namespace {

constexpr std::string_view kJson = "application/json";
// The API server's timeout if the configuration has no timeoutSeconds.
constexpr auto kUsualTime = std::chrono::seconds(10);

Decision bad_request(std::string text) { return Decision::fail(kBadRequest, std::move(text)); }

Decision unknown_operation(const ParsedReview& review) {
  return bad_request("unknown operation " + kube::short_quote(review.operation));
}

std::optional<Decision> reject_object(const ReviewedObject& object, const kube::Resource& resource) {
  if (object.is_absent()) return bad_request("there is no content to decode");
  if (!object.is_object()) {
    return bad_request("the object is not a JSON object: " + kube::short_text(object.json(), 32));
  }
  auto checked = check_kind(object, resource);
  if (!checked) return bad_request(checked.error().text);
  return std::nullopt;
}

std::string_view query_value(std::string_view target, std::string_view name) {
  const auto question = target.find('?');
  auto query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const auto parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    const auto equals = parameter.find('=');
    if (equals != std::string_view::npos && parameter.substr(0, equals) == name) return parameter.substr(equals + 1);
  }
  return {};
}

}  // namespace

std::optional<Decision> reject_http(const net::Request& request) {
  if (request.body.empty()) return bad_request("request body is empty");
  if (request.body.size() >= limits::kAdmissionBytes) return too_large_decision();
  const auto type = net::header(request.headers, "Content-Type");
  if (type == kJson) return std::nullopt;
  return bad_request("contentType=" + kube::short_text(type) + ", expected " + std::string(kJson));
}

Decision too_large_decision() {
  return Decision::fail(kTooLarge,
                        "request entity is too large; limit is " + std::to_string(limits::kAdmissionBytes) + " bytes");
}

std::optional<Decision> decide_without_author(const ParsedReview& review, const ServedWebhook& webhook) {
  if (!review.is_known_operation) return unknown_operation(review);
  const auto& request = review.request;
  const auto& kind = webhook.object_kind;
  const bool is_mutating = webhook.type == WebhookType::kMutating;
  switch (request.operation) {
    case Operation::kConnect:
      return webhook.reviews_connect ? reject_object(request.object, kind) : Decision::allow();
    case Operation::kCreate:
      return reject_object(request.object, kind);
    case Operation::kDelete:
      return is_mutating ? Decision::allow() : reject_object(request.old_object, kind);
    case Operation::kUpdate:
      break;
  }
  auto rejected = reject_object(request.object, kind);
  return rejected || is_mutating ? rejected : reject_object(request.old_object, kind);
}

std::chrono::nanoseconds time_for(std::string_view target) {
  const auto asked = base::parse_go_duration(query_value(target, "timeout"));
  if (!asked || *asked <= std::chrono::nanoseconds(0)) return kUsualTime;
  return std::min<std::chrono::nanoseconds>(*asked, limits::kAdmissionTime);
}

}  // namespace keelson::webhook
