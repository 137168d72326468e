#include "keelson/kube/typed.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "keelson/async/timeout.hpp"
#include "test/support/test_loop.hpp"

namespace keelson::kube {
namespace {

using boost::asio::awaitable;

struct GardenSpec {
  std::int32_t beds = 0;
  std::optional<std::string> soil;
};
struct GardenStatus {
  std::int32_t planted = 0;
};
void describe(Description& d, GardenSpec& spec) {
  d.field("beds", spec.beds, "How many.");
  d.field("soil", spec.soil, "Of what.");
}
void describe(Description& d, GardenStatus& status) { d.field("planted", status.planted, "How many are."); }

using Garden = Typed<GardenSpec, GardenStatus>;
const Resource kGardens("demo.example.com", "v1", "Garden", "gardens");
const std::string kHome =
    R"({"kind":"Garden","metadata":{"name":"home","namespace":"ns","uid":"u","resourceVersion":"7"},)"
    R"("spec":{"beds":3,"soil":"loam","newer":{"than":"us"}},"status":{"planted":1}})";

// Answers with `reply` and keeps what it was asked.
class OneReply final : public Client {
 public:
  explicit OneReply(std::string reply) : reply_(std::move(reply)) {}
  awaitable<Result<ApiReply>> send(ApiRequest request) override {
    asked = std::move(request);
    co_return ApiReply{200, reply_};
  }
  awaitable<Result<std::unique_ptr<net::Stream>>> stream(ApiRequest) override { co_return invalid("not scripted"); }
  ApiRequest asked;

 private:
  std::string reply_;
};

template <class T>
Result<T> ask(awaitable<Result<T>> verb) {
  std::optional<Result<T>> result;
  test::TestLoop loop;
  loop.run(async::detail::store<T>(std::move(verb), result));
  return std::move(*result);
}

Garden home() { return read_typed<GardenSpec, GardenStatus>(Object::from_json(kHome).value()).value(); }

TEST_CASE("an object is read as the structs of its kind") {
  OneReply client(kHome);

  auto read = ask(get_typed<GardenSpec, GardenStatus>(client, kGardens, {"ns", "home"}));

  REQUIRE(read);
  CHECK(read->object.uid() == "u");
  CHECK(read->spec.beds == 3);
  CHECK(read->spec.soil == "loam");
  CHECK(read->status.planted == 1);
}

TEST_CASE("a list is read as structs, and one that cannot be is named") {
  OneReply good(R"({"kind":"GardenList","metadata":{"resourceVersion":"9","continue":"more"},"items":[)" + kHome +
                "]}");
  OneReply bad(R"({"metadata":{},"items":[{"metadata":{"name":"odd","namespace":"ns"},"spec":{"beds":"x"}}]})");

  auto listed = ask(list_typed<GardenSpec, GardenStatus>(good, kGardens, {.ns = "ns"}));
  auto refused = ask(list_typed<GardenSpec, GardenStatus>(bad, kGardens, {.ns = "ns"}));

  REQUIRE(listed);
  CHECK(listed->items.at(0).spec.beds == 3);
  CHECK(listed->resource_version == "9");
  CHECK(listed->continue_token == "more");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() == "ns/odd: spec.beds: expected an integer");
}

TEST_CASE("a new object carries its kind, its name and its spec") {
  OneReply client(kHome);

  auto made = ask(create_typed<GardenSpec, GardenStatus>(client, kGardens, {"ns", "home"}, {.beds = 3, .soil = {}}));

  REQUIRE(made);
  CHECK(client.asked.verb == Verb::kCreate);
  CHECK(client.asked.body ==
        R"({"apiVersion":"demo.example.com/v1","kind":"Garden","metadata":{"name":"home","namespace":"ns"},)"
        R"("spec":{"beds":3}})");
}

TEST_CASE("a change is what differs, for the object as it was read, and takes away what the spec has no more") {
  OneReply client(kHome);
  auto spec = home().spec;
  spec.beds = 5;
  spec.soil.reset();

  auto changed = ask(patch_spec(client, kGardens, home(), spec));

  REQUIRE(changed);
  CHECK(client.asked.patch_type == PatchType::kMerge);
  CHECK(client.asked.subresource.empty());
  CHECK(client.asked.body == R"({"metadata":{"resourceVersion":"7","uid":"u"},"spec":{"soil":null,"beds":5}})");
}

TEST_CASE("a change of the status goes through its subresource") {
  OneReply client(kHome);

  auto changed = ask(patch_status(client, kGardens, home(), {.planted = 2}));

  REQUIRE(changed);
  CHECK(client.asked.subresource == "status");
  CHECK(client.asked.body == R"({"metadata":{"resourceVersion":"7","uid":"u"},"status":{"planted":2}})");
}

}  // namespace
}  // namespace keelson::kube
