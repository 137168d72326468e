// Hikawas in simulation whose next word is blocked: they send no more requests than necessary.
#include <catch2/catch_test_macros.hpp>

#include "test/sim/hikawa_stage.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using kinds::Hikawa;
using kinds::Kiyoshi;
using kinds::Zundoko;
using sandbox::RequestInfo;
using sandbox::WriteFate;

bool is_of_manager(const RequestInfo& request) { return request.user == "manager"; }

// The manager's watches end, and no new ones are answered until the handle is dropped.
std::shared_ptr<void> delay_watches(HikawaStage& stage) {
  auto late =
      stage.server.forbid([](const RequestInfo& r) { return is_of_manager(r) && r.verb == kube::Verb::kWatch; });
  stage.server.drop_watches();
  return late;
}

std::size_t attempts(const HikawaStage& stage) {
  return stage.server.count([](const RequestInfo& r) { return is_of_manager(r) && r.is_write(); });
}

TEST_CASE("a deleted Hikawa is detected by the first status write that fails, however late its watch is") {
  HikawaStage stage;
  stage.server.before_write([](const RequestInfo& r) {
    return is_of_manager(r) && r.subresource == "status" ? WriteFate::kLost : WriteFate::kProceeds;
  });
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":1)");
  REQUIRE(stage.eventually([&] { return stage.song("h").size() == 1; }));
  stage.pass(1s);

  auto late = delay_watches(stage);
  stage.leave("h");
  stage.server.before_write({});
  stage.server.clear_log();
  stage.pass(2min);

  CHECK(stage.writes(kube::resource_of<Hikawa>(), "status", 404) == 1);
  CHECK(attempts(stage) == 1);
}

TEST_CASE("a Kiyoshi of a deleted Hikawa is not created again, however late the watch is") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":1)");
  REQUIRE(stage.eventually([&] { return stage.field("h", {"status", "numZundokosSaid"}) == 1; }));
  std::shared_ptr<void> late;
  stage.server.after_write([&](const kube::Resource& resource, const auto& before, const auto&) {
    if (resource == kube::resource_of<Kiyoshi>() && !before && !late) late = delay_watches(stage);
  });
  stage.server.before_write([](const RequestInfo& r) {
    return is_of_manager(r) && r.subresource == "status" ? WriteFate::kLost : WriteFate::kProceeds;
  });
  stage.ask("h", R"("sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return late != nullptr; }));

  stage.leave("h");
  stage.server.before_write({});
  stage.server.clear_log();
  stage.pass(2min);

  CHECK(stage.writes(kube::resource_of<Hikawa>(), "status", 404) == 1);
}

TEST_CASE("H16: a Hikawa whose status the API server does not serve is an error with backoff, not a busy loop") {
  HikawaStage stage;
  auto kind = controller::kind_of<kinds::Hikawa>();
  kind.status_schema.clear();
  stage.server.serve(kind);
  stage.start_manager();

  stage.enter("h", R"(,"numZundokos":1)");
  stage.pass(2min);

  CHECK(stage.song("h").size() == 1);
  CHECK(stage.errors() > 0);
  CHECK(attempts(stage) < 30);
}

TEST_CASE("a word whose name is blocked by a finalizer costs no requests, and the status reports it") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":1)", 10);
  REQUIRE(stage.eventually([&] { return stage.song("h").size() == 1; }));
  stage.patch(kube::resource_of<Zundoko>(), {"default", "h-zundoko-001"},
              R"({"metadata":{"finalizers":["test/held"]}})");
  stage.leave("h");
  stage.pass(1s);
  stage.server.clear_log();

  stage.enter("h", R"(,"numZundokos":2,"sayKiyoshi":true)", 10);
  stage.pass(10s);
  CHECK(stage.condition("h", "Reconciling") == "True ChildDeleting");
  CHECK(stage.condition("h", "Stalled") == "-");
  // Two statuses: it sings, and then it waits.
  CHECK(stage.writes(kube::resource_of<Hikawa>(), "status", 200) == 2);
  CHECK(attempts(stage) == 2);

  stage.patch(kube::resource_of<Zundoko>(), {"default", "h-zundoko-001"}, R"({"metadata":{"finalizers":null}})");
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }, 5s));
  CHECK(stage.song("h").size() == 2);
  CHECK(stage.errors() == 0);
}

}  // namespace
}  // namespace keelson::testing
