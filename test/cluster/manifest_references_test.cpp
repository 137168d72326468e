// References between the objects of config/default and of every variant: names, namespaces, labels and ports.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "test/cluster/harness/manifests.hpp"
#include "test/support/json_texts.hpp"

namespace keelson::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = KEELSON_SOURCE_DIR;

std::string kind_of(json::View object) { return text_at(object, {"kind"}); }

// A rendered folder, without the CRDs, which refer to nothing and are long.
class Objects {
 public:
  explicit Objects(const fs::path& folder) {
    const auto rendered = render(folder);
    const std::string separator = "\n---\n";
    for (std::size_t at = 0; at < rendered.size();) {
      const auto end = std::min(rendered.find(separator, at), rendered.size());
      add(rendered.substr(at, end - at));
      at = end + separator.size();
    }
  }

  [[nodiscard]] std::vector<json::View> all() const {
    std::vector<json::View> objects;
    for (const auto& document : documents_) objects.push_back(document.root());
    return objects;
  }
  [[nodiscard]] std::vector<json::View> of(std::string_view kind) const {
    std::vector<json::View> objects;
    for (const auto& object : all()) {
      if (kind_of(object) == kind) objects.push_back(object);
    }
    return objects;
  }
  // "Role keelson-system/keelson-leader-election-role"; without a namespace nothing precedes the slash.
  [[nodiscard]] bool have(const std::string& kind, const std::string& ns, const std::string& name) const {
    return names_.contains(kind + " " + ns + "/" + name);
  }
  [[nodiscard]] json::View deployment() const {
    auto deployments = of("Deployment");
    REQUIRE(deployments.size() == 1);
    return deployments[0];
  }

 private:
  void add(const std::string& yaml) {
    if (yaml.find("kind: CustomResourceDefinition\n") != std::string::npos) return;
    auto text = json::yaml_to_json(yaml);
    REQUIRE(text);
    auto document = json::Document::parse(*text);
    REQUIRE(document);
    const auto object = document->root();
    names_.insert(kind_of(object) + " " + text_at(object, {"metadata", "namespace"}) + "/" +
                  text_at(object, {"metadata", "name"}));
    documents_.push_back(std::move(*document));
  }

  std::vector<json::Document> documents_;
  std::set<std::string> names_;
};

void check_bindings(const Objects& objects) {
  for (const char* kind : {"RoleBinding", "ClusterRoleBinding"}) {
    for (const auto& binding : objects.of(kind)) {
      INFO(binding.text());
      const auto role = text_at(binding, {"roleRef", "kind"});
      const auto ns = role == "Role" ? text_at(binding, {"metadata", "namespace"}) : "";
      CHECK(objects.have(role, ns, text_at(binding, {"roleRef", "name"})));
      for (auto subject : binding.find("subjects").items()) {
        CHECK(objects.have(text_at(subject, {"kind"}), text_at(subject, {"namespace"}), text_at(subject, {"name"})));
      }
    }
  }
}

void check_webhooks(const Objects& objects) {
  for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}) {
    for (const auto& configuration : objects.of(kind)) {
      INFO(configuration.text());
      for (auto webhook : configuration.find("webhooks").items()) {
        const auto service = webhook.at({"clientConfig", "service"});
        CHECK(objects.have("Service", text_at(service, {"namespace"}), text_at(service, {"name"})));
      }
      const auto from = text_at(configuration, {"metadata", "annotations", "cert-manager.io/inject-ca-from"});
      if (from.empty()) continue;
      CHECK(objects.have("Certificate", from.substr(0, from.find('/')), from.substr(from.find('/') + 1)));
    }
  }
}

void check_certificates(const Objects& objects) {
  std::set<std::string> secrets;
  for (const auto& certificate : objects.of("Certificate")) {
    INFO(certificate.text());
    const auto ns = text_at(certificate, {"metadata", "namespace"});
    CHECK(objects.have("Issuer", ns, text_at(certificate, {"spec", "issuerRef", "name"})));
    for (auto name : certificate.at({"spec", "dnsNames"}).items()) {
      const std::string host(name.string().value_or(""));
      CHECK(host.find("." + ns + ".svc") != std::string::npos);
      CHECK(objects.have("Service", ns, host.substr(0, host.find('.'))));
    }
    secrets.insert(text_at(certificate, {"spec", "secretName"}));
  }
  for (auto volume : objects.deployment().at({"spec", "template", "spec", "volumes"}).items()) {
    INFO(volume.text());
    if (volume.find("secret").is_object()) CHECK(secrets.contains(text_at(volume, {"secret", "secretName"})));
  }
}

bool selects(json::View selector, json::View labels) {
  for (const auto& [name, value] : selector.members()) {
    if (!json::equal(labels.find(name), value)) return false;
  }
  return selector.size() > 0;
}

bool has_port(json::View pod, json::View wanted) {
  for (auto container : pod.find("containers").items()) {
    for (auto port : container.find("ports").items()) {
      if (json::equal(port.find("name"), wanted) || json::equal(port.find("containerPort"), wanted)) return true;
    }
  }
  return false;
}

void check_what_leads_to_the_pods(const Objects& objects) {
  const auto pod = objects.deployment().at({"spec", "template"});
  const auto labels = pod.at({"metadata", "labels"});
  CHECK(selects(objects.deployment().at({"spec", "selector", "matchLabels"}), labels));
  for (const auto& service : objects.of("Service")) {
    INFO(service.text());
    CHECK(selects(service.at({"spec", "selector"}), labels));
    for (auto port : service.at({"spec", "ports"}).items()) CHECK(has_port(pod.find("spec"), port.find("targetPort")));
  }
  for (const auto& budget : objects.of("PodDisruptionBudget")) {
    CHECK(selects(budget.at({"spec", "selector", "matchLabels"}), labels));
  }
  for (const auto& policy : objects.of("NetworkPolicy")) {
    INFO(policy.text());
    CHECK(selects(policy.at({"spec", "podSelector", "matchLabels"}), labels));
    for (auto rule : policy.at({"spec", "ingress"}).items()) {
      for (auto port : rule.find("ports").items()) CHECK(has_port(pod.find("spec"), port.find("port")));
    }
  }
  for (const auto& monitor : objects.of("ServiceMonitor")) {
    int selected = 0;
    for (const auto& service : objects.of("Service")) {
      if (selects(monitor.at({"spec", "selector", "matchLabels"}), service.at({"metadata", "labels"}))) ++selected;
    }
    CHECK(selected == 1);
  }
}

void check_namespaces(const Objects& objects) {
  const auto namespaces = objects.of("Namespace");
  REQUIRE(namespaces.size() == 1);
  const auto ns = text_at(namespaces[0], {"metadata", "name"});
  for (const auto& object : objects.all()) {
    INFO(kind_of(object) << " " << text_at(object, {"metadata", "name"}));
    if (object.at({"metadata", "namespace"}).has_value()) CHECK(text_at(object, {"metadata", "namespace"}) == ns);
  }
  CHECK(objects.have("ServiceAccount", ns,
                     text_at(objects.deployment(), {"spec", "template", "spec", "serviceAccountName"})));
}

// "--webhook-mutating-configuration=NAME" names an object that exists.
void check_arguments(const Objects& objects) {
  const auto container = objects.deployment().at({"spec", "template", "spec", "containers"}).item(0);
  REQUIRE(text_at(container, {"name"}) == "manager");
  for (auto argument : container.find("args").items()) {
    const std::string text(argument.string().value_or(""));
    INFO(text);
    const auto name = text.substr(text.find('=') + 1);
    if (text.starts_with("--webhook-mutating-configuration=")) {
      CHECK(objects.have("MutatingWebhookConfiguration", "", name));
    }
    if (text.starts_with("--webhook-validating-configuration=")) {
      CHECK(objects.have("ValidatingWebhookConfiguration", "", name));
    }
    if (text.starts_with("--webhook-service-name=")) {
      CHECK(objects.have("Service", text_at(objects.deployment(), {"metadata", "namespace"}), name));
    }
  }
}

void check_references(const fs::path& folder) {
  INFO(folder);
  const Objects objects(folder);
  check_bindings(objects);
  check_webhooks(objects);
  check_certificates(objects);
  check_what_leads_to_the_pods(objects);
  check_namespaces(objects);
  check_arguments(objects);
}

}  // namespace

TEST_CASE("references between objects resolve in every variant") {
  check_references(kSource / "config/default");
  for (const auto& entry : fs::directory_iterator(kSource / "kustomize")) {
    if (fs::exists(entry.path() / "kustomization.yaml")) check_references(entry.path());
  }
}

}  // namespace keelson::testing
