// Webhooks for whole objects, called through the handler that the API server calls.
#include "keelson/webhook/admission.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/patch.hpp"
#include "test/unit/webhook/fixture.hpp"
#include "test/unit/webhook/loaf.hpp"

namespace keelson::testing {
namespace {

using webhook::Decision;
using webhook::Operation;
using Decided = boost::asio::awaitable<Decision>;

constexpr const char* kMutateLoaf = "/mutate-kitchen-example-com-v1-loaf";
constexpr const char* kValidateLoaf = "/validate-kitchen-example-com-v1-loaf";

// Executes the action in the label `do` of the object.
Decided change(Loaf& loaf, const webhook::Request& request) {
  auto& labels = loaf.metadata.labels;
  const auto asked = labels.contains("do") ? labels["do"] : "";
  if (asked == "append") loaf.spec.slices.push_back({"end", "butter"});
  if (asked == "spread") loaf.spec.slices.at(0).spread = "jam";
  if (asked == "drop") loaf.spec.slices.erase(loaf.spec.slices.begin());
  if (asked == "label") labels["baked"] = "yes";
  if (asked == "rename") loaf.metadata.name = "other";
  if (asked == "move") loaf.metadata.ns = "other";
  if (asked == "reborn") loaf.metadata.uid = "other";
  if (asked == "phase") loaf.status.phase = "from " + request.subresource;
  if (asked == "flour") loaf.spec.flour = "rye";
  if (asked == "fail") {
    loaf.spec.flour = "rye";
    co_return invalid_error("the oven is cold");
  }
  co_return Decision::allow().warn("changed by " + request.user.name);
}

// A loaf with fields that its structs do not have.
std::string loaf(const std::string& asked, const std::string& rest) {
  return R"({"apiVersion":"kitchen.example.com/v1","kind":"Loaf","metadata":{"name":"a","namespace":"default",)"
         R"("uid":"1","managedFields":[{"manager":"cook"}],"labels":{"do":")" +
         asked + R"("}},)" + rest + R"("extra":{"deep":[1,2.5]}})";
}

constexpr const char* kSpec =
    R"("spec":{"unknown":true,"slices":[{"name":"one","thick":1.5},{"name":"two","thick":2}]},)";

struct LoafFixture : HandlerFixture {
  explicit LoafFixture(webhook::WebhookOptions options = {})
      : HandlerFixture({served(webhook::mutating<Loaf>(change, std::move(options)))}) {}

  struct Answer {
    int code = 0;
    std::string message;
    std::string patch;
    std::string object;  // with the patch
    std::vector<std::string> warnings;
  };

  Answer mutate(const std::string& object, const std::string& subresource = "") {
    auto body = review("CREATE", object);
    if (!subresource.empty()) body.insert(body.find(R"("uid")"), R"("subResource":")" + subresource + R"(",)");
    const auto response = *json::Document::parse(respond(kMutateLoaf, body));
    Answer answer;
    answer.code = static_cast<int>(response.root().at({"status", "code"}).integer().value_or(0));
    answer.message = response.root().at({"status", "message"}).string().value_or("");
    answer.object = object;
    for (const auto warning : response.root().find("warnings").items()) {
      answer.warnings.emplace_back(warning.string().value_or(""));
    }
    const auto encoded = response.root().find("patch").string();
    if (!encoded) return answer;
    answer.patch = *base::base64_decode(*encoded);
    answer.object = *json::json_patch(object, answer.patch);
    return answer;
  }
};

}  // namespace

TEST_CASE("a mutating webhook patches only what its function changed, and unknown fields survive") {
  LoafFixture fixture;

  const auto appended = fixture.mutate(loaf("append", kSpec));
  CHECK(appended.patch == R"([{"op":"add","path":"/spec/slices/2","value":{"name":"end","spread":"butter"}}])");
  CHECK(appended.object ==
        loaf("append", R"("spec":{"unknown":true,"slices":[{"name":"one","thick":1.5},{"name":"two","thick":2},)"
                       R"({"name":"end","spread":"butter"}]},)"));

  const auto spread = fixture.mutate(loaf("spread", kSpec));
  CHECK(spread.patch == R"([{"op":"add","path":"/spec/slices/0/spread","value":"jam"}])");

  const auto dropped = fixture.mutate(loaf("drop", kSpec));
  CHECK(dropped.object == loaf("drop", R"("spec":{"unknown":true,"slices":[{"name":"two","thick":2}]},)"));

  const auto labelled = fixture.mutate(loaf("label", kSpec));
  CHECK(labelled.patch == R"([{"op":"add","path":"/metadata/labels/baked","value":"yes"}])");
}

TEST_CASE("an object that the function does not change gets no patch, and its warnings are sent") {
  LoafFixture fixture;

  const auto same = fixture.mutate(loaf("nothing", kSpec));

  CHECK(same.code == 200);
  CHECK(same.patch.empty());
  CHECK(same.warnings == std::vector<std::string>{"changed by cook"});
}

TEST_CASE("a struct that is absent or null is added with the fields that the function set") {
  LoafFixture fixture;

  CHECK(fixture.mutate(loaf("flour", "")).patch == R"([{"op":"add","path":"/spec","value":{"flour":"rye"}}])");
  CHECK(fixture.mutate(loaf("flour", R"("spec":null,)")).patch ==
        R"([{"op":"replace","path":"/spec","value":{"flour":"rye"}}])");
}

TEST_CASE("a denial has no patch, and an Error denies with its text") {
  LoafFixture fixture;

  const auto denied = fixture.mutate(loaf("fail", kSpec));

  CHECK(denied.code == 403);
  CHECK(denied.message == "the oven is cold");
  CHECK(denied.patch.empty());
}

TEST_CASE("a webhook that changes the identity of the object fails the request and names the field") {
  LoafFixture fixture;

  const std::pair<const char*, const char*> cases[] = {{"rename", "name"}, {"move", "namespace"}, {"reborn", "uid"}};
  for (const auto& [asked, field] : cases) {
    INFO(asked);
    const auto answer = fixture.mutate(loaf(asked, kSpec));
    CHECK(answer.code == 500);
    CHECK(answer.message == "panic: a mutating webhook changed metadata." + std::string(field) +
                                ", which identifies the object: do not change it, or deny the request [recovered]");
    CHECK(answer.patch.empty());
  }
  CHECK(fixture.sink.count("Observed a panic") == 3);
}

TEST_CASE("a webhook of a subresource gets its name and can change the status") {
  LoafFixture fixture({.subresources = {"status"}});

  const auto answer = fixture.mutate(loaf("phase", R"("status":{"phase":"","left":3},)"), "status");

  CHECK(answer.object == loaf("phase", R"("status":{"phase":"from status","left":3},)"));
}

TEST_CASE("a mutating webhook allows deletes and connects for which it is not registered") {
  LoafFixture fixture;

  CHECK(fixture.respond(kMutateLoaf, review("DELETE", "", loaf("fail", kSpec))).find(R"("allowed":true)") !=
        std::string::npos);
  CHECK(fixture.respond(kMutateLoaf, review("CONNECT", loaf("fail", kSpec))).find(R"("allowed":true)") !=
        std::string::npos);
}

TEST_CASE("a webhook that is registered for CONNECT reviews its object") {
  LoafFixture fixture({.operations = {Operation::kConnect}});

  const auto answer = fixture.respond(kMutateLoaf, review("CONNECT", loaf("fail", kSpec)));

  CHECK(answer.find("the oven is cold") != std::string::npos);
}

TEST_CASE("an object that needs more memory than its text justifies is rejected before the function is called") {
  LoafFixture fixture;
  std::string slices = "{}";
  for (int i = 0; i < 200'000; ++i) slices += ",{}";

  const auto answer = fixture.mutate(loaf("append", R"("spec":{"slices":[)" + slices + "]},"));

  CHECK(answer.code == 413);
  CHECK(answer.message.starts_with("spec.slices["));
  CHECK(answer.message.find("needs more memory than allowed") != std::string::npos);
}

TEST_CASE("a field of more than 512 KiB cannot be changed partly, but other fields can") {
  LoafFixture fixture;
  const auto spec = R"("spec":{"slices":[{"name":"one","crumbs":")" + std::string(600'000, '.') + R"("}]},)";

  const auto appended = fixture.mutate(loaf("append", spec));
  const auto labelled = fixture.mutate(loaf("label", spec));
  const auto floured = fixture.mutate(loaf("flour", spec));

  CHECK(appended.code == 413);
  CHECK(appended.message.starts_with("spec.slices: "));
  CHECK(labelled.patch == R"([{"op":"add","path":"/metadata/labels/baked","value":"yes"}])");
  CHECK(floured.patch == R"([{"op":"add","path":"/spec/flour","value":"rye"}])");
}

TEST_CASE("a validating webhook gets the object, the old object of an update, and the deleted object of a delete") {
  HandlerFixture fixture({served(webhook::validating<Loaf>([](const webhook::Review<Loaf>& seen) -> Decided {
    auto text = std::string(webhook::name_of(seen.request.operation)) + " " + seen.object.spec.flour;
    if (seen.old_object) text += " was " + seen.old_object->spec.flour;
    co_return Decision::deny(text);
  }))});
  const auto of_flour = [](const std::string& flour) { return loaf("", R"("spec":{"flour":)" + flour + "},"); };
  const auto says = [&](const std::string& body, const std::string& text) {
    return fixture.respond(kValidateLoaf, body).find("\"message\":\"" + text + "\"") != std::string::npos;
  };

  CHECK(says(review("CREATE", of_flour(R"("rye")")), "CREATE rye"));
  CHECK(says(review("UPDATE", of_flour(R"("rye")"), of_flour(R"("spelt")")), "UPDATE rye was spelt"));
  CHECK(says(review("UPDATE", of_flour(R"("rye")"), of_flour("7")), "UPDATE rye"));
  CHECK(says(review("DELETE", "", of_flour(R"("rye")")), "DELETE rye"));
  CHECK(says(review("CREATE", of_flour("7")), "spec.flour: expected a string, found a number (put it in quotes)"));
  CHECK(says(review("DELETE", ""), "there is no content to decode"));
}

TEST_CASE("an object of another kind than the webhook's is a bad request") {
  LoafFixture fixture;

  const auto answer = fixture.mutate(toast(R"({"slices":1})"));

  CHECK(answer.code == 400);
  CHECK(answer.message.find("Kind=Toast into kitchen.example.com/v1, Kind=Loaf") != std::string::npos);
}

TEST_CASE("a webhook reads the old object as a struct on demand") {
  HandlerFixture fixture({served(webhook::mutating<Loaf>([](Loaf&, const webhook::Request& request) -> Decided {
    auto old = co_await request.old_object.read_as<Loaf>();
    if (!old) co_return old.error();
    co_return Decision::deny(*old ? "it was of " + (*old)->spec.flour : "it is new");
  }))});
  const auto rye = loaf("", R"("spec":{"flour":"rye"},)");

  CHECK(fixture.respond(kMutateLoaf, review("UPDATE", rye, rye)).find("it was of rye") != std::string::npos);
  CHECK(fixture.respond(kMutateLoaf, review("CREATE", rye)).find("it is new") != std::string::npos);
}

namespace {

struct CountedSpec {
  std::int64_t count = 0;
};
void describe(kube::Description& d, CountedSpec& spec) { d.field("count", spec.count, "").minimum(0); }

// As a CustomResource.
struct OwnLoaf {
  using Spec = CountedSpec;
  using Status = LoafStatus;
  static constexpr kube::Identity kIdentity{"kitchen.example.com", "v1", "Loaf", "loaves"};
  LoafMeta metadata;
  CountedSpec spec;
  LoafStatus status;
};
void describe(kube::Description& d, OwnLoaf& loaf) {
  d.field("metadata", loaf.metadata, "");
  d.field("spec", loaf.spec, "");
  d.field("status", loaf.status, "");
}

// Reports what it gets.
class OwnValidator {
 public:
  explicit OwnValidator(controller::Context&) {}
  Decided validate(const webhook::Review<OwnLoaf>& review) {
    auto text = "validate " + review.object.metadata.labels.at("do") + " " + review.object.status.phase;
    if (review.old_object) text += " was " + review.old_object->metadata.labels.at("do");
    co_return Decision::deny(text);
  }
  Decided validate_delete(const webhook::Review<OwnLoaf>& review) {
    co_return Decision::deny("keep " + review.object.metadata.name);
  }
};

struct OwnFixture : HandlerFixture {
  OwnFixture() : HandlerFixture({served(webhook::validating<OwnLoaf, OwnValidator>())}) {}
  bool says(const std::string& body, const std::string& text) {
    const auto response = respond(kValidateLoaf, body);
    INFO(response);
    const bool found = response.find("\"message\":\"" + text) != std::string::npos;
    CHECK(found);
    return found;
  }
};

}  // namespace

TEST_CASE("a class with validate_delete is registered for deletes, and gets the object to be deleted") {
  const auto operations = webhook::validating<OwnLoaf, OwnValidator>().options.operations;
  CHECK(operations == std::vector{Operation::kCreate, Operation::kUpdate, Operation::kDelete});
  const auto only_deletes = webhook::validating<OwnLoaf, OwnValidator>({.operations = {Operation::kDelete}});
  CHECK(only_deletes.options.operations == std::vector{Operation::kDelete});

  OwnFixture fixture;
  CHECK(fixture.says(review("DELETE", "", loaf("x", R"("spec":{"count":1},)")), "keep a"));
}

TEST_CASE("a validator of the whole object sees the metadata of the new and the old object") {
  OwnFixture fixture;
  const auto object = loaf("new", R"("spec":{"count":1},"status":{"phase":"baked"},)");

  CHECK(fixture.says(review("CREATE", object), "validate new baked"));
  CHECK(fixture.says(review("UPDATE", object, loaf("old", R"("spec":{"count":1},)")), "validate new baked was old"));
}

TEST_CASE("a status that another version of the operator wrote does not prevent a review of the own kind") {
  OwnFixture fixture;
  const auto object = loaf("new", R"("spec":{"count":1},"status":{"phase":7},)");

  CHECK(fixture.says(review("UPDATE", object, object), "validate new  was new"));
  CHECK(fixture.says(review("CREATE", loaf("new", R"("spec":{"count":"x"},)")),
                     "spec.count: expected an integer, found a string"));
}

TEST_CASE("violations of the own kind's spec are rejected before the call, unless an update leaves them unchanged") {
  OwnFixture fixture;
  const auto wrong = loaf("new", R"("spec":{"count":-1},)");

  CHECK(fixture.says(review("CREATE", wrong), "Loaf.kitchen.example.com"));
  CHECK(fixture.says(review("UPDATE", wrong, loaf("old", R"("spec":{"count":1},)")), "Loaf.kitchen.example.com"));
  CHECK(fixture.says(review("UPDATE", wrong, wrong), "validate new  was new"));
  CHECK(fixture.says(review("DELETE", "", wrong), "keep a"));
}

}  // namespace keelson::testing
