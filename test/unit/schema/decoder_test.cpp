#include "keelson/detail/schema/decoder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace keelson;
using kube::Description;

struct Stop {
  std::string name;
  std::optional<std::int64_t> track;
  bool operator==(const Stop&) const = default;
};

void describe(Description& d, Stop& stop) {
  d.field("name", stop.name, "Where.");
  d.field("track", stop.track, "Which.");
}

struct Train {
  std::int32_t number = 7;
  std::int64_t built = 0;
  bool late = false;
  double speed = 0.5;
  std::string line;
  std::optional<std::string> driver;
  std::vector<Stop> stops;
  std::map<std::string, std::string> signs;
  std::map<std::string, std::vector<std::int32_t>> doors;
  std::map<std::string, Stop> halts;
  std::optional<Stop> end;
  kube::RawJson cargo;
  std::vector<kube::RawJson> parcels;
  std::optional<kube::Time> departs;
  bool operator==(const Train&) const = default;
};

void describe(Description& d, Train& train) {
  d.field("number", train.number, "");
  d.field("built", train.built, "");
  d.field("late", train.late, "");
  d.field("speed", train.speed, "");
  d.field("line", train.line, "");
  d.field("driver", train.driver, "");
  d.field("stops", train.stops, "");
  d.field("signs", train.signs, "");
  d.field("doors", train.doors, "");
  d.field("halts", train.halts, "");
  d.field("end", train.end, "");
  d.field("cargo", train.cargo, "");
  d.field("parcels", train.parcels, "");
  d.field("departs", train.departs, "");
}

constexpr std::size_t kPlenty = std::size_t{1} << 20;

Result<Train> read(std::string_view text, std::size_t slice, std::size_t limit = kPlenty) {
  Train train;
  kube::Decoder decoder(text, kube::type_of<Train>(), &train, "spec", limit);
  for (;;) {
    auto done = decoder.advance(slice);
    if (!done) return std::move(done).error();
    if (*done) return train;
  }
}

Result<Train> read_of_tree(std::string_view text) {
  auto document = json::Document::parse(text);
  if (!document) return std::move(document).error();
  return kube::decode<Train>(document->root(), "spec");
}

const std::string kTexts[] = {
    "{}",
    "null",
    R"({"number":3,"built":9007199254740993,"late":true,"speed":1e3,"line":"S\u00fcd\n","driver":"Kim"})",
    R"({"stops":[{"name":"a","track":2,"x":[{}]},{"name":""},{}],"end":{"name":"z","track":null}})",
    R"({"signs":{"a":"b","\u0061":"c","d":null,"":"e"},"doors":{"x":[1,2,3],"y":[],"z":null}})",
    R"({"cargo":{"a":[1,1.0,"x"],"b":null},"parcels":[1,"two",{"three":3},null,[4]],"departs":"2024-02-29T10:00:00Z"})",
    R"({"cargo":null,"driver":null,"stops":null,"number":null,"late":null,"end":null,"departs":null})",
    R"({"cargo":"text"})",
    R"({"other":{"number":"x","stops":[[[]]]},"number":5})",
    R"({"n\u0075mber":4})",
    R"({"number":1,"number":2,"end":{"name":"a"},"end":{"track":1},"stops":[{}],"stops":[],"line":"a","line":"b"})",
    R"({"halts":{"a":{"name":"x"},"b":{},"a":{"track":2}},"signs":{"a":"b","a":null},"doors":{"x":[1],"x":[2]}})",
    R"({"number":1.0,"built":1e2})",
    R"({"number":1.5})",
    R"({"number":3000000000})",
    R"({"number":"1"})",
    R"({"built":18446744073709551616})",
    R"({"late":1})",
    R"({"speed":"1"})",
    R"({"line":1})",
    R"({"driver":{}})",
    R"({"stops":{}})",
    R"({"stops":[null]})",
    R"({"stops":["a"]})",
    R"({"stops":[{"name":"a"},{"name":[1]}]})",
    R"({"signs":[]})",
    R"({"signs":{"k":1}})",
    R"({"doors":{"k":[1,2,"x"]}})",
    R"({"end":7})",
    R"({"end":{"track":true}})",
    R"({"departs":"yesterday"})",
    R"({"departs":5})",
    "7",
    "[]",
    R"("text")",
};

}  // namespace

TEST_CASE("bytes decode as their tree, including errors, in slices of any size") {
  for (const auto& text : kTexts) {
    const auto expected = read_of_tree(text);
    for (const std::size_t slice : {1U, 2U, 3U, 10U, 1000U}) {
      INFO(text << " in slices of " << slice);
      const auto got = read(text, slice);
      REQUIRE(got.has_value() == expected.has_value());
      if (expected) CHECK(*got == *expected);
      if (!expected) CHECK(got.error().text == expected.error().text);
    }
  }
}

TEST_CASE("the last of duplicate members counts, in structs and in maps") {
  const auto train = read(R"({"end":{"name":"a"},"end":{"track":1},"halts":{"a":{"name":"x"},"a":{"track":2}},)"
                          R"("signs":{"a":"b","a":null},"doors":{"x":[1,2],"x":[3]},"line":"a","line":null})",
                          100);

  REQUIRE(train.has_value());
  CHECK(train->end == Stop{"", 1});
  CHECK(train->halts == std::map<std::string, Stop>{{"a", {"", 2}}});
  CHECK(train->signs == std::map<std::string, std::string>{{"a", ""}});
  CHECK(train->doors == std::map<std::string, std::vector<std::int32_t>>{{"x", {3}}});
  CHECK(train->line.empty());
}

TEST_CASE("raw JSON has unchanged bytes") {
  const auto train = read(R"({"cargo": { "a" : 1.50 } })", 4);

  REQUIRE(train.has_value());
  CHECK(train->cargo.text == R"({ "a" : 1.50 })");
}

TEST_CASE("malformed JSON is rejected also in members that the description does not know") {
  CHECK(!read(R"({"other":{"a":tru}})", 100));
  CHECK(!read(R"({"cargo":{"a":"\x"}})", 100));
  CHECK(!read(R"({"number":1)", 100));
  CHECK(!read(R"({"number":1}})", 100));
}

TEST_CASE("lists, maps, texts and raw JSON that need more memory than allowed are rejected with their path") {
  const auto rejection = [](const std::string& text) {
    const auto train = read(text, 100, 1000);
    return train ? "read" : train.error().text;
  };
  std::string stops = R"({"stops":[)";
  std::string signs = R"({"signs":{)";
  for (int i = 0; i < 100; ++i) {
    stops += "{},";
    signs += "\"" + std::to_string(i) + R"(":"",)";
  }

  CHECK(rejection(stops + "{}]}").starts_with("spec.stops["));
  CHECK(rejection(stops + "{}]}").find("needs more memory than allowed: 1000 bytes") != std::string::npos);
  CHECK(rejection(signs + R"("x":""}})").starts_with("spec.signs["));
  CHECK(rejection(R"({"line":")" + std::string(1000, 'x') + R"("})").starts_with("spec.line: needs"));
  CHECK(rejection(R"({"cargo":")" + std::string(900, 'x') + R"("})") == "read");
  CHECK(rejection(R"({"cargo":")" + std::string(1000, 'x') + R"("})").starts_with("spec.cargo: needs"));
  CHECK(rejection(R"({"cargo":[")" + std::string(900, 'x') + R"("]})") == "read");
  CHECK(rejection(R"({"cargo":[")" + std::string(1000, 'x') + R"("]})").starts_with("spec.cargo: needs"));
  CHECK(
      rejection(R"({"parcels":[1,{"a":")" + std::string(1000, 'x') + R"("}]})").starts_with("spec.parcels[1]: needs"));
}

TEST_CASE("an error quotes the beginning of a long key") {
  const auto train = read(R"({"signs":{")" + std::string(5000, 'k') + R"(":1}})", 100);

  REQUIRE(!train);
  CHECK(train.error().text ==
        "spec.signs[" + std::string(1024, 'k') + "...]: expected a string, found a number (put it in quotes)");
}
