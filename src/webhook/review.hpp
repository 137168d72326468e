// The AdmissionReview on the wire: reading its request and writing its response.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/path_scan.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/detail/webhook/request.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::webhook {

inline constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";

struct ParsedReview {
  std::string api_version;  // of the review; the response repeats it
  std::string operation;    // as received, even if it is unknown
  bool is_known_operation = false;
  Request request;
};

// Reads a body in slices and without a tree: the request's own fields are decoded, and its objects refer to the bytes
// of the body.
class ReviewScan {
 public:
  // `body` must outlive the review.
  explicit ReviewScan(std::string_view body);
  ReviewScan(const ReviewScan&) = delete;
  ReviewScan& operator=(const ReviewScan&) = delete;

  // Reads about `bytes` more; true if all is read. kMalformed if the body is not an AdmissionReview.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // Call it once, after the last advance. The request's logger is `log` with its keys. kMalformed if a text is too
  // long.
  [[nodiscard]] Result<ParsedReview> take(async::Clock& clock, const Logger& log) &&;

 private:
  json::PathScan scan_;
  bool is_scanned_ = false;
  User user_;
  std::optional<kube::Decoder> user_decoder_;
};

// kMalformed if the object has an apiVersion and kind other than those of the webhook.
[[nodiscard]] Result<void> check_kind(const ReviewedObject& object, const kube::Resource& expected);

struct Answer {
  std::string api_version{kReviewVersion};
  std::string uid;  // empty: the request could not be read
  kube::Resource resource;
  std::string name;  // of the object
  Decision decision = Decision::allow();
  std::string patch;  // JSON; empty or "[]": nothing to patch
};

// The body of the reply, with a line feed at its end as from Go's encoder. Texts from an author or a request are cut to
// some KiB.
[[nodiscard]] std::string review_text(const Answer& answer);

}  // namespace keelson::webhook
