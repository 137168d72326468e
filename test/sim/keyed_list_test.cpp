// Children whose lists with keys another writer has changed so that a plain apply is rejected.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const kube::Key kWeb("default", "web");
constexpr const char* kMemcached = R"({"apiVersion":"memcached.cache.example.com/v1","kind":"Memcached",
    "metadata":{"name":"web","namespace":"default"},"spec":{"size":1}})";

struct MemcachedService : ClusterWithUser {
  MemcachedService() : ClusterWithUser(1, kinds::memcached()) {
    start_manager();
    create(kube::resource_of<kinds::Memcached>(), "default", kMemcached);
    REQUIRE(eventually([&] { return ports() == "11211 "; }));
  }
  std::string ports() {
    std::string text;
    const auto service = get(kube::services(), kWeb);
    for (const auto port : service.root().at({"spec", "ports"}).items()) text += port.find("port").text() + " ";
    return text;
  }
  void set_ports(const std::string& ports) { patch(kube::services(), kWeb, R"({"spec":{"ports":)" + ports + "}}"); }
  // The operations of our entries in managedFields.
  std::string own_entries() {
    std::string text;
    for (const auto& service : server.objects(kube::services())) {
      const auto document = json::Document::parse(service.json());
      for (const auto entry : document->root().at({"metadata", "managedFields"}).items()) {
        if (entry.find("manager").string() == "keelson") text += std::string(*entry.find("operation").string()) + " ";
      }
    }
    return text;
  }
};

}  // namespace

TEST_CASE("a port of a Service that a user changes is changed back, although both have one name") {
  MemcachedService cluster;

  cluster.set_ports(R"([{"name":"memcached","port":11212,"protocol":"TCP","targetPort":11211}])");

  REQUIRE(cluster.eventually([&] { return cluster.ports() == "11211 "; }));
  CHECK(cluster.own_entries() == "Apply ");
  const auto rejected = cluster.writes(kube::services(), "", 422);
  CHECK(rejected == 1);
  cluster.pass(5min);
  CHECK(cluster.writes(kube::services(), "", 422) == rejected);
}

TEST_CASE("a port of another owner that does not prevent the apply is left alone") {
  MemcachedService cluster;

  cluster.set_ports(R"([{"name":"memcached","port":11211,"protocol":"TCP","targetPort":1},
                        {"name":"metrics","port":9150,"protocol":"TCP","targetPort":9150}])");

  REQUIRE(cluster.eventually([&] {
    return cluster.get(kube::services(), kWeb).root().at({"spec", "ports"}).item(0).find("targetPort").integer() ==
           11211;
  }));
  CHECK(cluster.ports() == "11211 9150 ");
}

TEST_CASE("a lost reply or a crash during the correction of a port loses nothing") {
  for (int lost = 1; lost <= 3; ++lost) {
    INFO("the reply to write number " << lost);
    MemcachedService cluster;
    int writes = 0;
    cluster.server.before_write([&](const sandbox::RequestInfo& request) {
      const bool is_lost = request.user == "manager" && request.resource == kube::services() && ++writes == lost;
      return is_lost ? sandbox::WriteFate::kReplyLost : sandbox::WriteFate::kProceeds;
    });

    cluster.set_ports(R"([{"name":"memcached","port":11212,"protocol":"TCP","targetPort":11211}])");

    CHECK(cluster.eventually([&] { return cluster.ports() == "11211 "; }));
  }
}

}  // namespace keelson::testing
