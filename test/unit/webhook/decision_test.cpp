#include "keelson/detail/webhook/request.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/webhook/limits.hpp"
#include "keelson/webhook/field_errors.hpp"

using namespace keelson;
using webhook::Decision;

TEST_CASE("a decision without errors allows the request") {
  CHECK(Decision::judge({}).is_allowed());
  CHECK(Decision::judge({}).code() == 200);
}

TEST_CASE("errors and warnings beyond their limits are dropped") {
  std::vector<kube::FieldError> errors(limits::kFieldErrors + 1, webhook::required_value("spec.a"));

  auto decision = Decision::judge(std::move(errors));
  for (std::size_t number = 0; number <= limits::kAdmissionWarnings; ++number) decision.warn("careful");

  CHECK(decision.errors().size() == limits::kFieldErrors);
  CHECK(decision.warnings().size() == limits::kAdmissionWarnings);
}

TEST_CASE("a field error has the text of Kubernetes") {
  CHECK(webhook::invalid_value("spec.a", "x \"y\"", "no").message() == R"(spec.a: Invalid value: "x \"y\"": no)");
  CHECK(webhook::invalid_number("spec.a", -1, "must be positive").message() ==
        "spec.a: Invalid value: -1: must be positive");
  CHECK(webhook::required_value("spec.a").message() == "spec.a: Required value");
  CHECK(webhook::required_value("spec.a", "say it").message() == "spec.a: Required value: say it");
  CHECK(webhook::forbidden_value("spec.a", "immutable").message() == "spec.a: Forbidden: immutable");
  CHECK(webhook::duplicate_value("spec.a[1]", "x").message() == R"(spec.a[1]: Duplicate value: "x")");
  CHECK(webhook::unsupported_value("spec.a", "x", {"b", "c"}).message() ==
        R"(spec.a: Unsupported value: "x": supported values: "b", "c")");
  CHECK(webhook::forbidden_value("spec.a", "immutable").reason == kube::FieldReason::kForbidden);
}
