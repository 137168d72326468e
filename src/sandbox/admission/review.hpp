// AdmissionReview on the wire: what a webhook is sent, and what its answer says.
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

// "v1" or "v1beta1", the first of them that the webhook accepts; empty: none.
[[nodiscard]] std::string review_version(const Webhook& webhook);
[[nodiscard]] std::string review_text(const std::string& uid, const std::string& version, const Attributes& attributes);

// The error says what is wrong with the answer, as `received invalid webhook response: ` goes on.
[[nodiscard]] Result<ReviewAnswer> read_review(const Tree& review, const std::string& uid, const std::string& version,
                                               Webhooks::Phase phase);

// What the client sees of an answer that does not allow the write.
[[nodiscard]] Refusal denied_by(const std::string& webhook, const Tree& result);

// 500 with `Internal error occurred: <why>`.
[[nodiscard]] Refusal internal_error(const std::string& why);

}  // namespace keelson::sandbox
