#include "keelson/detail/base/error.hpp"

#include <catch2/catch_test_macros.hpp>

using keelson::Error;

TEST_CASE("a message has our text and then the server's") {
  Error error(Error::Kind::kStatus, "get pods default/a: Forbidden");
  CHECK(error.message() == "get pods default/a: Forbidden");

  error.server_text = "pods is forbidden";

  CHECK(error.message() == "get pods default/a: Forbidden: pods is forbidden");
}

TEST_CASE("a message without our text is the server's text") {
  Error error(Error::Kind::kStatus, "");
  error.server_text = "pods is forbidden";

  CHECK(error.message() == "pods is forbidden");
}

TEST_CASE("context is prepended, and the server's text stays") {
  Error error(Error::Kind::kStatus, "410 Expired");
  error.server_text = "too old";
  error.code = 410;

  auto outer = std::move(error).with_context("watch pods");

  CHECK(outer.message() == "watch pods: 410 Expired: too old");
  CHECK(outer.code == 410);
}

TEST_CASE("context is the whole text of an error without a text") {
  CHECK(keelson::timeout_error("").with_context("dial").text == "dial");
}

TEST_CASE("a terminal error has the prefix of controller-runtime before its cause") {
  auto error = keelson::terminal_error(keelson::invalid_error("spec.size is negative"));

  CHECK(error.kind == Error::Kind::kTerminal);
  CHECK(error.message() == "terminal error: spec.size is negative");
}

TEST_CASE("each factory function returns its kind") {
  CHECK(keelson::invalid_error("x").kind == Error::Kind::kInvalid);
  CHECK(keelson::transport_error("x").kind == Error::Kind::kTransport);
  CHECK(keelson::timeout_error("x").kind == Error::Kind::kTimeout);
  CHECK(keelson::malformed_error("x").kind == Error::Kind::kMalformed);
}
