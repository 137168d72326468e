// AdmissionReview on the wire: the request to a webhook, and parsing its response.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/admission/webhooks.hpp"

namespace keelson::sandbox {

struct ReviewAnswer {
  bool is_allowed = false;
  Tree result;  // metav1.Status; null: none
  std::vector<std::string> warnings;
  std::string patch;  // a JSON patch; empty: none
};

// "v1" or "v1beta1": the first known version that the webhook accepts; empty if it accepts neither.
[[nodiscard]] std::string review_version(const std::vector<std::string>& accepted);
// The AdmissionRequest without its uid and its objects.
[[nodiscard]] Tree review_request(const Attributes& attributes);
[[nodiscard]] std::string review_text(const std::string& uid, const std::string& version, const Attributes& attributes);

// The error describes an invalid response, and continues `received invalid webhook response: `.
[[nodiscard]] Result<ReviewAnswer> read_review(const Tree& review, const std::string& uid, const std::string& version,
                                               Webhooks::Phase phase);

// The rejection that the client receives after a webhook denied the write.
[[nodiscard]] Rejection denied_by(const std::string& webhook, const Tree& result);

// 403 with `configmaps "a" is forbidden: <why>`: a plugin rejects the write.
[[nodiscard]] Rejection forbidden_write(const Attributes& attributes, const std::string& why);

// 500 with `Internal error occurred: <why>`.
[[nodiscard]] Rejection internal_error(const std::string& why);

}  // namespace keelson::sandbox
