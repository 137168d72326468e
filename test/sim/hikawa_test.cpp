// Hikawas in simulation: songs from the first word to the Kiyoshi, with users, crashes, deletions and objects that are
// not owned.
#include <algorithm>
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

const kube::Key kKey("default", "h");

TEST_CASE("H6: a song ends with Zun Zun Zun Zun Doko and one Kiyoshi, with three writes a word and four more") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("seed " << seed);
    HikawaStage stage(seed);
    stage.start_manager();

    stage.enter("h");
    REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }, 30min));
    stage.pass(1min);

    const auto song = stage.song("h");
    const auto words = song.size();
    INFO(song);
    CHECK(is_whole_song(song));
    CHECK(stage.children("h").size() == words + 1);
    CHECK(stage.writes_of_words(201) == words);
    CHECK(stage.writes(kube::resource_of<Hikawa>(), "", 200) == words + 1);
    CHECK(stage.writes(kube::resource_of<Hikawa>(), "status", 200) == words + 2);
    CHECK(stage.writes(kube::resource_of<Kiyoshi>(), "", 201) == 1);
    CHECK(stage.server.count([](const RequestInfo& r) { return r.user == "manager" && r.is_write(); }) ==
          3 * words + 4);
    CHECK(stage.field("h", {"spec", "numZundokos"}) == std::ssize(song));
    CHECK(stage.field("h", {"status", "numZundokosSaid"}) == std::ssize(song));
    CHECK(stage.field("h", {"status", "observedGeneration"}) == stage.field("h", {"metadata", "generation"}));
    CHECK(stage.condition("h", "Ready") == "True Kiyoshied");
    CHECK(stage.condition("h", "Reconciling") == "-");
    CHECK(stage.errors() == 0);
  }
}

TEST_CASE("H16: a Hikawa that has kiyoshied does not change, and causes no more requests") {
  HikawaStage stage;
  stage.flags["hikawa-seed"] = seed_of_short_song("h", 8);
  stage.start_manager();
  stage.enter("h");
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));
  stage.pass(1min);

  stage.server.clear_log();
  stage.crash_manager();
  stage.start_manager();
  stage.pass(5min);

  CHECK(stage.server.count([](const RequestInfo& r) { return r.is_write(); }) == 0);
  CHECK(stage.has_kiyoshied("h"));
}

TEST_CASE("during its song a Hikawa is Reconciling and not Ready, and its status has the number of words") {
  HikawaStage stage;
  stage.start_manager();

  stage.enter("h", R"(,"numZundokos":20)");
  REQUIRE(stage.eventually([&] { return stage.field("h", {"status", "numZundokosSaid"}) == 5; }));

  CHECK(stage.condition("h", "Ready") == "False Singing");
  CHECK(stage.condition("h", "Reconciling") == "True Singing");
  CHECK(stage.condition("h", "Stalled") == "-");
  CHECK(stage.song("h").size() == 5);
}

TEST_CASE("H11: a word is created each interval and never sooner, with any other events") {
  HikawaStage stage;
  std::vector<async::TimePoint> said;
  stage.server.after_write([&](const kube::Resource& resource, const auto& before, const auto&) {
    if (resource == kube::resource_of<Zundoko>() && !before) said.push_back(stage.loop.clock().now());
  });
  stage.start_manager();

  stage.enter("h", R"(,"numZundokos":12)");
  const auto from = stage.loop.clock().now();
  for (int disturbance = 0; disturbance < 20; ++disturbance) {
    stage.pass(137ms);
    stage.patch(kube::resource_of<Hikawa>(), kKey,
                R"({"metadata":{"annotations":{"n":")" + std::to_string(disturbance) + R"("}}})");
  }
  REQUIRE(stage.eventually([&] { return said.size() == 12; }));

  CHECK(said.front() - from >= 490ms);
  for (std::size_t word = 1; word < said.size(); ++word) {
    INFO("word " << word);
    CHECK(said[word] - said[word - 1] >= 500ms);
    CHECK(said[word] - said[word - 1] <= 550ms);
  }
}

TEST_CASE("after a restart the next word is created an interval later at the earliest") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":100)");
  REQUIRE(stage.eventually([&] { return stage.song("h").size() == 3; }));

  for (int restart = 0; restart < 20; ++restart) {
    stage.crash_manager();
    stage.start_manager();
    stage.pass(300ms);
  }

  CHECK(stage.song("h").size() == 3);
}

TEST_CASE("H4: a shorter interval takes effect immediately") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h");
  stage.ask("h", R"("intervalMillis":3600000)");
  stage.pass(10min);
  REQUIRE(stage.song("h").size() <= 1);

  stage.ask("h", R"("intervalMillis":500)");
  stage.pass(3s);

  CHECK(stage.song("h").size() >= 5);
}

TEST_CASE("H5: sayKiyoshi of a user ends the song immediately") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("first", R"(,"sayKiyoshi":true)");
  stage.enter("middle", R"(,"numZundokos":3)");
  REQUIRE(stage.eventually([&] { return stage.song("middle").size() == 3; }));

  stage.ask("middle", R"("sayKiyoshi":true)");
  stage.pass(2s);

  CHECK(stage.has_kiyoshied("first"));
  CHECK(stage.children("first") == std::vector<std::string>{"first-kiyoshi"});
  CHECK(stage.has_kiyoshied("middle"));
  CHECK(stage.song("middle").size() == 3);
  CHECK(stage.field("middle", {"status", "numZundokosSaid"}) == 3);
}

TEST_CASE("H5: numZundokos of a user is reached before the Kiyoshi") {
  HikawaStage stage;
  stage.start_manager();

  stage.enter("h", R"(,"numZundokos":7,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  CHECK(stage.song("h").size() == 7);
  CHECK(stage.errors() == 0);
}

TEST_CASE("H17: a concurrent change of a user is not overwritten by the controller's count") {
  for (int moment = 0; moment < 60; ++moment) {
    INFO("after " << moment * 25 << " ms");
    HikawaStage stage(static_cast<std::uint64_t>(moment));
    stage.start_manager();
    stage.enter("h");
    stage.pass(moment * 25ms);

    stage.ask("h", R"("numZundokos":9,"sayKiyoshi":true)");
    REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

    CHECK(stage.song("h").size() == 9);
    CHECK(stage.field("h", {"spec", "numZundokos"}) == 9);
    CHECK(stage.errors() == 0);
  }
}

TEST_CASE("H17: the controller changes a single field of the spec and nothing else") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"sayKiyoshi":false)");
  stage.patch(kube::resource_of<Hikawa>(), kKey, R"({"metadata":{"labels":{"mine":"yes"}}})");

  REQUIRE(stage.eventually([&] { return stage.song("h").size() >= 2; }));

  auto document = stage.get(kube::resource_of<Hikawa>(), kKey);
  CHECK(document.root().at({"spec", "intervalMillis"}).integer() == 500);
  CHECK(document.root().at({"spec", "sayKiyoshi"}).boolean() == false);
  CHECK(document.root().at({"metadata", "labels", "mine"}).string() == "yes");
}

TEST_CASE("H13: the name of a Zundoko that was deleted in the middle is not used again, and the song continues") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":6,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.song("h").size() == 4; }));

  stage.remove(kube::resource_of<Zundoko>(), {"default", "h-zundoko-002"});
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  CHECK(stage.children("h") == std::vector<std::string>{"h-kiyoshi", "h-zundoko-001", "h-zundoko-003", "h-zundoko-004",
                                                        "h-zundoko-005", "h-zundoko-006", "h-zundoko-007"});
  CHECK(stage.writes_of_words(409) == 0);
}

TEST_CASE("H14: objects of a deleted Hikawa of the same name do not count") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":5,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  // Its children exist for a while longer.
  stage.leave("h", "Background");
  stage.enter("h", R"(,"numZundokos":3,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));
  stage.pass(5s);

  CHECK(stage.children("h") ==
        std::vector<std::string>{"h-kiyoshi", "h-zundoko-001", "h-zundoko-002", "h-zundoko-003"});
  CHECK(stage.field("h", {"status", "numZundokosSaid"}) == 3);
}

TEST_CASE("H14: orphans of a Hikawa of the same name are left alone, and the status reports why the song waits") {
  HikawaStage stage;
  stage.create(kube::resource_of<Zundoko>(), "default",
               R"({"apiVersion":"zundokokiyoshi.kaitoy.github.com/v1beta1","kind":"Zundoko",)"
               R"("metadata":{"name":"h-zundoko-001","namespace":"default"},"spec":{"say":"mine"}})");
  stage.start_manager();

  stage.enter("h", R"(,"numZundokos":1,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.condition("h", "Stalled") == "True NotOwned"; }));
  stage.server.clear_log();
  stage.pass(50s);

  CHECK(stage.server.count([](const RequestInfo& r) { return r.is_write(); }) == 0);
  CHECK(stage.get(kube::resource_of<Zundoko>(), {"default", "h-zundoko-001"}).root().at({"spec", "say"}).string() ==
        "mine");
  stage.remove(kube::resource_of<Zundoko>(), {"default", "h-zundoko-001"});
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }, 2min));
  CHECK(stage.condition("h", "Stalled") == "-");
}

TEST_CASE("a Kiyoshi that is not owned is left alone, too") {
  HikawaStage stage;
  stage.create(kube::resource_of<Kiyoshi>(), "default",
               R"({"apiVersion":"zundokokiyoshi.kaitoy.github.com/v1beta1","kind":"Kiyoshi",)"
               R"("metadata":{"name":"h-kiyoshi","namespace":"default"},"spec":{"say":"mine"}})");
  stage.start_manager();
  stage.enter("h", R"(,"sayKiyoshi":true)");
  REQUIRE(stage.eventually([&] { return stage.condition("h", "Stalled") == "True NotOwned"; }));

  CHECK_FALSE(stage.has_kiyoshied("h"));
  stage.remove(kube::resource_of<Kiyoshi>(), {"default", "h-kiyoshi"});
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }, 2min));
}

TEST_CASE("H18: broken watches and expired history cause neither a repeated word nor a logged error") {
  HikawaStage stage;
  stage.start_manager();
  stage.enter("h", R"(,"numZundokos":30,"sayKiyoshi":true)");

  for (int step = 0; step < 60; ++step) {
    stage.pass(100ms);
    stage.server.drop_watches();
    if (step % 3 == 0) stage.server.compact();
  }
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));

  CHECK(stage.song("h").size() == 30);
  CHECK(stage.writes_of_words(201) == 30);
  CHECK(stage.errors() == 0);
}

TEST_CASE("the status reports a rejection, and the song continues when its cause is gone") {
  HikawaStage stage;
  stage.start_manager();
  {
    auto rejected = stage.server.forbid([](const RequestInfo& r) {
      return r.user == "manager" && r.is_write() && r.resource == kube::resource_of<Zundoko>();
    });
    stage.enter("h", R"(,"numZundokos":2,"sayKiyoshi":true)");
    REQUIRE(stage.eventually([&] { return stage.condition("h", "Stalled") == "True CreateFailed"; }));
    stage.pass(10s);
    CHECK(stage.writes(kube::resource_of<Hikawa>(), "status", 200) == 2);
  }

  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }, 5min));
  CHECK(stage.condition("h", "Ready") == "True Kiyoshied");
}

}  // namespace
}  // namespace keelson::testing
