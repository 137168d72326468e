#include "keelson/detail/json/projection.hpp"
#include "keelson/detail/json/scan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "keelson/detail/json/limits.hpp"
#include "keelson/json/value.hpp"
#include "test/unit/json/pods.hpp"

namespace keelson::json {
namespace {

struct Outcome {
  std::string text;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome apply(const Projection& projection, std::string_view object, ScanCode code = ScanCode::kFastest) {
  Outcome outcome;
  const auto applied = projection.apply(object, outcome.text, code);
  if (!applied) outcome.error = applied.error().text;
  return outcome;
}

// Both implementations must agree, and accepted text must be JSON.
Outcome apply_checked(const Projection& projection, std::string_view object) {
  const Outcome fast = apply(projection, object);
  const Outcome scalar = apply(projection, object, ScanCode::kScalar);
  INFO(object.substr(0, 2000));
  REQUIRE(fast == scalar);
  if (fast.error.empty()) {
    REQUIRE(Document::parse(fast.text));
  } else {
    REQUIRE(fast.text.empty());
  }
  return fast;
}

TEST_CASE("everything() drops only managedFields and the last applied configuration") {
  const auto projection = Projection::everything();

  CHECK(apply_checked(projection, R"({"metadata":{"name":"a","managedFields":[{"x":[1,"]"]}],"annotations":{)"
                                  R"("kubectl.kubernetes.io/last-applied-configuration":"{\"a\":1}\n","b":"c"}},)"
                                  R"("spec":{"managedFields":[1],"a":[true,null,-1.5e3]}})")
            .text ==
        R"({"metadata":{"name":"a","annotations":{"b":"c"}},"spec":{"managedFields":[1],"a":[true,null,-1.5e3]}})");
  CHECK(apply_checked(projection, R"({"metadata":{"managedFields":[]}})").text == R"({"metadata":{}})");
  CHECK(apply_checked(projection, R"({"metadata":{"manage\u0064Fields":[],"a":1}})").text == R"({"metadata":{"a":1}})");
}

TEST_CASE("a pod without managedFields equals the pod that RapidJSON parses, without them") {
  const std::string pod = fixtures::make_pod(3);
  const Outcome stripped = apply_checked(Projection::everything(), pod);

  auto before = Document::parse(pod);
  auto after = Document::parse(stripped.text);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(after->root().at({"metadata", "managedFields"}).is_absent());
  CHECK(equal(before->root().find("spec"), after->root().find("spec")));
  CHECK(equal(before->root().find("status"), after->root().find("status")));
  CHECK(after->root().find("metadata").size() + 1 == before->root().find("metadata").size());
}

TEST_CASE("a projection retains its paths and the identity of an object") {
  const auto projection = Projection::of({{"spec", "containers", "image"}, {"status", "phase"}});

  CHECK(apply_checked(
            projection,
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","annotations":{"x":"y"},"labels":{"l":"m"}},)"
            R"("spec":{"nodeName":"n","containers":[{"image":"i","env":[{"a":"}"}]},{"env":[]},{"image":"j"}]},)"
            R"("status":{"phase":"Running","podIP":"1"}})")
            .text == R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"l":"m"}},)"
                     R"("spec":{"containers":[{"image":"i"},{},{"image":"j"}]},"status":{"phase":"Running"}})");
  CHECK(apply_checked(projection, R"({"spec":null,"status":[[{"phase":1,"x":2}],3]})").text ==
        R"({"spec":null,"status":[[{"phase":1}],3]})");
}

TEST_CASE("a projection reports which paths may be read") {
  const auto some = Projection::of({{"spec", "containers", "image"}, {"spec", "template"}});
  const auto all = Projection::everything();

  CHECK(some.covers({"spec", "containers", "image"}));
  CHECK(some.covers({"spec", "template", "metadata", "name"}));
  CHECK(some.covers({"metadata", "labels", "app"}));
  CHECK_FALSE(some.covers({"spec"}));
  CHECK_FALSE(some.covers({"spec", "containers"}));
  CHECK_FALSE(some.covers({"spec", "replicas"}));
  CHECK_FALSE(some.covers({"metadata", "annotations", "a"}));
  CHECK(all.covers({"spec", "replicas"}));
  CHECK(all.covers({"metadata", "annotations", "a"}));
  CHECK_FALSE(all.covers({"metadata", "managedFields"}));
  CHECK_FALSE(all.covers({"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}));
}

TEST_CASE("a merged projection retains what either projection retains") {
  const auto a = Projection::of({{"spec", "replicas"}});
  const auto b = Projection::of({{"spec"}, {"metadata", "annotations"}});
  const auto managed = Projection::of({{"metadata", "managedFields"}});

  CHECK(a.merged(b).covers({"spec", "anything"}));
  CHECK(b.merged(a).covers({"metadata", "annotations", "x"}));
  CHECK_FALSE(a.merged(b).covers({"status"}));
  const auto all = a.merged(Projection::everything());
  CHECK(all.covers({"status", "x"}));
  CHECK_FALSE(all.covers({"metadata", "managedFields"}));
  CHECK(managed.merged(Projection::everything()).covers({"metadata", "managedFields"}));
}

TEST_CASE("malformed objects are rejected with the byte offset") {
  const char* const rows[] = {"",
                              "  ",
                              "[]",
                              "1",
                              "{",
                              "{}x",
                              "{} {}",
                              "{]",
                              R"({"a"})",
                              R"({"a":})",
                              R"({"a":1,})",
                              R"({"a":1 "b":2})",
                              R"({,"a":1})",
                              R"({"a":01})",
                              R"({"a":1.})",
                              R"({"a":-})",
                              R"({"a":1e})",
                              R"({"a":+1})",
                              R"({"a":nul})",
                              R"({"a":nullx})",
                              R"({"a":TRUE})",
                              R"({"a":"\x"})",
                              R"({"a":"\u12g4"})",
                              R"({"a":"\ud800"})",
                              R"({"a":"\udc00"})",
                              R"({"a":["\\ud800\udc00"]})",
                              R"({"a":["\ud800\ud800"]})",
                              "{\"a\":\"\x01\"}",
                              "{\"a\":[\"\x01\"]}",
                              "{\"a\":\"\xC3\"}",
                              "{\"a\":[\"\xED\xA0\x80\"]}",
                              "{\"a\xFF\":1}",
                              R"({"a":[1,]})",
                              R"({"a":[,1]})",
                              R"({"a":[1 2]})",
                              R"({"a":[1}})",
                              R"({"a":{"b"}})",
                              R"({"a":{"b":1:2}})",
                              R"({"a":{"b":1,2}})",
                              R"({"a":{"b":{},"c"}})",
                              R"({"a":{1:2}})",
                              R"({"a":["b":1]})",
                              R"({"a":[{}{}]})",
                              R"({"a":["x""y"]})",
                              R"({"a":["x"1]})",
                              R"({"a":[1"x"]})",
                              R"({"a":{"b":"c","d"}})",
                              R"({"a":{"b"::1}})",
                              R"({"a":{:1}})",
                              R"({"a":[:]})",
                              R"({"a":{,}})",
                              R"({"a":[\]})",
                              R"({"a":[\"x"]})",
                              R"({"a":{"b":1]})",
                              R"({"a":{}}})",
                              R"({"a":"b)",
                              R"({"a":["b)",
                              R"({"a":[{"b":)"};

  for (const char* row : rows) {
    INFO(row);
    const Outcome outcome = apply_checked(Projection::everything(), row);
    CHECK(outcome.error.find("(at byte ") != std::string::npos);
  }
}

TEST_CASE("the accepted texts do not depend on the position of block boundaries") {
  const char* const good[] = {R"({"a":[1,{"b":"c\"\\"},[]],"d":{"e":{},"f":null}})",
                              R"(["x",[{"\ud83d\ude00":-1.5e+3}],true])",
                              "{\"k\":\"\xE2\x82\xAC\",\"l\":[\"\xF0\x9F\x98\x80\"]}"};

  for (const std::string value : good) {
    for (std::size_t padding = 0; padding < 130; ++padding) {
      const std::string object = R"({"p":")" + std::string(padding, 'x') + R"(","v":)" + value + "}";
      CHECK(apply_checked(Projection::everything(), object).text == object);
      // Any byte removed or doubled: both implementations and RapidJSON must agree on the rest.
      for (std::size_t at = object.size() - value.size() - 1; padding % 13 == 0 && at < object.size(); ++at) {
        std::string shorter = object;
        shorter.erase(at, 1);
        CHECK(apply_checked(Projection::everything(), shorter).error.empty() == Document::parse(shorter).has_value());
        std::string longer = object;
        longer.insert(at, 1, object[at]);
        CHECK(apply_checked(Projection::everything(), longer).error.empty() == Document::parse(longer).has_value());
      }
    }
  }
}

TEST_CASE("a pod that is truncated anywhere is rejected") {
  const std::string pod = fixtures::make_pod(1);
  const auto some = Projection::of({{"spec", "containers", "image"}});

  for (std::size_t length = 0; length < pod.size(); ++length) {
    const auto cut = std::string_view(pod).substr(0, length);
    CHECK(apply_checked(Projection::everything(), cut).error != "");
    CHECK(apply_checked(some, cut).error != "");
  }
}

TEST_CASE("a pod with a changed byte is accepted only if it is JSON") {
  const std::string pod = fixtures::make_pod(1);
  std::mt19937 random(20260101);  // NOLINT: a fixed seed

  for (int round = 0; round < 3000; ++round) {
    std::string changed = pod;
    const std::string_view bytes = "{}[],:\"\\ 1nt\x01\xFF";
    changed[random() % changed.size()] = bytes[random() % bytes.size()];
    apply_checked(Projection::everything(), changed);
    apply_checked(Projection::of({{"spec", "containers", "image"}, {"status"}}), changed);
  }
}

TEST_CASE("spaces between tokens are accepted") {
  const std::string object =
      "\n{ \"a\" : [ 1 , { \"b\" : \"c d\" } , [ ] ] ,\t\"metadata\" : { \"managedFields\" : [ ] , \"x\" : { } } }\r\n";

  CHECK(apply_checked(Projection::everything(), object).text ==
        "{\"a\":[ 1 , { \"b\" : \"c d\" } , [ ] ],\"metadata\":{\"x\":{ }}}");
}

TEST_CASE("nesting has the same limit as in the parser") {
  const auto nested = [](std::size_t arrays) {
    return R"({"a":)" + std::string(arrays, '[') + std::string(arrays, ']') + "}";
  };
  const auto through = Projection::of({{"a", "b"}});

  CHECK(apply_checked(Projection::everything(), nested(limits::kJsonDepth - 1)).error.empty());
  CHECK_FALSE(apply_checked(Projection::everything(), nested(limits::kJsonDepth)).error.empty());
  CHECK(apply_checked(through, nested(limits::kJsonDepth - 1)).error.empty());
  CHECK_FALSE(apply_checked(through, nested(limits::kJsonDepth)).error.empty());
  CHECK_FALSE(apply_checked(through, R"({"a":)" + std::string(1'000'000, '[')).error.empty());
  CHECK_FALSE(apply_checked(Projection::everything(), R"({"a":)" + std::string(1'000'000, '[')).error.empty());
}

}  // namespace
}  // namespace keelson::json
