#include "keelson/controller/all_of.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/controller/basic_pass.hpp"
#include "src/controller/child.hpp"

namespace {

using namespace keelson;

Error status_error(const std::string& text) {
  Error error(Error::Kind::kStatus, "apply services default/a");
  error.code = 403;
  error.server_text = text;
  return error;
}

Error waiting() {
  auto error = invalid_error("Service default/a is being deleted.");
  error.reason = controller::kChildDeleting;
  return error;
}

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
  CHECK_FALSE(controller::is_waiting(both.error()));
  CHECK(both.error().message() == "apply services default/a: no a; and Service default/a is being deleted.");

  CHECK(controller::is_waiting(controller::all_of(Result<void>(waiting()), Result<int>(1)).error()));
}
