// Hikawas in simulation through crashes and deletions at every moment, and a thousand of them at once.
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

// Crashes the manager at its write of that number and starts it again. False if there were fewer writes.
bool sing_with_crash(HikawaStage& stage, int crash_at, WriteFate fate) {
  int writes = 0;
  bool crashed = false;
  stage.server.before_write([&](const RequestInfo& request) {
    if (request.user != "manager" || crashed || ++writes != crash_at) return WriteFate::kProceeds;
    crashed = true;
    return fate;
  });
  stage.start_manager();
  stage.enter("h");
  REQUIRE(stage.eventually([&] { return crashed || stage.has_kiyoshied("h"); }));
  if (crashed) {
    stage.crash_manager();
    stage.start_manager();
  }
  REQUIRE(stage.eventually([&] { return stage.has_kiyoshied("h"); }));
  return crashed;
}

TEST_CASE("H15: a crash at any write does not change the song, and it ends with a single Kiyoshi") {
  const auto seed = seed_of_short_song("h", 8);
  std::string song;
  for (auto fate : {WriteFate::kLost, WriteFate::kReplyLost}) {
    bool crashed = true;
    for (int crash_at = 1; crashed; ++crash_at) {
      INFO("crash at write " << crash_at << (fate == WriteFate::kLost ? ", lost" : ", done but not answered"));
      HikawaStage stage;
      stage.flags["hikawa-seed"] = seed;
      crashed = sing_with_crash(stage, crash_at, fate);

      if (song.empty()) song = stage.song("h");
      CHECK(stage.song("h") == song);
      CHECK(is_whole_song(song));
      CHECK(stage.children("h").size() == song.size() + 1);
      CHECK(stage.field("h", {"status", "numZundokosSaid"}) == std::ssize(song));
      CHECK(stage.condition("h", "Ready") == "True Kiyoshied");
      CHECK((crashed || crash_at > 3 * std::ssize(song)));
    }
  }
}

TEST_CASE("the song completes although writes fail or their replies are lost, with any seed") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    HikawaStage stage(seed);
    base::Random chance(seed * 7919);
    stage.server.before_write([&](const RequestInfo& request) {
      auto dice = request.user == "manager" ? chance.between(0, 19) : 9;
      return dice == 0 ? WriteFate::kLost : dice == 1 ? WriteFate::kReplyLost : WriteFate::kProceeds;
    });
    stage.start_manager();

    stage.enter("h");
    while (!stage.has_kiyoshied("h")) {
      stage.pass(std::chrono::milliseconds(chance.between(5, 3000)));
      switch (chance.between(0, 3)) {
        case 0:
          stage.server.drop_watches();
          break;
        case 1:
          stage.crash_manager();
          stage.start_manager();
          stage.pass(1s);
          break;
        default:
          break;
      }
    }

    const auto song = stage.song("h");
    INFO(song);
    CHECK(is_whole_song(song));
    CHECK(stage.children("h").size() == song.size() + 1);
    CHECK(stage.children("h").back() == kinds::zundoko_name("h", std::ssize(song)));
  }
}

TEST_CASE("H7: a Hikawa that is deleted at any moment leaves no Zundoko and no Kiyoshi, and none is created later") {
  const auto seed = seed_of_short_song("h", 6);
  for (const char* propagation : {"Background", "Foreground"}) {
    for (int moment = 0; moment < 40; ++moment) {
      INFO(propagation << " after " << moment * 101 << " ms");
      HikawaStage stage(static_cast<std::uint64_t>(moment));
      stage.flags["hikawa-seed"] = seed;
      stage.start_manager();
      stage.enter("h");
      stage.pass(moment * 101ms);

      stage.leave("h", propagation);
      stage.pass(2s);

      CHECK(stage.get(kube::resource_of<Hikawa>(), {"default", "h"}).root().is_null());
      CHECK(stage.children("h").empty());
      stage.server.clear_log();
      stage.pass(10s);
      CHECK(stage.server.count([](const RequestInfo& r) { return r.is_write(); }) == 0);
      // A write that arrives after the deletion may be rejected because of its older version.
      const auto& log = stage.sink.entries();
      CHECK(std::ranges::count_if(log, [](const auto& entry) {
              return entry.message == "Reconciler error" && entry.fields.find("has been modified") == std::string::npos;
            }) == 0);
    }
  }
}

TEST_CASE("H11: a thousand Hikawas make progress side by side with one worker") {
  HikawaStage stage;
  stage.start_manager();
  constexpr int kHikawas = 1000;
  for (int i = 0; i < kHikawas; ++i) {
    stage.enter("h" + std::to_string(i), R"(,"numZundokos":3,"sayKiyoshi":true)", 10000);
  }
  const auto from = stage.loop.clock().now();

  auto are_over = [&] { return stage.writes(kube::resource_of<Kiyoshi>(), "", 201) == kHikawas; };
  while (!are_over() && stage.loop.clock().now() - from < 10min) stage.pass(1s);

  // Three words and the Kiyoshi take a thousand Hikawas as long as one, plus the time of the writes.
  CHECK(stage.loop.clock().now() - from < 75s);
  CHECK(stage.writes_of_words(201) == 3 * kHikawas);
  CHECK(stage.server.objects(kube::resource_of<Zundoko>()).size() == 3 * kHikawas);
  CHECK(stage.errors() == 0);
}

TEST_CASE("twenty Hikawas at once have twenty independent, complete songs") {
  HikawaStage stage;
  stage.flags["hikawa-seed"] = 42;
  stage.start_manager();
  constexpr int kHikawas = 20;
  for (int i = 0; i < kHikawas; ++i) stage.enter("h" + std::to_string(i), "", 1000);

  while (stage.writes(kube::resource_of<Kiyoshi>(), "", 201) < kHikawas) stage.pass(10s);
  stage.pass(5s);

  std::size_t words = 0;
  for (int i = 0; i < kHikawas; ++i) {
    const auto song = stage.song("h" + std::to_string(i));
    INFO(i << ": " << song);
    CHECK(is_whole_song(song));
    words += song.size();
  }
  CHECK(stage.writes_of_words(201) == words);
  CHECK(stage.errors() == 0);
}

TEST_CASE("a seed gives the same song in every cluster, and another seed gives another song") {
  auto song = [](std::uint64_t world, std::int64_t seed) {
    HikawaStage stage(world);
    stage.flags["hikawa-seed"] = seed;
    stage.start_manager();
    stage.enter("h", R"(,"numZundokos":40)");
    stage.pass(25s);
    return stage.song("h").substr(0, 40);
  };

  CHECK(song(1, 7).size() == 40);
  CHECK(song(1, 7) == song(2, 7));
  CHECK(song(1, 7) != song(1, 8));
}

}  // namespace
}  // namespace keelson::testing
