#include "src/doctor/deployment.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "keelson/base/rfc3339.hpp"
#include "keelson/base/text.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

namespace {

constexpr std::string_view kProxyContainer = "kube-rbac-proxy";
constexpr std::int64_t kManyRestarts = 3;
// The count of restarts covers the whole life of a pod: an end that is longer ago is over.
constexpr std::chrono::hours kRecently{24};

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

json::View template_of(json::View deployment) { return deployment.at({"spec", "template"}); }

std::string selector_of(json::View labels) {
  std::string selector;
  for (const auto& [label, value] : labels.members()) {
    selector.append(selector.empty() ? "" : ",").append(label).append("=").append(value.string().value_or(""));
  }
  return selector;
}

// A Deployment without the label of the name, as older kustomizations make it, has the operator's prefix.
bool is_of_operator(json::View deployment, const kube::OperatorName& name) {
  const auto labels = deployment.at({"metadata", "labels"});
  const auto label = labels.find("app.kubernetes.io/name").string();
  if (label) return *label == name.text();
  return text_at(deployment, {"metadata", "name"}).starts_with(name.text() + "-");
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

json::View manager_container(json::View deployment) {
  const auto containers = template_of(deployment).at({"spec", "containers"});
  for (const auto container : containers.items()) {
    if (container.find("name").string() == "manager") return container;
  }
  return containers.item(0);
}

std::string subject_of(json::View object, const char* plural) {
  return std::string(plural) + "/" + text_at(object, {"metadata", "name"});
}

// The tag of an image, without a leading v, if it is a version; otherwise empty.
std::string version_of_image(std::string image) {
  image.resize(std::min(image.find('@'), image.size()));
  const auto colon = image.rfind(':');
  if (colon == std::string::npos || image.find('/', colon) != std::string::npos) return "";
  auto tag = image.substr(colon + 1);
  if (tag.starts_with("v")) tag.erase(0, 1);
  const bool is_version = !tag.empty() && base::is_digit(tag.front()) && std::count(tag.begin(), tag.end(), '.') == 2;
  return is_version ? tag : "";
}

void describe_containers(json::View deployment, Deployed& deployed) {
  for (const auto container : template_of(deployment).at({"spec", "containers"}).items()) {
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
    for (const auto volume : template_of(deployment).at({"spec", "volumes"}).items()) {
      if (text_at(volume, {"name"}) != text_at(mount, {"name"})) continue;
      auto secret = text_at(volume, {"secret", "secretName"});
      if (!secret.empty()) deployed.manager.secrets.emplace(text_at(mount, {"mountPath"}), std::move(secret));
    }
  }
}

// Whether the container has ended within the last day, or at an unknown time.
bool has_ended_recently(json::View last, async::WallTime now) {
  const auto finished = base::parse_rfc3339(text_at(last, {"finishedAt"}));
  return last.is_object() && (!finished || now - finished->second < kRecently);
}

void check_container(json::View pod, json::View status, async::WallTime now, Findings& findings) {
  const auto subject = subject_of(pod, "pods");
  const auto container = "container " + text_at(status, {"name"});
  const auto waiting = text_at(status, {"state", "waiting", "reason"});
  const auto last = status.at({"lastState", "terminated"});
  const auto restarts = status.find("restartCount").integer().value_or(0);
  const bool is_recent = has_ended_recently(last, now);
  auto detail = container;
  if (const auto code = last.find("exitCode").integer()) detail += ", last exit code " + std::to_string(*code);
  if (waiting == "CrashLoopBackOff") {
    findings.add("pod-crashing", subject, detail);
  } else if (waiting == "ImagePullBackOff" || waiting == "ErrImagePull" || waiting == "InvalidImageName") {
    findings.add("pod-image-unavailable", subject, container + ", image " + text_at(status, {"image"}));
  } else if (restarts >= kManyRestarts && is_recent) {
    findings.add("pod-restarts", subject, detail + ", " + std::to_string(restarts) + " restarts");
  }
  if (is_recent && text_at(last, {"reason"}) == "OOMKilled") findings.add("pod-oom-killed", subject, container);
}

// An admission webhook may add containers: only those of the template are compared.
void check_images(json::View deployment, json::View pod, Findings& findings) {
  for (const auto container : template_of(deployment).at({"spec", "containers"}).items()) {
    for (const auto running : pod.at({"spec", "containers"}).items()) {
      if (text_at(running, {"name"}) != text_at(container, {"name"})) continue;
      const auto is = text_at(running, {"image"});
      const auto desired = text_at(container, {"image"});
      if (is != desired) findings.add("pod-image-differs", subject_of(pod, "pods"), is + ", not " + desired);
    }
  }
}

bool is_rolled_out(json::View deployment, std::int64_t replicas) {
  const auto status = deployment.find("status");
  const auto number = [&](const char* name) { return status.find(name).integer().value_or(0); };
  return number("observedGeneration") >= deployment.at({"metadata", "generation"}).integer().value_or(0) &&
         number("updatedReplicas") >= replicas && number("replicas") <= number("updatedReplicas");
}

std::string why_not_scheduled(json::View pods) {
  for (const auto pod : pods.find("items").items()) {
    for (const auto condition : pod.at({"status", "conditions"}).items()) {
      if (condition.find("type").string() == "PodScheduled" && condition.find("status").string() == "False") {
        return text_at(condition, {"message"});
      }
    }
  }
  return "";
}

}  // namespace

std::vector<json::View> deployments_of(json::View list, const kube::OperatorName& name) {
  std::vector<json::View> found;
  for (const auto deployment : list.find("items").items()) {
    if (is_of_operator(deployment, name)) found.push_back(deployment);
  }
  return found;
}

Deployed describe_deployment(json::View deployment) {
  const auto pod = template_of(deployment);
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

void check_deployment(json::View deployment, const std::string& version, Findings& findings) {
  const auto subject = subject_of(deployment, "deployments");
  const auto replicas = deployment.at({"spec", "replicas"}).integer().value_or(1);
  if (replicas == 0) findings.add("manager-scaled-down", subject);
  if (replicas > 0 && !is_rolled_out(deployment, replicas)) findings.add("rollout-in-progress", subject);
  const auto image = text_at(manager_container(deployment), {"image"});
  const auto deployed = version_of_image(image);
  if (!deployed.empty() && !version.empty() && deployed != version) {
    findings.add("image-other-version", subject, "image " + image + ", this binary is " + version);
  }
}

void check_pods(json::View deployment, json::View pods, async::WallTime now, Findings& findings) {
  const auto replicas = deployment.at({"spec", "replicas"}).integer().value_or(1);
  const auto ready = ready_pods(pods);
  for (const auto pod : pods.find("items").items()) {
    if (pod.at({"metadata", "deletionTimestamp"}).has_value()) continue;
    for (const auto status : pod.at({"status", "containerStatuses"}).items())
      check_container(pod, status, now, findings);
    check_images(deployment, pod, findings);
  }
  if (replicas > 0 && ready == 0) {
    findings.add("manager-not-ready", subject_of(deployment, "deployments"), why_not_scheduled(pods));
  } else if (ready < replicas) {
    auto detail = std::to_string(ready) + " of " + std::to_string(replicas) + " are ready";
    if (const auto why = why_not_scheduled(pods); !why.empty()) detail += ", " + why;
    findings.add("manager-pods-not-ready", subject_of(deployment, "deployments"), std::move(detail));
  }
  findings.summarize(Area::kDeployment, std::to_string(ready) + " of " + std::to_string(replicas) +
                                            " pods are ready, image " +
                                            text_at(manager_container(deployment), {"image"}));
}

void check_flags(const Deployed& deployed, const Result<DeployedFlags>& flags, Findings& findings) {
  const auto subject = "deployments/" + deployed.name;
  if (!flags) {
    auto text = flags.error().message();
    std::replace(text.begin(), text.end(), '\n', ' ');
    findings.add("flag-unknown", subject, std::move(text));
    return;
  }
  for (const auto& notice : flags->notices) findings.add("flag-without-effect", subject, notice);
  if (flags->are_in_file) findings.add("flags-in-file", subject);
  if (flags->dry_run) findings.add("manager-dry-run", subject);
}

int ready_pods(json::View pods) {
  int ready = 0;
  for (const auto pod : pods.find("items").items()) {
    if (!pod.at({"metadata", "deletionTimestamp"}).has_value() && condition_of(pod, "Ready") == "True") ++ready;
  }
  return ready;
}

}  // namespace keelson::doctor
