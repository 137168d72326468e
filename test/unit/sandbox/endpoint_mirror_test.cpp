// EndpointSlices that mirror Endpoints, and slices that are restored.
#include "test/unit/sandbox/fleet.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Fleet;
using fixtures::whole_cluster;
using std::chrono::seconds;

struct Mirror : Fleet {
  Mirror() : Fleet(whole_cluster()) {}
  void add_service(const std::string& more = "") {
    create(kube::services(), R"({"metadata":{"name":"m"},"spec":{"ports":[{"port":80,"name":"web"}])" + more + "}}");
  }
  void add_endpoints(const std::string& metadata = "") {
    create(kube::endpoints(),
           R"({"metadata":{"name":"m")" + metadata +
               R"(},"subsets":[{"addresses":[{"ip":"1.2.3.4","hostname":"h","nodeName":"n"},{"ip":"fd00::1"}],)"
               R"("notReadyAddresses":[{"ip":"1.2.3.5"}],"ports":[{"name":"web","port":8080}]}]})");
    pass(seconds(1));
  }
  // Those of the Service m, each as its type, its ports and its endpoints.
  std::string slices() {
    std::vector<std::string> found;
    for (const auto& slice : server.objects(kube::endpoint_slices())) {
      if (slice.label("kubernetes.io/service-name") != "m") continue;
      const auto document = json::Document::parse(slice.json());
      const auto root = document->root();
      found.push_back(root.find("addressType").text() + root.find("ports").text() + root.find("endpoints").text());
    }
    std::ranges::sort(found);
    std::string text;
    for (const auto& one : found) text += one + "\n";
    return text;
  }
};

const std::string kBoth =
    R"("IPv4"[{"name":"web","port":8080,"protocol":"TCP"}][{"addresses":["1.2.3.4"],"conditions":{"ready":true},)"
    R"("hostname":"h","nodeName":"n"},{"addresses":["1.2.3.5"],"conditions":{"ready":false}}])"
    "\n"
    R"("IPv6"[{"name":"web","port":8080,"protocol":"TCP"}][{"addresses":["fd00::1"],"conditions":{"ready":true}}])"
    "\n";

TEST_CASE("slices mirror the Endpoints of a Service without a selector") {
  Mirror mirror;
  mirror.add_endpoints(R"(,"labels":{"own":"l"},"annotations":{"note":"n"})");
  CHECK(mirror.slices().empty());
  mirror.add_service();
  mirror.pass(seconds(1));

  CHECK(mirror.slices() == kBoth);
  for (const auto& slice : mirror.server.objects(kube::endpoint_slices())) {
    if (slice.label("kubernetes.io/service-name") != "m") continue;
    CHECK(slice.label("own") == "l");
    CHECK(slice.annotation("note") == "n");
    CHECK(slice.label("endpointslice.kubernetes.io/managed-by") == "endpointslicemirroring-controller.k8s.io");
    CHECK(slice.controller_owner()->kind == "Endpoints");
  }
}

TEST_CASE("mirrored slices follow their Endpoints, and are restored after a deletion") {
  Mirror mirror;
  mirror.add_service();
  mirror.add_endpoints();
  mirror.patch(kube::endpoints(), "m",
               R"({"subsets":[{"addresses":[{"ip":"1.2.3.9"}],"ports":[{"name":"web","port":8080}]}]})");
  mirror.pass(seconds(1));
  const auto changed = mirror.slices();
  CHECK(changed ==
        R"("IPv4"[{"name":"web","port":8080,"protocol":"TCP"}][{"addresses":["1.2.3.9"],"conditions":{"ready":true}}])"
        "\n");
  for (const auto& slice : mirror.server.objects(kube::endpoint_slices())) {
    mirror.remove(kube::endpoint_slices(), std::string(slice.name()));
  }
  mirror.pass(seconds(1));
  CHECK(mirror.slices() == changed);

  mirror.remove(kube::endpoints(), "m");
  mirror.pass(seconds(1));
  CHECK(mirror.slices().empty());
}

TEST_CASE("other ports of Endpoints are written into the same slice, whose generation counts also its labels") {
  Mirror mirror;
  mirror.add_service();
  mirror.add_endpoints();
  const auto slice_of = [&mirror](const std::string& type) {
    for (const auto& slice : mirror.server.objects(kube::endpoint_slices())) {
      const bool is_of_type = slice.json().find("\"addressType\":\"" + type) != std::string_view::npos;
      if (is_of_type && slice.label("kubernetes.io/service-name") == "m") return slice;
    }
    FAIL("there is no such slice");
    return mirror.server.objects(kube::endpoint_slices()).front();
  };
  const auto former = slice_of("IPv4");

  mirror.patch(kube::endpoints(), "m",
               R"({"subsets":[{"addresses":[{"ip":"1.2.3.9"}],"ports":[{"name":"web","port":9090}]}]})");
  mirror.pass(seconds(1));
  CHECK(slice_of("IPv4").uid() == former.uid());
  CHECK(slice_of("IPv4").generation() == 2);

  mirror.patch(kube::endpoint_slices(), std::string(former.name()), R"({"metadata":{"labels":{"a":"b"}}})");
  mirror.pass(seconds(1));
  CHECK_FALSE(slice_of("IPv4").label("a"));
  CHECK(slice_of("IPv4").generation() == 4);
}

TEST_CASE("Endpoints are not mirrored if their label or the selector of their Service says so") {
  Mirror mirror;
  mirror.add_service();
  mirror.add_endpoints();
  REQUIRE(mirror.slices() == kBoth);

  SECTION("the label skip-mirror") {
    mirror.patch(kube::endpoints(), "m",
                 R"({"metadata":{"labels":{"endpointslice.kubernetes.io/skip-mirror":"true"}}})");
    mirror.pass(seconds(1));
    CHECK(mirror.slices().empty());
  }
  SECTION("a selector") {
    mirror.patch(kube::services(), "m", R"({"spec":{"selector":{"a":"b"}}})");
    mirror.pass(seconds(1));
    CHECK(mirror.slices().find("1.2.3.4") == std::string::npos);
    CHECK(mirror.value(kube::endpoints(), "m", {"subsets"}) == "null");
  }
}

TEST_CASE("the slices and Endpoints of a Service are restored after a change and a deletion") {
  Mirror mirror;
  mirror.add_service(R"(,"selector":{"app":"m"})");
  mirror.create(kube::pods(), R"({"metadata":{"name":"p","labels":{"app":"m"}},)"
                              R"("spec":{"containers":[{"name":"c","image":"i"}]}})");
  mirror.pass(seconds(2));
  const auto whole = mirror.slices();
  REQUIRE(whole.find("\"p\"") != std::string::npos);
  const auto name = mirror.names(kube::endpoint_slices());

  mirror.patch(kube::endpoint_slices(), name, R"({"endpoints":[],"ports":[]})");
  mirror.pass(seconds(1));
  CHECK(mirror.slices() == whole);
  mirror.remove(kube::endpoint_slices(), mirror.names(kube::endpoint_slices()));
  mirror.remove(kube::endpoints(), "m");
  mirror.pass(seconds(1));

  CHECK(mirror.slices() == whole);
  CHECK(mirror.value(kube::endpoints(), "m", {"subsets"}) != "null");
}

}  // namespace
}  // namespace keelson::sandbox
