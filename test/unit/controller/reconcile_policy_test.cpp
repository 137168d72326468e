// The effects of a failed reconcile that depend on the error.
#include "src/controller/reconcile_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/controller/rejection.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using controller::Verdict;

// The API server's rejection of a create in a namespace that is being deleted.
Error rejected_in(const std::string& ns) {
  auto error = status_error(403, "Forbidden");
  error.server_text = "deployments.apps \"web\" is forbidden: unable to create new content in namespace " + ns +
                      " because it is being terminated";
  error.status_body = R"({"kind":"Status","status":"Failure","message":"deployments.apps \"web\" is forbidden: )"
                      R"(unable to create new content in namespace )" +
                      ns + R"( because it is being terminated","reason":"Forbidden","details":{"name":"web",)" +
                      R"("group":"apps","kind":"deployments","causes":[{"reason":"NamespaceTerminating",)" +
                      R"("message":"namespace )" + ns +
                      R"( is being terminated","field":"metadata.namespace"}]},"code":403})";
  return error;
}

}  // namespace

TEST_CASE("a key whose own namespace is being deleted is forgotten") {
  auto verdict = controller::judge(rejected_in("default"), kube::Key("default", "web"));

  CHECK(verdict.queue == Verdict::Queue::kForget);
  CHECK(verdict.log == Verdict::Log::kQuiet);
  CHECK(verdict.count == Verdict::Count::kError);
}

TEST_CASE("a key is forgotten by the cause NamespaceTerminating, whatever the message") {
  auto error = rejected_in("default");
  error.server_text = "forbidden";

  CHECK(controller::judge(error, kube::Key("default", "web")).queue == Verdict::Queue::kForget);
}

TEST_CASE("a rejection about another namespace is retried and logged at debug level") {
  for (const auto& key : {kube::Key("fault", "web"), kube::Key("default-2", "web"), kube::Key("", "web")}) {
    auto verdict = controller::judge(rejected_in("default"), key);

    INFO(key.text());
    CHECK(verdict.queue == Verdict::Queue::kAddWithDelay);
    CHECK(verdict.log == Verdict::Log::kQuiet);
    CHECK(verdict.count == Verdict::Count::kError);
  }
}

TEST_CASE("a fenced write is retried and not counted as an error") {
  auto verdict = controller::judge(Error(Error::Kind::kFenced, "not sent"), kube::Key("default", "web"));

  CHECK(verdict.queue == Verdict::Queue::kAddWithDelay);
  CHECK(verdict.log == Verdict::Log::kQuiet);
  CHECK(verdict.count == Verdict::Count::kNone);
}

TEST_CASE("a rejection that names no namespace is retried") {
  auto error = status_error(403, "Forbidden");
  error.status_body = R"({"details":{"causes":[{"reason":"NamespaceTerminating"}]}})";

  CHECK(controller::judge(error, kube::Key("default", "web")).queue == Verdict::Queue::kAddWithDelay);
}

TEST_CASE("a key is requeued after the server's Retry-After, at most a minute") {
  struct Row {
    int asked;
    async::Duration delay;
  };
  for (const auto& row : {Row{0, std::chrono::seconds(0)}, Row{10, std::chrono::seconds(10)},
                          Row{60, std::chrono::seconds(60)}, Row{3600, std::chrono::seconds(60)}}) {
    INFO(row.asked);
    auto error = status_error(429, "TooManyRequests");
    error.retry_after = std::chrono::seconds(row.asked);

    auto verdict = controller::judge(error, kube::Key("default", "web"));

    CHECK(verdict.queue == Verdict::Queue::kAddWithDelay);
    CHECK(verdict.delay == row.delay);
  }
}

TEST_CASE("a requeue after writes of a dry run waits for the rate limiter, and is dropped after mere repetitions") {
  using Queue = Verdict::Queue;
  using controller::DryRunTally;
  const DryRunTally before{.differences = 4, .repeated = 2};
  const auto requeued = controller::judge(controller::Outcome::requeue_after(std::chrono::seconds(3)), kube::Key());
  const auto done = controller::judge(controller::Outcome::done(), kube::Key());
  const auto failed = controller::judge(status_error(422, "Invalid"), kube::Key());
  struct Row {
    Verdict verdict;
    DryRunTally after;
    Queue queue;
    Verdict::Count count;
  };
  const Row rows[] = {
      {requeued, before, Queue::kAddAfter, Verdict::Count::kRequeueAfter},
      {requeued, {.differences = 6, .repeated = 3}, Queue::kAddWithDelay, Verdict::Count::kRequeueAfter},
      {requeued, {.differences = 6, .repeated = 4}, Queue::kForget, Verdict::Count::kSuccess},
      {done, {.differences = 6, .repeated = 3}, Queue::kForget, Verdict::Count::kSuccess},
      {failed, {.differences = 6, .repeated = 4}, Queue::kAddWithDelay, Verdict::Count::kError},
  };

  for (const auto& row : rows) {
    const auto verdict = controller::in_dry_run(row.verdict, before, row.after);
    INFO(&row - rows);
    CHECK(verdict.queue == row.queue);
    CHECK(verdict.count == row.count);
    CHECK(verdict.delay == row.verdict.delay);
  }
}

TEST_CASE("a reconcile that fails after an answer of many seconds is retried after three times as long") {
  using namespace std::chrono_literals;
  const kube::Key key("default", "web");
  const auto delay_of = [&](const Result<controller::Outcome>& ended, async::Duration lasted) {
    return controller::after_slow_failure(controller::judge(ended, key), ended, lasted).delay;
  };
  auto patient = status_error(500, "InternalError");
  patient.retry_after = 2s;

  CHECK(delay_of(status_error(504, "Timeout"), 34s) == 102s);
  CHECK(delay_of(status_error(500, "InternalError"), 4s) == 0s);
  CHECK(delay_of(status_error(500, "InternalError"), 10min) == 5min);
  CHECK(delay_of(patient, 34s) == 2s);
  CHECK(delay_of(status_error(409, "Conflict"), 20s) == 0s);
  CHECK(delay_of(status_error(409, "AlreadyExists"), 20s) == 0s);
  CHECK(delay_of(status_error(429, "TooManyRequests"), 20s) == 0s);
  CHECK(delay_of(status_error(503, "ServiceUnavailable"), 20s) == 0s);
  CHECK(delay_of(timeout_error("no answer"), 60s) == 0s);
  CHECK(delay_of(controller::Outcome::requeue_after(1s), 34s) == 1s);
}

TEST_CASE("a conflict of field managers is an error and a rejection, unlike a conflict of versions") {
  auto conflict = status_error(409, "Conflict");
  CHECK(controller::judge(conflict, kube::Key("default", "web")).log == Verdict::Log::kQuiet);
  CHECK_FALSE(controller::is_rejection(conflict));

  conflict.status_body = R"({"kind":"Status","details":{"causes":[{"reason":"FieldManagerConflict"}]},"code":409})";
  CHECK(controller::judge(conflict, kube::Key("default", "web")).log == Verdict::Log::kError);
  CHECK(controller::is_rejection(conflict));
}
