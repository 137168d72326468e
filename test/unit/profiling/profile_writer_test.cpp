#include "src/profiling/profile_writer.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "test/unit/profiling/decoded_profile.hpp"

namespace keelson::profiling {
namespace {

using Values = std::array<std::int64_t, 2>;
using Addresses = std::vector<std::uintptr_t>;

constexpr std::array<ValueType, 2> kTypes{{{"samples", "count"}, {"cpu", "nanoseconds"}}};

TEST_CASE("numbers of a protobuf message are written in groups of seven bits") {
  ProtobufWriter writer;
  writer.number(1, 150);
  writer.bytes(2, "testing");

  CHECK(writer.text() == "\x08\x96\x01\x12\x07testing");
}

TEST_CASE("a profile contains its samples with stacks, types, times and mappings") {
  ProfileWriter writer(kTypes, kTypes[1], 10'000'000);
  writer.add(Addresses{0x1010, 0x1020}, Values{3, 30'000'000});
  writer.add(Addresses{0x1030, 0x1020, 0x9000}, Values{1, 10'000'000});
  writer.add_named("[lost samples]", Values{2, 20'000'000});
  writer.set_time(async::WallTime(std::chrono::seconds(5)), std::chrono::seconds(2));
  const std::array<Mapping, 2> mappings{
      {{0x1000, 0x2000, 0x40, true, "/manager", "0a1b"}, {0x3000, 0x4000, 0, true, "[vdso]", ""}}};

  const auto profile = decode_profile(writer.finish(mappings));

  CHECK(profile.types == std::vector<std::string>{"samples/count", "cpu/nanoseconds"});
  CHECK(profile.period_type == "cpu/nanoseconds");
  CHECK(profile.period == 10'000'000);
  CHECK(profile.time_nanos == 5'000'000'000);
  CHECK(profile.duration_nanos == 2'000'000'000);
  CHECK(profile.totals() == std::vector<std::int64_t>{6, 60'000'000});
  REQUIRE(profile.mappings.size() == 2);
  CHECK(profile.mappings[0].begin == 0x1000);
  CHECK(profile.mappings[0].end == 0x2000);
  CHECK(profile.mappings[0].offset == 0x40);
  CHECK(profile.mappings[0].file == "/manager");
  CHECK(profile.mappings[0].build_id == "0a1b");
  REQUIRE(profile.samples.size() == 3);
  const auto& second = profile.samples[1];
  REQUIRE(second.stack.size() == 3);
  CHECK(second.stack[0].address == 0x1030);
  CHECK(second.stack[0].mapping == 1);
  CHECK(second.stack[1].address == 0x1020);
  CHECK(second.stack[2].address == 0x9000);
  CHECK(second.stack[2].mapping == 0);
  CHECK(profile.samples[2].stack.at(0).name == "[lost samples]");
}

TEST_CASE("a profile without samples can be read") {
  ProfileWriter writer(kTypes, kTypes[1], 1);

  CHECK(decode_profile(writer.finish({})).samples.empty());
}

}  // namespace
}  // namespace keelson::profiling
