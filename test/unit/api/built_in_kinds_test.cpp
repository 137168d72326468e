// The structs of all kinds of Kubernetes that keelson/api has.
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/api/apps/v1/daemon_set.hpp"
#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/apps/v1/replica_set.hpp"
#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/api/autoscaling/v2/horizontal_pod_autoscaler.hpp"
#include "keelson/api/batch/v1/cron_job.hpp"
#include "keelson/api/batch/v1/job.hpp"
#include "keelson/api/coordination/v1/lease.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/node.hpp"
#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/core/v1/resource_quota.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/core/v1/service_account.hpp"
#include "keelson/api/discovery/v1/endpoint_slice.hpp"
#include "keelson/api/events/v1/event.hpp"
#include "keelson/api/networking/v1/ingress.hpp"
#include "keelson/api/networking/v1/network_policy.hpp"
#include "keelson/api/policy/v1/pod_disruption_budget.hpp"
#include "keelson/api/rbac/v1/cluster_role.hpp"
#include "keelson/api/rbac/v1/cluster_role_binding.hpp"
#include "keelson/api/rbac/v1/role.hpp"
#include "keelson/api/rbac/v1/role_binding.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson {
namespace {

void fill(const kube::Type& type, void* place);

void fill_struct(const kube::Type& type, void* place) {
  for (const auto& field : type.fields()->fields()) fill(*field.type, static_cast<char*>(place) + field.offset);
}

// A text that one of the types with JSON of their own takes.
void fill_custom(const kube::Type& type, void* place) {
  for (const auto* text : {R"("2026-01-02T03:04:05.000006Z")", R"("MTIz")", R"("64Mi")"}) {
    const auto document = json::Document::parse(text).value();
    if (type.custom->read(document.root(), place)) return;
  }
  FAIL("no example for a custom type");
}

// Something that is not empty, in every field.
void fill(const kube::Type& type, void* place) {
  using Shape = kube::Type::Shape;
  switch (type.shape) {
    case Shape::kBool:
      *static_cast<bool*>(place) = true;
      break;
    case Shape::kInt32:
      *static_cast<std::int32_t*>(place) = 32;
      break;
    case Shape::kInt64:
      *static_cast<std::int64_t*>(place) = 64;
      break;
    case Shape::kNumber:
      *static_cast<double*>(place) = 0.5;
      break;
    case Shape::kString:
      *static_cast<std::string*>(place) = "a text that does not fit into the string object itself";
      break;
    case Shape::kTime:
      *static_cast<kube::Time*>(place) = kube::Time(std::chrono::seconds(1'800'000'000));
      break;
    case Shape::kRaw:
      static_cast<kube::RawJson*>(place)->text = R"({"raw":[1,null]})";
      break;
    case Shape::kCustom:
      fill_custom(type, place);
      break;
    case Shape::kOptional:
    case Shape::kList:
    case Shape::kMap:
      fill(*type.element, type.add(place, "key"));
      break;
    case Shape::kStruct:
      fill_struct(type, place);
      break;
  }
}

// As an admission review is decoded: straight from the bytes.
template <class T>
T decoded_in_slices(std::string_view text) {
  T out{};
  kube::Decoder decoder(text, kube::type_of<T>(), &out, "", std::size_t{1} << 20);
  for (;;) {
    const auto done = decoder.advance(16);
    REQUIRE(done);
    if (*done) return out;
  }
}

TEMPLATE_TEST_CASE("an object with every field is read as it was written", "", apps::v1::DaemonSet,
                   apps::v1::Deployment, apps::v1::ReplicaSet, apps::v1::StatefulSet,
                   autoscaling::v2::HorizontalPodAutoscaler, batch::v1::CronJob, batch::v1::Job,
                   coordination::v1::Lease, core::v1::ConfigMap, core::v1::Namespace, core::v1::Node,
                   core::v1::PersistentVolumeClaim, core::v1::Pod, core::v1::ResourceQuota, core::v1::Secret,
                   core::v1::Service, core::v1::ServiceAccount, discovery::v1::EndpointSlice, events::v1::Event,
                   networking::v1::Ingress, networking::v1::NetworkPolicy, policy::v1::PodDisruptionBudget,
                   rbac::v1::ClusterRole, rbac::v1::ClusterRoleBinding, rbac::v1::Role, rbac::v1::RoleBinding) {
  TestType full;
  fill(kube::type_of<TestType>(), &full);
  const auto text = kube::encode_object(full);

  const auto object = kube::Object::from_json(text).value();
  const auto read = kube::decode_object<TestType>(object);

  REQUIRE(read);
  CHECK(*read == full);
  CHECK(kube::encode_object(*read) == text);
  const auto copy = *read;
  CHECK(copy == full);
  CHECK(decoded_in_slices<TestType>(text) == full);
}

TEMPLATE_TEST_CASE("an object that was never touched has nothing but its kind and what is required", "",
                   core::v1::ConfigMap, core::v1::Namespace, core::v1::Secret, core::v1::Service) {
  const auto document = json::Document::parse(kube::encode_object(TestType{})).value();

  CHECK(document.root().size() == 2);
  CHECK(document.root().find("kind").string() == TestType::kIdentity.kind);
}

TEST_CASE("the JSON of a Deployment has exactly the fields that its author set") {
  const core::v1::Container container{.name = "memcached",
                                      .image = "memcached:1.6",
                                      .command = {"memcached", "-m=64"},
                                      .ports = {{.name = "memcached", .container_port = 11211}},
                                      .resources = {.limits = {{"memory", "64Mi"}}},
                                      .security_context = {{.run_as_non_root = true}}};
  const apps::v1::Deployment deployment{
      .metadata = {.name = "web", .ns = "shop"},
      .spec = {.replicas = 0,
               .selector = {.match_labels = {{"app", "web"}}},
               .pod_template = {.metadata = {.labels = {{"app", "web"}}}, .spec = {.containers = {container}}}}};

  CHECK(
      kube::encode_object(deployment) ==
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":0,)"
      R"("selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[)"
      R"({"name":"memcached","image":"memcached:1.6","command":["memcached","-m=64"],)"
      R"("ports":[{"name":"memcached","containerPort":11211}],"resources":{"limits":{"memory":"64Mi"}},)"
      R"("securityContext":{"runAsNonRoot":true}}]}}}})");
}

TEST_CASE("the desired state has no status, even if the status has required fields") {
  const apps::v1::StatefulSet set{.metadata = {.name = "db"}};

  const auto document = json::Document::parse(kube::encode_desired(set)).value();

  CHECK(document.root().find("status").is_absent());
  CHECK(document.root().at({"metadata", "name"}).string() == "db");
}

TEST_CASE("an empty struct that is set is written") {
  const core::v1::Volume volume{.name = "cache", .empty_dir = core::v1::EmptyDirVolumeSource{}};

  CHECK(kube::encode(volume) == R"({"name":"cache","emptyDir":{}})");
}

TEST_CASE("the values of a Secret are bytes") {
  const auto object = kube::Object::from_json(
                          R"({"kind":"Secret","metadata":{"name":"key"},"data":{"token":"c2VjcmV0"},"type":"Opaque"})")
                          .value();

  const auto secret = kube::decode_object<core::v1::Secret>(object);

  REQUIRE(secret);
  CHECK(secret->data.at("token").bytes == "secret");
  CHECK(secret->type == "Opaque");
}

TEST_CASE("the last of duplicate members counts, and null counts as absent") {
  constexpr std::string_view kText =
      R"({"metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":[{"name":"old","env":[{"name":"x"}]}]}},)"
      R"("template":{"spec":{"affinity":null,"containers":[{"name":"new","resources":{"limits":{"cpu":1}},)"
      R"("securityContext":{"runAsUser":1},"securityContext":null}]}}}})";

  const auto sliced = decoded_in_slices<apps::v1::Deployment>(kText);
  const auto decoded = kube::decode_object<apps::v1::Deployment>(kube::Object::from_json(kText).value());

  REQUIRE(decoded);
  CHECK(sliced == *decoded);
  const auto& pod = sliced.spec.pod_template.spec;
  REQUIRE(pod.containers.size() == 1);
  CHECK(pod.containers[0].name == "new");
  CHECK(pod.containers[0].env.empty());
  CHECK(pod.containers[0].resources.limits.at("cpu") == kube::Quantity("1"));
  CHECK_FALSE(pod.containers[0].security_context);
  CHECK_FALSE(pod.affinity);
}

TEST_CASE("the error of an invalid value of Secret.data names the expected form") {
  const auto error_of = [](const std::string& spec) {
    const auto object = kube::Object::from_json(R"({"metadata":{"name":"a"},"data":)" + spec + "}").value();
    return kube::decode_object<core::v1::Secret>(object).error().message();
  };

  CHECK(error_of(R"({"key":"not base64!"})") == "data[key]: expected a string in base64");
  CHECK(error_of(R"({"key":[]})") == "data[key]: expected a string in base64, found an array");
}

TEST_CASE("the error of a wrong type names the field") {
  const auto object =
      kube::Object::from_json(
          R"({"metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"ports":[{"containerPort":"x"}]}]}}}})")
          .value();

  const auto deployment = kube::decode_object<apps::v1::Deployment>(object);

  REQUIRE_FALSE(deployment);
  CHECK(deployment.error().message() ==
        "spec.template.spec.containers[0].ports[0].containerPort: expected an integer, found a string");
}

TEST_CASE("cluster-scoped kinds have paths without a namespace") {
  CHECK_FALSE(kube::resource_of<core::v1::Namespace>().namespaced);
  CHECK_FALSE(kube::resource_of<core::v1::Node>().namespaced);
  CHECK_FALSE(kube::resource_of<rbac::v1::ClusterRole>().namespaced);
  CHECK(kube::resource_of<networking::v1::Ingress>() ==
        kube::Resource("networking.k8s.io", "v1", "Ingress", "ingresses"));
}

}  // namespace
}  // namespace keelson
