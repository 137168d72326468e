// Jobs in the server in this process: they start and end in virtual time.
#include <catch2/catch_test_macros.hpp>

#include "keelson/json/value.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;
using kube::Key;
using std::chrono::milliseconds;
using std::chrono::seconds;

ApiServerOptions lasting(int shortest, int longest, double failure = 0) {
  ApiServerOptions options;
  options.job_shortest = seconds(shortest);
  options.job_longest = seconds(longest);
  options.job_failure = failure;
  return options;
}

struct TimedJobs : Talk {
  explicit TimedJobs(const ApiServerOptions& options) : Talk(options, 1) {}
  void create(const std::string& name, const std::string& more = "") {
    auto body = R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more +
                R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]}}}})";
    REQUIRE(ask(kube::create(client(), kube::jobs(), "default", body)));
  }
  [[nodiscard]] std::string status(const std::string& name, std::string_view field) {
    auto found = ask(kube::get(client(), kube::jobs(), Key("default", name)));
    if (!found) return "gone";
    auto document = json::Document::parse(found->json());
    return document->root().at({"status", field}).text();
  }
  [[nodiscard]] std::string last_condition(const std::string& name) {
    auto found = ask(kube::get(client(), kube::jobs(), Key("default", name)));
    auto document = json::Document::parse(found->json());
    auto conditions = document->root().at({"status", "conditions"});
    return std::string(conditions.item(conditions.size() - 1).find("type").string().value_or(""));
  }
};

TEST_CASE("a Job starts immediately and is Complete after its duration") {
  TimedJobs cluster(lasting(10, 10));

  cluster.create("web");
  cluster.pass(seconds(5));
  CHECK(cluster.status("web", "startTime") == R"("2026-01-01T00:00:00Z")");
  CHECK(cluster.status("web", "active") == "1");
  CHECK(cluster.status("web", "conditions") == "null");

  cluster.pass(seconds(6));
  CHECK(cluster.last_condition("web") == "Complete");
  CHECK(cluster.status("web", "completionTime") == R"("2026-01-01T00:00:10Z")");
  CHECK(cluster.status("web", "succeeded") == "1");
  CHECK(cluster.status("web", "active") == "null");
}

TEST_CASE("a share of the Jobs fails and has no completion time") {
  TimedJobs cluster(lasting(1, 1, 1));

  cluster.create("web");
  cluster.pass(seconds(5));

  CHECK(cluster.last_condition("web") == "Failed");
  CHECK(cluster.status("web", "completionTime") == "null");
}

TEST_CASE("the duration of a Job is random between the limits") {
  TimedJobs cluster(lasting(1, 100));
  for (int i = 0; i < 20; ++i) cluster.create("web-" + std::to_string(i));
  auto done = [&cluster] {
    int count = 0;
    for (int i = 0; i < 20; ++i) count += cluster.status("web-" + std::to_string(i), "succeeded") == "1" ? 1 : 0;
    return count;
  };

  cluster.pass(seconds(50));
  CHECK(done() > 0);
  CHECK(done() < 20);
  cluster.pass(seconds(55));
  CHECK(done() == 20);
}

TEST_CASE("a Job is deleted after its TTL, and a suspended one does not start") {
  TimedJobs cluster(lasting(1, 1));
  cluster.create("short", R"("ttlSecondsAfterFinished":30,)");
  cluster.create("kept");
  cluster.create("off", R"("suspend":true,)");

  cluster.pass(seconds(20));
  CHECK(cluster.status("short", "succeeded") == "1");
  cluster.pass(seconds(20));
  CHECK(cluster.status("short", "succeeded") == "gone");
  CHECK(cluster.status("kept", "succeeded") == "1");
  CHECK(cluster.status("off", "startTime") == "null");
}

}  // namespace
}  // namespace keelson::sandbox
