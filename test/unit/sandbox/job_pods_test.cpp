// Jobs of a complete cluster, with their pods.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using std::chrono::seconds;

const kube::Key kTask("default", "task");

struct JobCluster : fixtures::Talk {
  explicit JobCluster(double failure = 0) : Talk(with(failure)) { pass(seconds(1)); }
  static ApiServerOptions with(double failure) {
    ApiServerOptions options;
    options.has_cluster_objects = true;
    options.job_shortest = options.job_longest = seconds(5);
    options.job_failure = failure;
    return options;
  }
  void create(const std::string& spec) {
    auto body = R"({"metadata":{"name":"task"},"spec":{)" + spec +
                R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}})";
    REQUIRE(ask(kube::create(client(), kube::jobs(), "default", body)));
  }
  void patch(const std::string& body) {
    REQUIRE(ask(kube::patch(client(), kube::jobs(), kTask, kube::PatchType::kMerge, body)));
  }
  std::string status(std::string_view field) {
    auto found = ask(kube::get(client(), kube::jobs(), kTask));
    if (!found) return "gone";
    auto document = json::Document::parse(found->json());
    return document->root().at({"status", field}).text();
  }
  std::string last_condition() {
    auto found = ask(kube::get(client(), kube::jobs(), kTask));
    auto document = json::Document::parse(found->json());
    auto conditions = document->root().at({"status", "conditions"});
    if (conditions.size() == 0) return "";
    auto last = conditions.item(conditions.size() - 1);
    return std::string(last.find("type").string().value_or("")) + "/" +
           std::string(last.find("reason").string().value_or(""));
  }
  std::size_t pods() { return server.objects(kube::pods()).size(); }
};

TEST_CASE("annotations of its pod determine how long a Job runs and whether it fails") {
  JobCluster cluster;
  REQUIRE(cluster.ask(kube::create(cluster.client(), kube::jobs(), "default",
                                   R"({"metadata":{"name":"task"},"spec":{"backoffLimit":0,"template":{
          "metadata":{"annotations":{"keelson.test/lasts":"60s","keelson.test/fails":"yes"}},
          "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}})")));

  cluster.pass(seconds(50));
  CHECK(cluster.status("active") == "1");

  cluster.pass(seconds(20));
  CHECK(cluster.status("failed") == "1");
}

TEST_CASE("a Job runs as many pods at once as its parallelism, and is Complete when enough succeeded") {
  JobCluster cluster;
  cluster.create(R"("completions":3,"parallelism":2,)");

  cluster.pass(seconds(3));
  CHECK(cluster.pods() == 2);
  CHECK(cluster.status("active") == "2");
  CHECK(cluster.status("ready") == "2");

  cluster.pass(seconds(20));
  CHECK(cluster.status("succeeded") == "3");
  CHECK(cluster.status("active") == "null");
  CHECK(cluster.last_condition() == "Complete/CompletionsReached");
  CHECK(cluster.pods() == 3);
}

TEST_CASE("a Job that another controller manages gets no pods and no status") {
  JobCluster cluster;
  cluster.create(R"("managedBy":"example.com/jobs",)");
  cluster.pass(seconds(5));
  CHECK(cluster.pods() == 0);
  CHECK(cluster.status("startTime") == "null");
}

TEST_CASE("each pod of an Indexed Job has an index") {
  JobCluster cluster;
  cluster.create(R"("completions":3,"parallelism":3,"completionMode":"Indexed",)");

  cluster.pass(seconds(10));

  CHECK(cluster.status("completedIndexes") == R"("0-2")");
  std::set<std::string> hosts;
  for (const auto& pod : cluster.server.objects(kube::pods())) {
    auto document = json::Document::parse(pod.json());
    hosts.insert(std::string(document->root().at({"spec", "hostname"}).string().value_or("")));
  }
  CHECK(hosts == std::set<std::string>{"task-0", "task-1", "task-2"});
}

TEST_CASE("a Job fails after its backoffLimit, with increasing delays, and at its deadline") {
  JobCluster cluster(1);
  cluster.create(R"("backoffLimit":1,)");
  cluster.pass(seconds(10));
  CHECK(cluster.status("failed") == "1");
  CHECK(cluster.pods() == 1);
  cluster.pass(seconds(20));
  CHECK(cluster.status("failed") == "2");
  CHECK(cluster.last_condition() == "Failed/BackoffLimitExceeded");

  JobCluster late;
  late.create(R"("activeDeadlineSeconds":3,)");
  late.pass(seconds(5));
  CHECK(late.last_condition() == "Failed/DeadlineExceeded");
  CHECK(late.pods() == 0);
}

TEST_CASE("a suspended Job has no pods until it is resumed") {
  JobCluster cluster;
  cluster.create(R"("suspend":true,)");
  cluster.pass(seconds(5));
  CHECK(cluster.pods() == 0);
  CHECK(cluster.last_condition() == "Suspended/JobSuspended");
  CHECK(cluster.status("startTime") == "null");

  cluster.patch(R"({"spec":{"suspend":false}})");
  cluster.pass(seconds(10));
  CHECK(cluster.last_condition() == "Complete/CompletionsReached");
}

TEST_CASE("a Job is deleted with its pods after its TTL") {
  JobCluster cluster;
  cluster.create(R"("ttlSecondsAfterFinished":30,)");
  cluster.pass(seconds(20));
  CHECK(cluster.status("succeeded") == "1");

  cluster.pass(seconds(25));
  CHECK(cluster.status("succeeded") == "gone");
  CHECK(cluster.pods() == 0);
}

TEST_CASE("a Service of a complete cluster has Endpoints that are deleted with it") {
  JobCluster cluster;
  const kube::Resource endpoints("", "v1", "Endpoints", "endpoints");
  auto service = R"({"metadata":{"name":"task"},"spec":{"selector":{"a":"b"},"ports":[{"port":80}]}})";
  auto pod = R"({"metadata":{"name":"p","labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}})";
  REQUIRE(cluster.ask(kube::create(cluster.client(), kube::services(), "default", service)));
  REQUIRE(cluster.ask(kube::create(cluster.client(), kube::pods(), "default", pod)));
  cluster.pass(seconds(3));

  auto found = cluster.ask(kube::get(cluster.client(), endpoints, kTask));
  REQUIRE(found);
  CHECK(found->json().find(R"("targetRef":{"kind":"Pod","namespace":"default","name":"p")") != std::string_view::npos);
  CHECK(found->json().find(R"("ports":[{"port":80,"protocol":"TCP"}])") != std::string_view::npos);

  REQUIRE(cluster.ask(kube::remove(cluster.client(), kube::services(), kTask, {})));
  cluster.pass(seconds(1));
  CHECK_FALSE(cluster.ask(kube::get(cluster.client(), endpoints, kTask)));
}

TEST_CASE("a pod whose status has only a phase counts as failed") {
  JobCluster cluster;
  cluster.create(R"("backoffLimit":3,)");
  cluster.pass(seconds(2));
  auto pod = cluster.server.objects(kube::pods())[0];
  kube::ApiRequest request;
  request.verb = kube::Verb::kPatch;
  request.resource = kube::pods();
  request.key = pod.key();
  request.subresource = "status";
  request.body = R"({"status":{"phase":"Failed","containerStatuses":null}})";
  REQUIRE(cluster.ask(cluster.client().send(request)));

  cluster.pass(seconds(1));

  CHECK(cluster.status("failed") == "1");
}

}  // namespace
}  // namespace keelson::sandbox
