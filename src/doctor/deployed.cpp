#include "src/doctor/deployed.hpp"

#include "keelson/detail/json/member_index.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

namespace {

constexpr std::string_view kProxyContainer = "kube-rbac-proxy";

// $(NAME) is replaced by the variable, and $$(NAME) stands for $(NAME), as the kubelet does it. A name that is not in
// `environment` stays.
std::string expanded(const std::string& text, const std::map<std::string, std::string>& environment) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto end = text.find(')', at);
    if (text[at] == '$' && at + 1 < text.size() && text[at + 1] == '$') {
      out += text[++at];
      continue;
    }
    if (text[at] == '$' && at + 1 < text.size() && text[at + 1] == '(' && end != std::string::npos) {
      const auto found = environment.find(text.substr(at + 2, end - at - 2));
      out += found == environment.end() ? text.substr(at, end - at + 1) : found->second;
      at = end;
      continue;
    }
    out += text[at];
  }
  return out;
}

std::string selector_of(json::View labels) {
  std::string selector;
  for (const auto& [label, value] : labels.members()) {
    selector.append(selector.empty() ? "" : ",").append(label).append("=").append(value.string().value_or(""));
  }
  return selector;
}

// The environment as the kubelet gives it to the container. A value that is not known, such as that of a Secret, is
// absent.
std::map<std::string, std::string> environment_of(json::View container, const std::string& ns) {
  std::map<std::string, std::string> environment;
  for (const auto variable : container.find("env").items()) {
    const auto name = text_at(variable, {"name"});
    const auto source = variable.find("valueFrom");
    if (!source.is_object()) {
      environment.emplace(name, expanded(text_at(variable, {"value"}), environment));
    } else if (text_at(source, {"fieldRef", "fieldPath"}) == "metadata.namespace") {
      environment.emplace(name, ns);
    }
  }
  return environment;
}

void describe_containers(json::View deployment, Deployed& deployed) {
  for (const auto container : pod_template(deployment).at({"spec", "containers"}).items()) {
    for (const auto port : container.find("ports").items()) {
      const auto number = static_cast<int>(port.find("containerPort").integer().value_or(0));
      auto name = text_at(port, {"name"});
      deployed.ports.emplace(name.empty() ? std::to_string(number) : std::move(name), number);
      if (container.find("name").string() == kProxyContainer) deployed.proxy_port = number;
    }
  }
}

void describe_mounts(json::View deployment, json::View manager, Deployed& deployed) {
  for (const auto mount : manager.find("volumeMounts").items()) {
    for (const auto volume : pod_template(deployment).at({"spec", "volumes"}).items()) {
      if (text_at(volume, {"name"}) != text_at(mount, {"name"})) continue;
      auto secret = text_at(volume, {"secret", "secretName"});
      if (!secret.empty()) deployed.manager.secrets.emplace(text_at(mount, {"mountPath"}), std::move(secret));
    }
  }
}

}  // namespace

Deployed describe_deployment(json::View deployment) {
  const auto pod = pod_template(deployment);
  const auto manager = manager_container(deployment);
  Deployed deployed;
  deployed.ns = text_at(deployment, {"metadata", "namespace"});
  deployed.name = text_at(deployment, {"metadata", "name"});
  deployed.account = text_at(pod, {"spec", "serviceAccountName"});
  if (deployed.account.empty()) deployed.account = "default";
  deployed.pod_selector = selector_of(deployment.at({"spec", "selector", "matchLabels"}));
  // The labels of the template match every selector that the API server accepts for it, also one of matchExpressions.
  if (deployed.pod_selector.empty()) deployed.pod_selector = selector_of(pod.at({"metadata", "labels"}));
  for (const auto& [label, value] : pod.at({"metadata", "labels"}).members()) {
    deployed.pod_labels.emplace(label, value.string().value_or(""));
  }
  // The first word of a command is the program.
  const auto command = manager.find("command");
  auto& arguments = deployed.manager.arguments;
  for (std::size_t i = 1; i < command.size(); ++i) arguments.push_back(text_at(command.item(i), {}));
  for (const auto word : manager.find("args").items()) arguments.push_back(text_at(word, {}));
  const auto environment = environment_of(manager, deployed.ns);
  for (auto& argument : arguments) argument = expanded(argument, environment);
  deployed.manager.environment = {environment.begin(), environment.end()};
  describe_containers(deployment, deployed);
  describe_mounts(deployment, manager, deployed);
  return deployed;
}

json::View pod_template(json::View deployment) { return deployment.at({"spec", "template"}); }

json::View manager_container(json::View deployment) {
  const auto containers = pod_template(deployment).at({"spec", "containers"});
  const auto manager = json::item_with(containers, "name", "manager");
  return manager.is_absent() ? containers.item(0) : manager;
}

}  // namespace keelson::doctor
