// keelson_objects of a simulated manager: the conditions of Memcacheds through creates, relists, crashes and deletions.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

struct ObjectMetrics : ClusterWithUser {
  ObjectMetrics() : ClusterWithUser(1, kinds::memcached()) {}

  void apply(const std::string& name) {
    create(kube::resource_of<kinds::Memcached>(), "default",
           R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached","metadata":{"name":")" + name +
               R"(","namespace":"default"},"spec":{"size":2}})");
  }
  [[nodiscard]] bool has(const std::string& condition, const std::string& status, int value) const {
    return metrics().find("\nkeelson_objects{condition=\"" + condition +
                          "\",group=\"memcached.cache.example.com\",kind=\"Memcached\",status=\"" + status + "\"} " +
                          std::to_string(value) + "\n") != std::string::npos;
  }
  [[nodiscard]] bool has_only(const std::string& condition, const std::string& status, int value) const {
    for (const auto* other : {"True", "False", "Unknown", "Missing"}) {
      if (!has(condition, other, other == status ? value : 0)) return false;
    }
    return true;
  }
};

TEST_CASE("keelson_objects follows a Memcached from its creation until it is available, and its deletion") {
  ObjectMetrics cluster;
  cluster.start_manager();
  CHECK(cluster.has_only("Available", "Missing", 0));

  cluster.apply("web");
  CHECK(cluster.eventually([&] { return cluster.has_only("Available", "Missing", 1); }));
  CHECK(cluster.eventually([&] { return cluster.has_only("Available", "True", 1); }));
  CHECK(cluster.has_only("Ready", "True", 1));
  CHECK(cluster.has_only("Stalled", "Missing", 1));

  cluster.remove(kube::resource_of<kinds::Memcached>(), {"default", "web"});
  CHECK(cluster.eventually([&] { return cluster.has_only("Available", "True", 0); }));
  CHECK(cluster.has_only("Stalled", "Missing", 0));
}

TEST_CASE("keelson_objects is correct after a deletion during a broken watch, a relist, and a crash") {
  ObjectMetrics cluster;
  cluster.start_manager();
  cluster.apply("web");
  cluster.apply("other");
  REQUIRE(cluster.eventually([&] { return cluster.has_only("Available", "True", 2); }));

  cluster.server.drop_watches();
  cluster.remove(kube::resource_of<kinds::Memcached>(), {"default", "web"});
  CHECK(cluster.eventually([&] { return cluster.has_only("Available", "True", 1); }));

  cluster.crash_manager();
  cluster.start_manager();
  CHECK(cluster.eventually([&] { return cluster.has_only("Available", "True", 1); }));
  CHECK(cluster.has_only("Ready", "True", 1));
}

}  // namespace
}  // namespace keelson::testing
