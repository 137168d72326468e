#include "keelson/controller/pass.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "keelson/detail/controller/basic_pass.hpp"
#include "src/controller/child.hpp"

namespace {

using namespace keelson;

Error status_error(const std::string& text) {
  Error error(Error::Kind::kStatus, "apply services default/a");
  error.code = 403;
  error.server_text = text;
  return error;
}

Error waiting() { return {Error::Kind::kChildDeleting, "Service default/a is being deleted."}; }

}  // namespace

TEST_CASE("results without an error succeed") {
  CHECK(controller::all_of());
  CHECK(controller::all_of(Result<int>(1), Result<void>()));
}

TEST_CASE("the errors of several results are one error with all texts") {
  const auto all = controller::all_of(Result<int>(status_error("no a")), Result<int>(1),
                                      Result<void>(status_error("no b")), Result<void>(invalid_error("no c")));

  REQUIRE_FALSE(all);
  CHECK(all.error().code == 403);
  CHECK(all.error().message() == "apply services default/a: no a; and apply services default/a: no b; and no c");
}

TEST_CASE("a child that is being deleted does not hide the error of another") {
  const auto both = controller::all_of(Result<void>(waiting()), Result<void>(status_error("no a")));
  CHECK(both.error().kind == Error::Kind::kStatus);
  CHECK(both.error().message() == "apply services default/a: no a; and Service default/a is being deleted.");

  CHECK(controller::all_of(Result<void>(waiting()), Result<int>(1)).error().kind == Error::Kind::kChildDeleting);
}

TEST_CASE("a terminal error does not prevent the retry of another") {
  const Result<void> terminal(terminal_error(invalid_error("no x")));
  const Result<void> retried(status_error("no a"));

  const auto both = controller::all_of(terminal, retried);
  CHECK(both.error().kind == Error::Kind::kStatus);
  CHECK(both.error().message() == "apply services default/a: no a; and terminal error: no x");
  CHECK(controller::all_of(terminal, terminal).error().kind == Error::Kind::kTerminal);
}

TEST_CASE("a terminal error is reported while a child is being deleted, and the pass is repeated") {
  const auto both = controller::all_of(Result<void>(waiting()), Result<void>(terminal_error(invalid_error("no x"))));

  CHECK(both.error().kind == Error::Kind::kInvalid);
  CHECK(both.error().message() == "terminal error: no x; and Service default/a is being deleted.");
}

TEST_CASE("the longest requested delay of several errors counts") {
  auto first = status_error("no a");
  auto second = status_error("no b");
  second.retry_after = std::chrono::seconds(9);
  auto third = status_error("no c");
  third.retry_after = std::chrono::seconds(3);

  CHECK(controller::joined({first, second, third}).retry_after == std::chrono::seconds(9));
}

TEST_CASE("the text of very many errors is limited") {
  const auto all = controller::joined(std::vector<Error>(2000, status_error("no")));

  CHECK(all.message().size() < 1000);
  CHECK(all.message().ends_with("; and 1984 more errors"));
}
