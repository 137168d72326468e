// The incidents of docs/troubleshooting.md that an object shows: its conditions, an Event and `explain` name the cause,
// and none of them claims that nothing is wrong.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keelson/sandbox/simulated_cluster.hpp"
#include "keelson/schema/time.hpp"
#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/webhook_error.hpp"
#include "test/support/conditions.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using sandbox::RequestInfo;

const auto kCaches = kube::resource_of<kinds::Memcached>();
const auto kColored = kube::resource_of<kinds::BlueGreen>();
const auto kSchedules = kube::resource_of<kinds::CronJob>();
const kube::Key kShop("default", "shop");

// With the text of the API server.
Error answer(int code, std::string reason, std::string text) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  error.reason = std::move(reason);
  error.server_text = std::move(text);
  return error;
}

std::string one_container(const std::string& image) {
  return R"({"containers":[{"name":"a","image":")" + image + R"("}]})";
}

std::vector<controller::Definition> three_kinds() {
  std::vector<controller::Definition> all;
  all.push_back(kinds::memcached());
  all.push_back(kinds::bluegreen());
  all.push_back(kinds::cronjob());
  return all;
}

struct Incident : sandbox::SimulatedCluster {
  // `observed` is the kind of default/shop.
  explicit Incident(kube::Resource observed, sandbox::ApiServerOptions options = {})
      : SimulatedCluster(three_kinds(), {.server = std::move(options), .tolerates_problems = true}),
        resource(std::move(observed)) {
    REQUIRE(start_manager());
  }

  void open_cache() {
    REQUIRE(
        create(kCaches, "default",
               "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: shop}\nspec: {size: 1}"));
  }
  void open_colors(const std::string& color, const std::string& policy = "Immediate") {
    REQUIRE(create(kColored, "default",
                   R"({"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen","metadata":{"name":"shop"},"spec":)"
                   R"({"routeTo":")" +
                       color + R"(","switchPolicy":")" + policy + R"(","blueSpec":)" + one_container("app:1") +
                       R"(,"greenSpec":)" + one_container("broken") + "}}"));
  }
  void open_schedule() {
    REQUIRE(create(kSchedules, "default",
                   "apiVersion: batch.tutorial.kubebuilder.io/v1\nkind: CronJob\nmetadata: {name: shop}\nspec:\n"
                   "  schedule: \"* * * * *\"\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, "
                   "containers: [{name: a, image: busybox}]}}}}"));
  }
  // All writes of the manager to this kind fail.
  void fail_writes(const kube::Resource& child, const Error& error) {
    const auto fits = [child](const RequestInfo& r) {
      return r.user == "manager" && r.is_write() && r.resource == child;
    };
    for (int i = 0; i < 200; ++i) server.fail_next(fits, error);
  }
  void write_status(const kube::Resource& child, const kube::Key& key, const std::string& status) {
    REQUIRE(result_of(loop, kube::patch(server.client("kubelet"), child, key, kube::PatchType::kMerge,
                                        R"({"status":)" + status + "}", "status")));
  }
  // The status of the only pod, as its node writes it.
  void write_pod(const std::string& conditions, const std::string& state) {
    const auto pods = server.objects(kube::pods());
    REQUIRE(pods.size() == 1);
    write_status(kube::pods(), pods.front().key(),
                 R"({"phase":"Running","conditions":[)" + conditions +
                     R"(],"containerStatuses":[{"name":"memcached","image":"i","imageID":"","ready":false,)"
                     R"("restartCount":3,"state":)" +
                     state + R"(,"lastState":{"terminated":{"exitCode":1,"reason":"Error"}}}]})");
  }

  // "True Open"; "-": absent
  [[nodiscard]] std::string condition(std::string_view type) const {
    const auto object = get(resource, kShop);
    return condition_text(object.root(), type);
  }
  [[nodiscard]] std::string explained() const { return explain_object(resource, kShop); }
  [[nodiscard]] bool says(std::string_view text) const { return explained().find(text) != std::string::npos; }
  [[nodiscard]] bool has_warning(std::string_view reason) const {
    const auto events = server.objects(kube::events());
    return std::ranges::any_of(events, [&](const kube::Object& event) {
      const auto document = json::Document::parse(event.json()).value();
      return document.root().find("reason").string() == reason && document.root().find("type").string() == "Warning";
    });
  }
  // `explain` prints the conditions, too.
  void check_honest() const {
    for (const char* claim : {"Nothing to do", "Nothing is wrong", "no problem", "No pod has a problem"}) {
      INFO(explained());
      CHECK_FALSE(says(claim));
    }
  }
  // The object is not ready for this reason, which an Event and `explain` have, with the text, and with what to do.
  void expect(const std::string& reason, std::string_view text, std::string_view remedy = "To do: ") {
    const auto is_named = [&] { return condition("Ready") == "False " + reason; };
    pass(2s);  // a status that only progresses is written within a second
    for (async::Duration passed{}; passed < 30min && !is_named(); passed += 1s) {
      pass(1s);
      if (!get(resource, kShop).root().at({"status", "conditions"}).is_absent()) check_honest();
    }
    pass(2s);
    INFO(explained());
    CHECK(condition("Ready") == "False " + reason);
    CHECK(has_warning(reason));
    CHECK(says(text));
    CHECK(says(remedy));
    check_honest();
  }

  kube::Resource resource;
};

std::string pod_condition(const char* type, const char* status, const std::string& more = "") {
  return std::string(R"({"type":")") + type + R"(","status":")" + status +
         R"(","lastTransitionTime":"2026-01-01T00:00:00Z")" + more + "}";
}

const std::string kPodNotReady = pod_condition("Ready", "False", R"(,"reason":"ContainersNotReady")");

// A Memcached whose only pod works.
struct Running : Incident {
  Running() : Incident(kCaches) {
    open_cache();
    REQUIRE(eventually([this] { return condition("Ready") == "True AllNodesReady"; }));
    pass(5s);
  }
};

TEST_CASE("incident: an RBAC verb is removed") {
  Incident incident(kCaches);
  const auto forbidden = incident.server.forbid(
      [](const RequestInfo& r) { return r.user == "manager" && r.is_write() && r.resource == kube::deployments(); });
  incident.open_cache();
  incident.expect("CreateFailed", "is forbidden: User \"manager\" cannot ", "To do: `make deploy` applies the roles");
}

// Fields that this version of the CRD lacks cannot be applied.
TEST_CASE("incident: the CRD is older than the manager") {
  Running incident;
  auto older = controller::kind_of<kinds::Memcached>();
  older.status_schema = R"({"type":"object","properties":{"nodes":{"type":"array","items":{"type":"string"}}}})";
  incident.server.serve(older);
  REQUIRE(incident.patch(kCaches, kShop, R"({"spec":{"size":2}})"));
  incident.pass(1min);
  INFO(incident.explained());
  CHECK(incident.has_warning("StatusUpdateFailed"));
  CHECK(incident.says("\nThe last reconcile failed: "));
  CHECK(incident.says("field not declared in schema"));
  CHECK(incident.says("Cause: the CRD is of another version of the operator"));
  CHECK_FALSE(incident.says("Nothing to do"));
}

TEST_CASE("incident: a quota rejects Deployments") {
  Incident incident(kCaches);
  incident.fail_writes(kube::deployments(),
                       answer(403, "Forbidden",
                              "deployments.apps \"shop\" is forbidden: exceeded quota: few, requested: "
                              "count/deployments.apps=1, used: count/deployments.apps=2, limited: "
                              "count/deployments.apps=2"));
  incident.open_cache();
  incident.expect("CreateFailed", "exceeded quota: few", "Cause: a ResourceQuota. To do: raise it, or request less.");
}

TEST_CASE("incident: a quota rejects pods") {
  Incident incident(kCaches, {.has_controllers = false});
  incident.open_cache();
  incident.pass(1s);
  incident.write_status(kube::deployments(), kShop,
                        R"({"observedGeneration":1,"conditions":[{"type":"ReplicaFailure","status":"True","reason":)"
                        R"("FailedCreate","message":"pods \"shop-x\" is forbidden: exceeded quota: few"}]})");
  incident.expect("QuotaExceeded", "exceeded quota: few",
                  "Cause: a ResourceQuota rejects the pods. To do: raise it, or request less.");
}

TEST_CASE("incident: a Deployment of another owner has the name") {
  Incident incident(kCaches);
  REQUIRE(
      incident.create(kube::deployments(), "default",
                      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop"},"spec":{"selector":)"
                      R"({"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":)" +
                          one_container("i") + "}}}"));
  incident.open_cache();
  incident.expect("NotOwned", "Deployment default/shop exists and is not controlled by this Memcached.",
                  "To do: delete or rename it, or give the object another name.");
}

TEST_CASE("incident: a policy denies the children") {
  Incident incident(kCaches);
  incident.fail_writes(kube::deployments(),
                       answer(422, "Invalid",
                              "deployments.apps \"shop\" is forbidden: ValidatingAdmissionPolicy 'labels' with binding "
                              "'all' denied request: the label team is missing"));
  incident.open_cache();
  incident.expect("CreateFailed", "denied request: the label team is missing",
                  "Cause: a ValidatingAdmissionPolicy rejects");
}

TEST_CASE("incident: an admission webhook of another program answers 500, refuses connections or times out") {
  const std::string post =
      R"(failed calling webhook "policy.example.com": failed to call webhook: Post "https://p/": )";
  for (const std::string end : {"an error on the server (\"\") has prevented the request from succeeding",
                                "dial tcp 10.0.0.7:443: connect: connection refused", "context deadline exceeded"}) {
    INFO(end);
    Incident incident(kCaches);
    incident.fail_writes(kube::deployments(), answer(500, "InternalError", "Internal error occurred: " + post + end));
    incident.open_cache();
    incident.expect("CreateFailed", end, "Cause: an admission webhook of another program fails or does not answer");
  }
}

TEST_CASE("incident: the API server answers 429") {
  Incident incident(kCaches);
  incident.fail_writes(kube::deployments(), answer(429, "TooManyRequests",
                                                   "the server has received too many requests and has asked us to "
                                                   "try again later"));
  incident.open_cache();
  incident.expect("CreateFailed", "too many requests",
                  "Cause: API Priority and Fairness of the API server limits the manager");
}

TEST_CASE("incident: a child is too large for the API server") {
  Incident incident(kCaches);
  incident.fail_writes(kube::deployments(),
                       answer(413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"));
  incident.open_cache();
  incident.expect("CreateFailed", "Request entity too large: limit is 3145728", "To do: ");
}

// Neither a status nor an Event can be written then.
void check_without_writes(const Error& error, const char* remedy) {
  Running incident;
  for (int i = 0; i < 2000; ++i) {
    incident.server.fail_next([](const RequestInfo& r) { return r.user == "manager" && r.is_write(); }, error);
  }
  incident.write_pod(kPodNotReady, R"({"waiting":{"reason":"CrashLoopBackOff"}})");
  incident.pass(5min);
  INFO(incident.explained());
  CHECK(incident.condition("Ready") == "True AllNodesReady");
  CHECK(incident.says("\nThe last reconcile failed: "));
  CHECK(incident.says(error.server_text));
  CHECK(incident.says(remedy));
  CHECK_FALSE(incident.says("Nothing to do"));
}

TEST_CASE("incident: etcd is full") {
  check_without_writes(answer(500, "", "etcdserver: mvcc: database space exceeded"),
                       "To do: compact and defragment etcd");
}

TEST_CASE("incident: etcd hangs") {
  check_without_writes(answer(504, "Timeout",
                              "Timeout: request did not complete within requested timeout - context "
                              "deadline exceeded"),
                       "To do: check etcd and its disk");
}

TEST_CASE("incident: the API server does not accept the token") {
  check_without_writes(answer(401, "Unauthorized", "Unauthorized"), "The table of errors in docs/troubleshooting.md.");
}

TEST_CASE("incident: a pod crashes again and again") {
  Running incident;
  incident.write_pod(kPodNotReady, R"({"waiting":{"reason":"CrashLoopBackOff"}})");
  incident.expect("CrashLoopBackOff", "container memcached crashes, exit code 1 (Error), 3 restarts.",
                  "To do: `kubectl logs shop-");
}

TEST_CASE("incident: the image of a pod cannot be pulled") {
  Running incident;
  incident.write_pod(kPodNotReady, R"({"waiting":{"reason":"ErrImagePull","message":"manifest unknown"}})");
  incident.expect("ImagePullBackOff", "container memcached waits with ImagePullBackOff since ",
                  "Cause: the image does not exist, its registry is unreachable, or it needs `imagePullSecrets`.");
}

TEST_CASE("incident: the node of a pod is lost") {
  Running incident;
  incident.write_pod(pod_condition("Ready", "False") + "," + pod_condition("ContainersReady", "True"),
                     R"({"running":{"startedAt":"2026-01-01T00:00:00Z"}})");
  incident.expect("NodeLost", "because its node does not report", "To do: `kubectl describe node node-");
}

TEST_CASE("incident: Green never becomes ready while traffic waits for it") {
  Incident incident(kColored);
  incident.server.image_works([](const std::string& image) { return image != "broken"; });
  incident.open_colors("Blue", "WhenReady");
  incident.pass(10s);
  REQUIRE(incident.patch(kColored, kShop, R"({"spec":{"routeTo":"Green"}})"));
  incident.pass(10s);
  incident.check_honest();
  CHECK(incident.condition("Ready") == "False WaitingForRollout");
  CHECK(incident.says("The Service selects Blue until Green can serve (Green: "));

  incident.pass(10min + 10s);
  incident.check_honest();
  CHECK(incident.condition("Degraded").starts_with("True P"));  // PodNotReady or ProgressDeadlineExceeded
  CHECK(incident.says("Green: Pod shopgreen-deployment-"));
  CHECK(incident.says("To do: "));
}

TEST_CASE("incident: Green never becomes ready although it has no traffic") {
  Incident incident(kColored);
  incident.server.image_works([](const std::string& image) { return image != "broken"; });
  incident.open_colors("Blue");
  incident.pass(10s);
  CHECK(incident.condition("Ready") == "True Serving");
  CHECK(
      incident.says("\nReconciled, and not complete yet: RollingOut: Blue: 1 of 1 replicas are ready; Green: 0 of 1 "));
  incident.check_honest();

  incident.pass(10min + 10s);
  CHECK(incident.condition("Ready") == "True Serving");
  CHECK(incident.condition("Degraded").starts_with("True P"));
  CHECK(incident.says("\nDegraded: P"));
  CHECK(incident.says("Green: Pod shopgreen-deployment-"));
  CHECK(incident.says("It has no traffic."));
  incident.check_honest();
  incident.pass(1h);
  incident.check_honest();
}

TEST_CASE("incident: routeTo has no spec") {
  Incident incident(kColored);
  incident.open_colors("Blue");
  incident.pass(10s);
  // As stored by a CRD without rules.
  auto older = controller::kind_of<kinds::BlueGreen>();
  older.spec_schema.clear();
  incident.server.serve(older);
  REQUIRE(incident.patch(kColored, kShop, R"({"spec":{"routeTo":"Green","greenSpec":null}})"));
  incident.expect("SpecMissing", "routeTo is Green, whose spec is missing", "To do: add it, or change `routeTo`.");
}

TEST_CASE("incident: the object is paused with a mistyped value") {
  Running incident;
  REQUIRE(incident.patch(kCaches, kShop, R"({"metadata":{"annotations":{"keelson.dev/paused":"flase"}}})"));
  incident.pass(2s);
  CHECK(incident.condition("Paused").starts_with("True "));
  CHECK(incident.says("\nPaused: "));
  CHECK(incident.says("flase"));
  INFO(incident.explained());
  REQUIRE(incident.remove(kube::deployments(), kShop));
  incident.pass(1min);
  CHECK(incident.says("\nPaused: "));
  CHECK_FALSE(incident.says("Nothing to do"));
}

TEST_CASE("incident: a week of runs is missed") {
  Incident incident(kSchedules);
  incident.open_schedule();
  incident.pass(90s);
  incident.crash_manager();
  incident.pass(10'080min);
  const auto jobs = incident.server.objects(kube::jobs()).size();
  REQUIRE(incident.start_manager());
  incident.pass(5s);
  CHECK(incident.server.objects(kube::jobs()).size() == jobs + 1);
  CHECK(incident.has_warning("TooManyMissedTimes"));
  INFO(incident.explained());
  CHECK(incident.condition("Ready") == "True Scheduled");
}

TEST_CASE("incident: the template of a CronJob's Jobs is rejected") {
  Incident incident(kSchedules);
  incident.fail_writes(kube::jobs(), answer(422, "Invalid",
                                            "Job.batch \"shop-1\" is invalid: spec.template.spec.restartPolicy: "
                                            "Required value: valid values: \"OnFailure\", \"Never\""));
  incident.open_schedule();
  incident.pass(2min);
  INFO(incident.explained());
  CHECK(incident.condition("Ready") == "False JobCreationFailed");
  CHECK(incident.condition("Degraded") == "True JobCreationFailed");
  CHECK(incident.has_warning("FailedCreate"));
  CHECK(incident.says("spec.template.spec.restartPolicy: Required value"));
  CHECK(incident.says("To do: correct the field that the message names."));
  incident.check_honest();
}

TEST_CASE("incident: the Jobs of a CronJob fail") {
  Incident incident(kSchedules, {.job_failure = 1});
  incident.open_schedule();
  incident.pass(2min);
  INFO(incident.explained());
  CHECK(incident.condition("Ready") == "False JobsFailed");
  CHECK(incident.has_warning("JobsFailed"));
  CHECK(incident.says("\nDegraded: JobsFailed: Job shop-"));
  CHECK(incident.says("To do: `kubectl logs job/shop-"));
  incident.check_honest();
}

TEST_CASE("incident: the namespace is not one of --watch-namespaces") {
  Incident incident(kCaches);
  incident.pass(1s);
  const auto explained = incident.explain_object(kCaches, {"elsewhere", "shop"});
  INFO(explained);
  CHECK(explained.find("\nNot reconciled: the manager does not observe an object of that name.") != std::string::npos);
  CHECK(explained.find("--watch-namespaces does not include its namespace") != std::string::npos);
  CHECK(explained.find("Nothing to do") == std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
