#include "test/cluster/harness/live_objects.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <map>

#include "keelson/detail/controller/definition_parts.hpp"
#include "src/kinds/built_in.hpp"
#include "src/sandbox/tables/json_path.hpp"
#include "test/cluster/harness/client.hpp"
#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {

namespace {

using namespace std::chrono_literals;
using RealTime = std::chrono::steady_clock;

// Kinds of Kubernetes, by the names that the tests use.
std::map<std::string, kube::Resource> kubernetes_kinds() {
  return {
      {"ClusterRole", {"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false}},
      {"Role", {"rbac.authorization.k8s.io", "v1", "Role", "roles"}},
      {"configmap", kube::config_maps()},
      {"configmaps", kube::config_maps()},
      {"crd", kube::custom_resource_definitions()},
      {"crds", kube::custom_resource_definitions()},
      {"deployment", kube::deployments()},
      {"endpointslices", {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"}},
      {"events", kube::core_events()},
      {"folders", {"files.example.com", "v1", "Folder", "folders"}},  // of test/cluster/operators/folders.cpp
      {"jobs", kube::jobs()},
      {"lease", kube::leases()},
      {"mutatingwebhookconfiguration",
       {"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", false}},
      {"namespace", {"", "v1", "Namespace", "namespaces", false}},
      {"pods", kube::pods()},
      {"quota", {"", "v1", "ResourceQuota", "resourcequotas"}},
      {"secret", kube::secrets()},
      {"service", kube::services()},
      {"validatingwebhookconfiguration",
       {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations",
        false}},
  };
}

std::map<std::string, kube::Resource> all_kinds() {
  auto all = kubernetes_kinds();
  for (const auto& definition : kinds::built_in()) {
    for (const auto& kind : definition.parts().kinds) {
      for (const auto& name : {kind.singular, kind.resource.plural, kind.resource.qualified_plural()}) {
        all.emplace(name, kind.resource);
      }
    }
  }
  return all;
}

const kube::Resource& resource_of(const std::string& kind) {
  static const auto kResources = all_kinds();
  auto found = kResources.find(kind);
  INFO("test/cluster/harness/live_objects.cpp lacks the kind " << kind);
  REQUIRE(found != kResources.end());
  return found->second;
}

bool is_unavailable(const Error& error) {
  return error.kind == Error::Kind::kTransport || error.kind == Error::Kind::kTimeout || error.code == 429 ||
         error.code >= 500;
}

Result<kube::ApiReply> send_until_available(const kube::ApiRequest& request) {
  const auto until = RealTime::now() + 30s;
  for (;;) {
    auto reply = send(request);
    if (reply || !is_unavailable(reply.error()) || RealTime::now() > until) return reply;
    pause(100ms);
  }
}

kube::ApiRequest get_request(const std::string& kind, const std::string& name, const std::string& ns) {
  kube::ApiRequest request;
  request.resource = resource_of(kind);
  request.key = kube::Key(request.resource.namespaced ? ns : "", name);
  return request;
}

sandbox::Tree tree_of(const Result<kube::ApiReply>& reply) {
  INFO((reply ? "" : reply.error().message()));
  REQUIRE(reply);
  auto tree = sandbox::Tree::parse(reply->body);
  REQUIRE(tree.has_value());
  return std::move(*tree);
}

std::string text_at_path(const sandbox::Tree& object, const std::string& path) {
  std::string text;
  for (const auto* value : sandbox::find_path(object, path)) {
    if (!text.empty()) text += " ";
    text += value->is_string() ? value->scalar() : value->text();
  }
  return text;
}

}  // namespace

void apply_object(const std::string& kind, const std::string& name, const std::string& ns, const std::string& yaml) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kPatch;
  request.resource = resource_of(kind);
  request.key = kube::Key(request.resource.namespaced ? ns : "", name);
  request.query = {{"fieldManager", "test"}, {"force", "true"}};
  request.patch_type = kube::PatchType::kApply;
  request.body = yaml;
  auto applied = send(std::move(request));
  INFO((applied ? "" : applied.error().message()));
  REQUIRE(applied);
}

json::Document get(const std::string& kind, const std::string& name, const std::string& ns) {
  auto reply = send(get_request(kind, name, ns));
  if (!reply) {
    INFO(reply.error().message());
    REQUIRE((kube::is_not_found(reply.error()) || is_unavailable(reply.error())));
  }
  auto document = json::Document::parse(reply ? reply->body : "null");
  REQUIRE(document.has_value());
  return std::move(*document);
}

std::string value_of(const std::string& kind, const std::string& name, const std::string& ns, const std::string& path) {
  auto reply = send_until_available(get_request(kind, name, ns));
  if (!reply && kube::is_not_found(reply.error())) return "";
  return text_at_path(tree_of(reply), path);
}

std::vector<std::string> values_of(const std::string& kind, const std::string& ns, const std::string& path,
                                   const Selectors& selectors) {
  kube::ApiRequest request;
  request.verb = kube::Verb::kList;
  request.resource = resource_of(kind);
  request.key = kube::Key(ns, "");
  if (!selectors.labels.empty()) request.query.emplace_back("labelSelector", selectors.labels);
  if (!selectors.fields.empty()) request.query.emplace_back("fieldSelector", selectors.fields);
  const auto list = tree_of(send_until_available(request));
  const auto* items = list.find("items");
  REQUIRE(items != nullptr);
  std::vector<std::string> values;
  for (const auto& item : items->items()) {
    auto value = text_at_path(item, path);
    if (!value.empty()) values.push_back(std::move(value));
  }
  return values;
}

}  // namespace keelson::testing
