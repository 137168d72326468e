#include "keelson/webhook/admission.hpp"

#include <catch2/catch_test_macros.hpp>
#include <list>

#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/unit/webhook/toast.hpp"

using namespace keelson;
using namespace keelson::webhook;

namespace {

template <class T>
boost::asio::awaitable<void> keep(boost::asio::awaitable<T> work, std::optional<T>& result) {
  result = co_await std::move(work);
}

template <class T>
T run(sandbox::loop::TestLoop& loop, boost::asio::awaitable<T> work) {
  std::optional<T> result;
  loop.run(keep(std::move(work), result));
  return std::move(*result);
}

struct ReviewWorld {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  std::list<std::string> texts;

  Request request(Operation operation, const std::string& object, const std::string& old_object = "") {
    Request request(Logger{sink});
    request.operation = operation;
    if (!object.empty()) request.object = reviewed(object);
    if (!old_object.empty()) request.old_object = reviewed(old_object);
    return request;
  }

  Reviewed set_defaults(const std::string& object) {
    auto defaulting = defaulting_by<testing::ToastSpec>(std::make_unique<testing::ToastDefaulter>());
    auto asked = request(Operation::kCreate, object);
    return run(loop, defaulting(asked));
  }

  // The spec after the patch; empty without a patch.
  std::optional<std::string> defaulted_spec(const std::string& object) {
    auto defaulted = set_defaults(object);
    CHECK(defaulted.decision.is_allowed());
    if (defaulted.patch.empty()) return std::nullopt;
    auto patched = json::json_patch(object, defaulted.patch);
    REQUIRE(patched.has_value());
    return json::Document::parse(*patched)->root().find("spec").text();
  }

  Decision validate(const Request& asked) {
    auto validating = validating_by<testing::ToastSpec>(std::make_unique<testing::ToastValidator>());
    return run(loop, validating(asked)).decision;
  }

 private:
  ReviewedObject reviewed(const std::string& text) {
    texts.push_back(text);
    return *ReviewedObject::of(loop.clock(), texts.back());
  }
};

}  // namespace

TEST_CASE("C27: a kind's webhooks have kubebuilder's names") {
  kube::Resource resource("batch.tutorial.kubebuilder.io", "v1", "CronJob", "cronjobs");

  const Webhook mutating{WebhookType::kMutating, resource, {}, {}};
  const Webhook validating{WebhookType::kValidating, resource, {}, {}};
  const Webhook of_pods{WebhookType::kMutating, kube::pods(), {}, {}};
  CHECK(mutating.path() == "/mutate-batch-tutorial-kubebuilder-io-v1-cronjob");
  CHECK(validating.path() == "/validate-batch-tutorial-kubebuilder-io-v1-cronjob");
  CHECK(mutating.name() == "mcronjob-v1.kb.io");
  CHECK(validating.name() == "vcronjob-v1.kb.io");
  CHECK(of_pods.path() == "/mutate--v1-pod");
}

TEST_CASE("defaults are added, and fields that the description does not know are unchanged") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(R"({"spec":{"slices":2,"future":{"field":[1,2]}}})");

  CHECK(spec == R"({"slices":2,"future":{"field":[1,2]},"browning":"medium"})");
}

TEST_CASE("a spec without missing fields is not patched") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(R"({"spec":{"browning":"dark","slices":1}})");

  CHECK(!spec);
}

TEST_CASE("a defaulter does not write numbers that it did not set") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(R"({"spec":{}})");

  CHECK(spec == R"({"browning":"medium"})");
}

TEST_CASE("an object without a spec gets a spec with the defaults") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(R"({"metadata":{"name":"a"}})");

  CHECK(spec == R"({"browning":"medium"})");
}

TEST_CASE("null is replaced by the default") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(R"({"spec":{"browning":null,"slices":1}})");

  CHECK(spec == R"({"browning":"medium","slices":1})");
}

TEST_CASE("an entry of a list that the defaulter changes retains its unknown fields") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(
      R"({"spec":{"browning":"dark","toppings":[{"kind":"jam","origin":"plum"},{"kind":"","vegan":true}]}})");

  CHECK(spec == R"({"browning":"dark","toppings":[{"kind":"jam","origin":"plum"},{"kind":"butter","vegan":true}]})");
}

TEST_CASE("the remaining entries of a shortened list retain their unknown fields") {
  ReviewWorld reviewed;

  auto spec = reviewed.defaulted_spec(
      R"({"spec":{"browning":"dark","toppings":[{"kind":"none"},{"kind":"jam","origin":"plum"}]}})");

  CHECK(spec == R"({"browning":"dark","toppings":[{"kind":"jam","origin":"plum"}]})");
}

TEST_CASE("an object that cannot be decoded is a bad request, for both webhooks") {
  ReviewWorld reviewed;

  auto defaulted = reviewed.set_defaults(R"({"spec":{"slices":"two"}})");
  auto decision = reviewed.validate(reviewed.request(Operation::kCreate, R"({"spec":{"slices":"two"}})"));

  CHECK(defaulted.decision.code() == 400);
  CHECK(defaulted.decision.message() == "spec.slices: expected an integer, found a string");
  CHECK(decision.code() == 400);
}

TEST_CASE("a defaulter's error denies the write with its text") {
  ReviewWorld reviewed;

  auto defaulted = reviewed.set_defaults(R"({"spec":{"slices":13}})");

  CHECK(defaulted.decision.code() == 403);
  CHECK(defaulted.decision.message() == "thirteen is refused");
}

TEST_CASE("the schema is checked before the author's validator is called") {
  ReviewWorld reviewed;

  auto decision =
      reviewed.validate(reviewed.request(Operation::kCreate, R"({"spec":{"slices":-1,"browning":"burnt"}})"));

  REQUIRE(decision.errors().size() == 1);
  CHECK(decision.errors()[0].message() == "spec.slices: Invalid value: -1: should be greater than or equal to 0");
}

TEST_CASE("the author's validator is called for objects that conform to the schema") {
  ReviewWorld reviewed;

  auto good = reviewed.validate(reviewed.request(Operation::kCreate, R"({"spec":{"slices":1}})"));
  auto bad = reviewed.validate(reviewed.request(Operation::kCreate, R"({"spec":{"slices":1,"browning":"burnt"}})"));

  CHECK(good.is_allowed());
  REQUIRE(bad.errors().size() == 1);
  CHECK(bad.errors()[0].message() == "spec.browning: Invalid value: \"burnt\": nobody eats that");
}

TEST_CASE("an update is not rejected for violations that it leaves unchanged") {
  ReviewWorld reviewed;

  auto kept = reviewed.validate(
      reviewed.request(Operation::kUpdate, R"({"spec":{"slices":-1,"browning":"dark"}})", R"({"spec":{"slices":-1}})"));
  auto made_worse =
      reviewed.validate(reviewed.request(Operation::kUpdate, R"({"spec":{"slices":-2}})", R"({"spec":{"slices":-1}})"));

  CHECK(kept.is_allowed());
  CHECK(made_worse.code() == 422);
}

TEST_CASE("a delete is decided by the old object") {
  ReviewWorld reviewed;

  auto decision = reviewed.validate(reviewed.request(Operation::kDelete, "", R"({"spec":{"browning":"dark"}})"));

  CHECK(decision.code() == 403);
  CHECK(decision.message() == "dark toast stays");
}

namespace {

class PlainValidator : public Validator<testing::ToastSpec> {
 public:
  boost::asio::awaitable<Decision> validate(const Submission<testing::ToastSpec>&) override {
    co_return Decision::allow();
  }
};
// With a validate_delete() of its own, in public and in private.
class CarefulValidator : public PlainValidator {
 public:
  boost::asio::awaitable<Decision> validate_delete(const Submission<testing::ToastSpec>& submission) override {
    if (submission.spec.slices > 0) co_return Decision::deny("it is not eaten");
    co_return Decision::allow();
  }
};
class PrivateValidator final : public PlainValidator {
  boost::asio::awaitable<Decision> validate_delete(const Submission<testing::ToastSpec>&) override {
    co_return Decision::allow();
  }
};
class InheritingValidator final : public CarefulValidator {};

}  // namespace

TEST_CASE("a validator with validate_delete() is recognized by its class") {
  using testing::ToastSpec;
  STATIC_CHECK(validates_deletes<ToastSpec, CarefulValidator>());
  STATIC_CHECK(validates_deletes<ToastSpec, PrivateValidator>());
  STATIC_CHECK(validates_deletes<ToastSpec, InheritingValidator>());
  STATIC_CHECK_FALSE(validates_deletes<ToastSpec, PlainValidator>());
  STATIC_CHECK_FALSE(validates_deletes<ToastSpec, testing::ToastValidator>());
  STATIC_CHECK_FALSE(validates_deletes<ToastSpec, Validator<ToastSpec>>());
}

TEST_CASE("validate_delete() reviews deletes, with the object to be deleted") {
  ReviewWorld world;
  auto review = validating_by<testing::ToastSpec>(std::make_unique<CarefulValidator>());
  const auto eaten = world.request(Operation::kDelete, "", R"({"spec":{"slices":0,"browning":"dark"}})");
  const auto left = world.request(Operation::kDelete, "", R"({"spec":{"slices":2}})");

  CHECK(run(world.loop, review(eaten)).decision.is_allowed());
  CHECK(run(world.loop, review(left)).decision.message() == "it is not eaten");
}
