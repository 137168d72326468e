// How long `install` waits for the API server to serve a CRD: until its names are accepted, but only briefly while
// another CRD has them.
#include "keelson/detail/install/install.hpp"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/schema/crd.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/result_of.hpp"

namespace keelson::install {
namespace {

using namespace std::chrono_literals;

kube::Kind widgets() {
  kube::Kind kind;
  kind.resource = kube::Resource("example.com", "v1", "Widget", "widgets");
  kind.singular = "widget";
  kind.short_names = {"wd"};
  kind.spec_schema = R"({"type":"object"})";
  return kind;
}

const std::string kNames =
    R"("acceptedNames":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList","shortNames":["wd"]})";

enum class State { kNoStatus, kConflict, kServed };

std::string status_of(State state) {
  switch (state) {
    case State::kConflict:
      return R"("conditions":[{"type":"NamesAccepted","status":"False","message":"\"wd\" is already in use"}])";
    case State::kServed:
      return kNames +
             R"(,"conditions":[{"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"}])";
    case State::kNoStatus:
      break;
  }
  return "";
}

// The state from a time on, counted from the apply.
struct Phase {
  async::Duration from;
  State state;
};

// An API server without the CRD until it is applied, whose status then goes through the phases. Another CRD of the
// group has the short name.
class CrdServer final : public kube::Client {
 public:
  CrdServer(async::Clock& clock, std::vector<Phase> phases) : clock_(clock), phases_(std::move(phases)) {}

  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    if (request.verb == kube::Verb::kList) {
      co_return kube::ApiReply{200,
                               R"({"metadata":{},"items":[{"metadata":{"name":"wands.example.com","uid":"2"},)"
                               R"("spec":{"group":"example.com"},"status":{"acceptedNames":{"shortNames":["wd"]}}}]})"};
    }
    if (request.verb == kube::Verb::kPatch) {
      applied_ = clock_.now();
      co_return kube::ApiReply{201, crd(State::kNoStatus)};
    }
    if (!applied_) {
      Error missing(Error::Kind::kStatus, "");
      missing.code = 404;
      missing.reason = "NotFound";
      co_return missing;
    }
    auto state = State::kNoStatus;
    for (const auto& phase : phases_) {
      if (clock_.now() - *applied_ >= phase.from) state = phase.state;
    }
    co_return kube::ApiReply{200, crd(state)};
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override {
    co_return invalid_error("install needs no stream");
  }

 private:
  static std::string crd(State state) {
    auto text = kube::custom_resource_definition(widgets());
    const std::string metadata = R"("metadata":{)";
    text.insert(text.find(metadata) + metadata.size(), R"("uid":"1","resourceVersion":"1",)");
    text.pop_back();
    return text + R"(,"status":{)" + status_of(state) + "}}";
  }

  async::Clock& clock_;
  std::vector<Phase> phases_;
  std::optional<async::TimePoint> applied_;
};

struct Ended {
  std::string error;  // empty: success
  async::Duration after;
};

Ended install_with(std::vector<Phase> phases, async::Duration wait = 30s) {
  sandbox::loop::TestLoop loop;
  CrdServer server(loop.clock(), std::move(phases));
  const auto begun = loop.clock().now();
  const auto result = testing::result_of(
      loop, install(server, loop.clock(), {.kinds = {widgets()}, .wait = wait}, [](const std::string&) {}));
  return {result ? "" : result.error().message(), loop.clock().now() - begun};
}

const std::string kConflictError =
    "widgets.example.com: its names are not accepted: \"wd\" is already in use by the CRD wands.example.com. The API "
    "server does not serve the kind under them until you delete the other CRD";

}  // namespace

TEST_CASE("install ends as soon as the names of a CRD are accepted") {
  const auto ended = install_with({{0s, State::kNoStatus}, {1s, State::kServed}});

  CHECK(ended.error.empty());
  CHECK(ended.after == 1s);
}

TEST_CASE("names that another CRD had at first, for less than two seconds, are no error of install") {
  const auto ended = install_with({{0s, State::kConflict}, {1900ms, State::kServed}});

  CHECK(ended.error.empty());
  CHECK(ended.after == 2s);
}

TEST_CASE("names that another CRD has for two seconds are an error of install, long before the end of its wait") {
  const auto ended = install_with({{0s, State::kConflict}, {2100ms, State::kServed}});

  CHECK(ended.error == kConflictError);
  CHECK(ended.after == 2s);
}

TEST_CASE("the two seconds of install begin again after a moment without a conflict") {
  const auto ended = install_with({{0s, State::kConflict}, {1s, State::kNoStatus}, {1200ms, State::kConflict}});

  CHECK(ended.error == kConflictError);
  CHECK(ended.after == 3200ms);
}

TEST_CASE("a conflict at the end of a short wait is the error of install, not the time") {
  const auto ended = install_with({{0s, State::kConflict}}, 600ms);

  CHECK(ended.error == kConflictError);
  CHECK(ended.after == 600ms);
}

TEST_CASE("install gives up after its wait if the API server's status says nothing") {
  const auto ended = install_with({}, 5s);

  CHECK(ended.error ==
        "widgets.example.com is not established in time: it has no status yet. It was applied; to wait longer, "
        "set --wait");
  CHECK(ended.after == 5s);
}

}  // namespace keelson::install
