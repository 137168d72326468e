#include "src/controller/failure_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/net/url_client.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::controller {
namespace {

using namespace std::chrono_literals;
using testing::status_error;

const kube::Key kWeb("default", "web");

TEST_CASE("an error of another server can be reported, that of an API server without an answer cannot") {
  CHECK_FALSE(is_reportable(transport_error("connection refused")));
  CHECK_FALSE(is_reportable(timeout_error("no answer within 30s")));
  CHECK(is_reportable(net::check_status({503, {}, ""}).error()));
}

TEST_CASE("the third failure in a row is reported, if the first one is old enough") {
  const async::TimePoint start{};
  FailurePolicy failures;

  CHECK_FALSE(failures.is_persistent(kWeb, start));
  failures.failed(kWeb, start);
  CHECK_FALSE(failures.is_persistent(kWeb, start + 29s));  // the second one
  failures.failed(kWeb, start + 5s);
  CHECK_FALSE(failures.is_persistent(kWeb, start + 9s));
  CHECK(failures.is_persistent(kWeb, start + 10s));
  CHECK_FALSE(failures.is_persistent({"default", "other"}, start + 10s));

  failures.succeeded(kWeb);
  CHECK_FALSE(failures.is_persistent(kWeb, start + 10s));
  failures.failed(kWeb, start + 11s);
  failures.failed(kWeb, start + 12s);
  CHECK_FALSE(failures.is_persistent(kWeb, start + 13s));
}

TEST_CASE("of failures that take 34 s, as those of a write that the API server cannot finish, the second is reported") {
  const async::TimePoint start{};
  FailurePolicy failures;

  CHECK_FALSE(failures.is_persistent(kWeb, start + 34s));
  failures.failed(kWeb, start + 34s);

  CHECK(failures.is_persistent(kWeb, start + 34s + 34s));
}

TEST_CASE("errors with any code of the API server are reportable, and those without its answer are not") {
  for (const int code : {400, 403, 404, 408, 409, 410, 422, 429, 500, 503, 504}) {
    CHECK(is_reportable(status_error(code, "Reason")));
  }
  CHECK(is_reportable(invalid_error("a mistake")));
  CHECK(is_reportable(malformed_error("not JSON")));
  CHECK_FALSE(is_reportable(status_error(401, "Unauthorized")));
  CHECK_FALSE(is_reportable(transport_error("connection refused")));
  CHECK_FALSE(is_reportable(timeout_error("no answer")));
  CHECK_FALSE(is_reportable(Error(Error::Kind::kFenced, "not the leader")));
  auto terminating = status_error(403, "Forbidden");
  terminating.server_text = "unable to create new content in namespace web because it is being terminated";
  terminating.status_body = R"({"details":{"causes":[{"reason":"NamespaceTerminating"}]}})";
  CHECK_FALSE(is_reportable(terminating));
}

}  // namespace
}  // namespace keelson::controller
