// Any bytes as an AdmissionReview: read or refused with a reason, logged as JSON, answered with JSON.
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/base/assert.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/resource.hpp"
#include "src/webhook/review_steps.hpp"

namespace {

using namespace keelson;

// What a line carries along must be JSON, whatever the request said.
class StrictSink final : public LogSink {
 public:
  [[nodiscard]] bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    for (const auto& field : line.bound) KEELSON_ASSERT(json::Document::parse(field.value.as_json()));
  }
};

void check_answer(webhook::Answer answer) {
  const auto body = json::Document::parse(webhook::review_text(answer));
  KEELSON_ASSERT(body);
  const auto response = body->root().find("response");
  KEELSON_ASSERT(response.find("uid").string() == answer.uid);
  KEELSON_ASSERT(response.find("allowed").boolean() == answer.decision.is_allowed());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  StrictSink sink;
  (void)webhook::time_for(body);
  const auto review = webhook::parse_review(body, Logger(sink));
  if (!review) {
    KEELSON_ASSERT(!review.error().text.empty());
    check_answer({.decision = webhook::Decision::fail(400, review.error().message())});
    return 0;
  }
  review->request.log.info("reviewed");
  webhook::Answer answer{
      .api_version = review->api_version, .uid = review->request.uid, .name = review->request.key.name};
  if (auto decided = webhook::decide_without_defaulter(*review, kube::pods())) answer.decision = *decided;
  check_answer(answer);
  if (auto decided = webhook::decide_without_validator(*review, kube::pods())) answer.decision = *decided;
  check_answer(answer);
  return 0;
}
