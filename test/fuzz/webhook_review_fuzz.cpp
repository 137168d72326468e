// Any bytes as an AdmissionReview: the result equals that of a parsed tree, or is a rejection with a reason; the log
// line and the reply are JSON.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/json/value.hpp"
#include "keelson/schema/identity.hpp"
#include "src/webhook/review_policy.hpp"

namespace {

using namespace keelson;

// The fields of a log line must be JSON, with any request.
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
  KEELSON_ASSERT(webhook::review_text(answer).size() < (std::size_t{128} << 10) + answer.patch.size() * 2);
  KEELSON_ASSERT(response.find("allowed").boolean() == answer.decision.is_allowed());
}

// A clock that stands still, so that only bytes end slices.
class StillClock final : public async::Clock {
 public:
  [[nodiscard]] async::TimePoint now() const override { return {}; }
  [[nodiscard]] async::WallTime wall_now() const override { return {}; }
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint, std::function<void()>) override {
    return nullptr;
  }
  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()>) override { return nullptr; }
};

Result<webhook::ParsedReview> read_review(std::string_view body, async::Clock& clock, const Logger& log) {
  webhook::ReviewScan scan(body);
  for (;;) {
    // Small slices, so that every input is read in several.
    auto done = scan.advance(7);
    if (!done) return std::move(done).error();
    if (*done) return std::move(scan).take(clock, log);
  }
}

// Values are compared as trees, because the scan keeps their spaces.
void check_same(std::string_view json, json::View tree) {
  if (!tree.has_value()) {
    KEELSON_ASSERT(json.empty());
    return;
  }
  const auto parsed = json::Document::parse(json);
  KEELSON_ASSERT(parsed && json::equal(parsed->root(), tree));
}

void check_same_object(const webhook::ReviewedObject& object, json::View tree) {
  check_same(object.json(), tree);
  if (!tree.is_object()) return;
  KEELSON_ASSERT(object.name() == tree.at({"metadata", "name"}).string().value_or(""));
  KEELSON_ASSERT(object.kind() == tree.find("kind").string().value_or(""));
  KEELSON_ASSERT(object.deleting() == tree.at({"metadata", "deletionTimestamp"}).has_value());
  if (tree.find("spec").has_value()) check_same(object.spec(), tree.find("spec"));
}

// The scan has the same result as a tree of the whole body. A tree also rejects numbers beyond a double.
void check_against_tree(std::string_view body, const webhook::ParsedReview& review) {
  const auto document = json::Document::parse(body);
  if (!document) return;
  const auto request = document->root().find("request");
  KEELSON_ASSERT(review.request.uid == request.find("uid").string().value_or(""));
  KEELSON_ASSERT(review.operation == request.find("operation").string().value_or(""));
  KEELSON_ASSERT(review.request.key.ns == request.find("namespace").string().value_or(""));
  KEELSON_ASSERT(review.request.dry_run == request.find("dryRun").boolean().value_or(false));
  check_same_object(review.request.object, request.find("object"));
  check_same_object(review.request.old_object, request.find("oldObject"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  StrictSink sink;
  (void)webhook::time_for(body);
  StillClock clock;
  const auto review = read_review(body, clock, Logger(sink));
  if (!review) {
    KEELSON_ASSERT(!review.error().text.empty());
    const auto& text = review.error().text;
    const bool is_about_json = text.find("JSON: ") != std::string::npos && text.find("digits") == std::string::npos;
    KEELSON_ASSERT(!is_about_json || !json::Document::parse(body) ||
                   text.find("request.userInfo") != std::string::npos);
    check_answer({.decision = webhook::Decision::fail(400, review.error().message())});
    return 0;
  }
  check_against_tree(body, *review);
  review->request.log.info("reviewed");
  webhook::Answer answer{
      .api_version = review->api_version, .uid = review->request.uid, .name = review->request.key.name};
  for (const auto type : {webhook::WebhookType::kMutating, webhook::WebhookType::kValidating}) {
    for (const bool reviews_connect : {false, true}) {
      const webhook::ServedWebhook served{type, "/review", kube::pods(), {}, reviews_connect};
      if (auto decided = webhook::decide_without_author(*review, served)) answer.decision = *decided;
      check_answer(answer);
    }
  }
  return 0;
}
