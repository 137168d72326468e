#include "keelson/detail/schema/field_error.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace keelson;
using kube::FieldError;
using kube::FieldReason;

TEST_CASE("a field error has the text of Kubernetes for its reason") {
  CHECK(FieldError(FieldReason::kInvalid, "spec.size", "-1", "must be positive").message() ==
        "spec.size: Invalid value: -1: must be positive");
  CHECK(FieldError(FieldReason::kTypeInvalid, "spec.size", "\"a\"", "must be a number").message() ==
        "spec.size: Invalid value: \"a\": must be a number");
  CHECK(FieldError(FieldReason::kRequired, "spec.size").message() == "spec.size: Required value");
  CHECK(FieldError(FieldReason::kForbidden, "spec.size", {}, "field is immutable").message() ==
        "spec.size: Forbidden: field is immutable");
  CHECK(FieldError(FieldReason::kDuplicate, "spec.size", "1").message() == "spec.size: Duplicate value: 1");
  CHECK(FieldError(FieldReason::kNotFound, "spec.size", "1").message() == "spec.size: Not found: 1");
  CHECK(FieldError(FieldReason::kNotSupported, "spec.size", "1", R"("2", "3")").message() ==
        R"(spec.size: Unsupported value: 1: supported values: "2", "3")");
  CHECK(FieldError::too_many("spec.size", 3, 1).message() == "spec.size: Too many: 3: must have at most 1 item");
  CHECK(FieldError::too_many("spec.size", 3, 2).message() == "spec.size: Too many: 3: must have at most 2 items");
  CHECK(FieldError::too_long("spec.size", 1).message() == "spec.size: Too long: may not be more than 1 byte");
  CHECK(FieldError::too_long("spec.size", 2).message() == "spec.size: Too long: may not be more than 2 bytes");
}

TEST_CASE("each reason of a field error has a name of its own") {
  for (auto reason = FieldReason::kInvalid; reason <= FieldReason::kTypeInvalid;
       reason = static_cast<FieldReason>(static_cast<int>(reason) + 1)) {
    CHECK(kube::field_reason(name_of(reason)) == reason);
  }
  CHECK(name_of(FieldReason::kTooMany) == "FieldValueTooMany");
  CHECK_FALSE(kube::field_reason("FieldManagerConflict"));
}

TEST_CASE("the message of several field errors names each one once, in brackets") {
  const FieldError one(FieldReason::kRequired, "a");
  const FieldError other(FieldReason::kRequired, "b");

  CHECK(kube::all_messages({one}) == "a: Required value");
  CHECK(kube::all_messages({one, one}) == "a: Required value");
  CHECK(kube::all_messages({one, other, one}) == "[a: Required value, b: Required value]");
}

TEST_CASE("the message and the causes of field errors end at their limits") {
  const std::vector<FieldError> errors(3, FieldError(FieldReason::kInvalid, "spec.size", "123456789", "too large"));

  CHECK(kube::all_messages(errors, {.each = 4}) == "spec...: Inva...");
  CHECK(kube::all_messages({errors[0], {FieldReason::kRequired, "b"}}, {.all = 50}) ==
        "spec.size: Invalid value: 123456789: too large, and 1 more");
  CHECK(kube::status_causes(errors, {.each = 4, .all = 20}) ==
        R"([{"reason":"FieldValueInvalid","message":"Inva...","field":"spec..."}])");
  CHECK(kube::status_causes({errors[0]}) ==
        R"([{"reason":"FieldValueInvalid","message":"Invalid value: 123456789: too large","field":"spec.size"}])");
}
