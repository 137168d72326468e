// The AdmissionReview on the wire: reading the request in it, and writing the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/resource.hpp"
#include "keelson/webhook/decision.hpp"
#include "keelson/webhook/request.hpp"

namespace keelson::webhook {

inline constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";

struct Review {
  json::Document document;  // what the Views of `request` look at
  std::string api_version;  // to be echoed
  std::string operation;    // as it came
  bool is_known_operation = false;
  Request request;
};

// kMalformed when it is no AdmissionReview. `log` gets the request's values.
[[nodiscard]] Result<Review> parse_review(std::string_view body, const Logger& log);

// What the object is, where it says so, must be what the webhook is for.
[[nodiscard]] Result<void> check_kind(json::View object, const kube::Resource& expected);

struct Answer {
  std::string api_version{kReviewVersion};
  std::string uid;  // empty: the request could not be read
  kube::Resource resource;
  std::string name;  // of the object
  Decision decision = Decision::allow();
  std::string patch;  // JSON; empty or "[]": nothing to patch
};

// The body of the reply, as Go's encoder ends it: with a line feed.
[[nodiscard]] std::string review_text(const Answer& answer);

}  // namespace keelson::webhook
