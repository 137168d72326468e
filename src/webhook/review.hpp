// The AdmissionReview on the wire: reading the request in it, and writing the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/path_scan.hpp"
#include "keelson/kube/decoder.hpp"
#include "keelson/kube/resource.hpp"
#include "keelson/webhook/decision.hpp"
#include "keelson/webhook/request.hpp"

namespace keelson::webhook {

inline constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";

struct ParsedReview {
  std::string api_version;  // to be echoed
  std::string operation;    // as it came
  bool is_known_operation = false;
  Request request;
};

// Reads a body in slices, without a tree of it: the request's own fields are decoded, its objects stay bytes of the
// body.
class ReviewScan {
 public:
  // `body` must outlive the review.
  explicit ReviewScan(std::string_view body);
  ReviewScan(const ReviewScan&) = delete;
  ReviewScan& operator=(const ReviewScan&) = delete;

  // Reads about so many bytes more; true when all is read. kMalformed when the body is not an AdmissionReview.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // Once, after the last advance. `log` gets the request's values. kMalformed when a text is too long.
  [[nodiscard]] Result<ParsedReview> take(async::Clock& clock, const Logger& log) &&;

 private:
  json::PathScan scan_;
  bool is_scanned_ = false;
  User user_;
  std::optional<kube::Decoder> user_decoder_;
};

// What the object is, where it says so, must be what the webhook is for.
[[nodiscard]] Result<void> check_kind(const ReviewedObject& object, const kube::Resource& expected);

struct Answer {
  std::string api_version{kReviewVersion};
  std::string uid;  // empty: the request could not be read
  kube::Resource resource;
  std::string name;  // of the object
  Decision decision = Decision::allow();
  std::string patch;  // JSON; empty or "[]": nothing to patch
};

// The body of the reply, as Go's encoder ends it: with a line feed. Whatever an author or a request put into its texts,
// they are cut to some KiB.
[[nodiscard]] std::string review_text(const Answer& answer);

}  // namespace keelson::webhook
