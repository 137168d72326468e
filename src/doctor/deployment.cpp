#include "src/doctor/deployment.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "keelson/detail/base/nearest.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/kube/client.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// Namespaces of --watch-namespaces that are read.
constexpr std::size_t kCheckedNamespaces = 20;

// The label that kubebuilder gives the Deployment of a manager.
constexpr const char* kManagerLabel = "control-plane=controller-manager";
constexpr std::int64_t kManyRestarts = 3;
// The count of restarts covers the whole life of a pod: an end that is longer ago is over.
constexpr std::chrono::hours kRecently{24};

// A Deployment without the label of the name, as older kustomizations make it, has the operator's prefix.
bool is_of_operator(json::View deployment, const kube::OperatorName& name) {
  const auto labels = deployment.at({"metadata", "labels"});
  const auto label = labels.find("app.kubernetes.io/name").string();
  if (label) return *label == name.text();
  return text_at(deployment, {"metadata", "name"}).starts_with(name.text() + "-");
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
  const bool is_version = !tag.empty() && base::is_digit(tag.front()) && std::ranges::count(tag, '.') == 2;
  return is_version ? tag : "";
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
  for (const auto container : pod_template(deployment).at({"spec", "containers"}).items()) {
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

int ready_pods(json::View pods) {
  int ready = 0;
  for (const auto pod : pods.find("items").items()) {
    if (!pod.at({"metadata", "deletionTimestamp"}).has_value() && condition_of(pod, "Ready") == "True") ++ready;
  }
  return ready;
}

std::string why_not_scheduled(json::View pods) {
  for (const auto pod : pods.find("items").items()) {
    const auto condition = json::item_with(pod.at({"status", "conditions"}), "type", "PodScheduled");
    if (condition.find("status").string() == "False") return text_at(condition, {"message"});
  }
  return "";
}

bool are_disjoint(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  return std::find_first_of(left.begin(), left.end(), right.begin(), right.end()) == left.end();
}

// Two managers with these flags reconcile different objects.
bool are_separate(const DeployedFlags& left, const DeployedFlags& right) {
  if (left.are_in_file || right.are_in_file) return false;
  const auto& namespaces = left.watch_namespaces;
  const auto& others = right.watch_namespaces;
  return are_disjoint(left.controllers, right.controllers) ||
         (!namespaces.empty() && !others.empty() && are_disjoint(namespaces, others));
}

// The manager among the Deployments of the operator; the others are returned.
std::vector<json::View> choose_deployment(Installation& installation, Findings& findings) {
  const auto& searched = installation.examined.ns;
  if (installation.unread) {
    findings.add_unreadable(Area::kDeployment, *installation.unread);
    return {};
  }
  std::vector<json::View> found;
  for (const auto& page : installation.pages) {
    const auto of_page = deployments_of(page.root(), installation.examined.name);
    found.insert(found.end(), of_page.begin(), of_page.end());
  }
  if (found.empty()) {
    findings.add("manager-not-deployed", "", searched.empty() ? "" : "namespace " + searched);
    return {};
  }
  // A Deployment with kubebuilder's label is the manager; the operator may have others in its namespace.
  const auto is_manager = [](json::View view) {
    return text_at(view, {"metadata", "labels", "control-plane"}) == "controller-manager";
  };
  if (std::ranges::any_of(found, is_manager)) std::erase_if(found, std::not_fn(is_manager));
  const auto is_preferred = [&](json::View view) {
    return text_at(view, {"metadata", "namespace"}) == installation.ns;
  };
  const auto preferred = std::ranges::find_if(found, is_preferred);
  const auto chosen = preferred == found.end() ? found.begin() : preferred;
  installation.deployment = *chosen;
  installation.deployed = describe_deployment(*chosen);
  installation.ns = installation.deployed.ns;
  found.erase(chosen);
  return found;
}

// Without a Deployment the flags have their defaults.
void apply_flags(Installation& installation, Findings& findings) {
  auto& examined = installation.examined;
  auto flags = examined.parse_flags(installation.deployed.manager);
  if (installation.has_deployment()) check_flags(installation.deployed, flags, findings);
  installation.has_flags = flags.has_value();
  if (!flags) flags = examined.parse_flags({});
  if (flags) installation.flags = std::move(*flags);
  const auto& selected = installation.flags.controllers;
  std::erase_if(examined.controllers, [&](const auto& definition) {
    return std::ranges::find(selected, definition.name()) == selected.end();
  });
  examined.webhooks = controller::webhooks_of(examined.controllers, examined.webhooks);
}

// Two managers may work in one cluster if no object is of both.
void compare_deployments(Installation& installation, const std::vector<json::View>& others, Findings& findings) {
  for (const auto view : others) {
    const auto other = describe_deployment(view);
    const auto flags = installation.examined.parse_flags(other.manager);
    if (flags && installation.has_flags && are_separate(installation.flags, *flags)) {
      installation.separate_namespaces.push_back(flags->lease_namespace.empty() ? other.ns : flags->lease_namespace);
    } else {
      findings.add("several-deployments", "deployments/" + installation.deployed.name,
                   "also " + other.ns + "/" + other.name);
    }
  }
}

kube::ApiRequest namespace_named(const std::string& name) { return get_of(kube::namespaces(), "", name); }

// "did you mean default?", from a list of objects; empty if no name is similar, or if the list could not be read.
std::string similar_name(const std::string& name, const Reading& list) {
  if (!list) return "";
  std::vector<std::string_view> known;
  for (const auto item : list->root().find("items").items()) {
    known.push_back(item.at({"metadata", "name"}).string().value_or(""));
  }
  const auto meant = base::nearest(name, known);
  return meant ? "did you mean " + std::string(*meant) + "?" : "";
}

// A namespace that does not exist has no objects, and its watch works.
awaitable<void> examine_watched_namespaces(Reader& reader, std::vector<std::string> names, Findings& findings) {
  if (names.size() > kCheckedNamespaces) names.resize(kCheckedNamespaces);
  Requests spaces;
  for (const auto& name : names) spaces.emplace_back(namespace_named(name));
  co_await reader.read(spaces);
  Requests all;
  for (const auto& space : spaces) {
    if (space.reply) continue;
    if (!kube::is_not_found(space.reply.error())) {
      findings.add_unreadable(Area::kDeployment, space.reply.error());
      continue;
    }
    if (all.empty()) {
      all.emplace_back(list_of(space.request.resource, "", {{"limit", "500"}}));
      co_await reader.read(all);
    }
    findings.add("watch-namespace-missing", "namespaces/" + space.request.key.name,
                 similar_name(space.request.key.name, all.front().reply));
  }
}

}  // namespace

awaitable<void> examine_deployment(Reader& reader, Installation& installation, Findings& findings) {
  auto query = sample();
  if (installation.examined.ns.empty()) query.emplace_back("labelSelector", kManagerLabel);
  const auto take = [&](Reading page) {
    if (page) {
      installation.pages.push_back(std::move(*page));
    } else {
      installation.unread = std::move(page).error();
    }
  };
  co_await reader.read_pages(kube::deployments(), installation.examined.ns, std::move(query), take);
  const auto others = choose_deployment(installation, findings);
  apply_flags(installation, findings);
  compare_deployments(installation, others, findings);
  Requests reads;
  reads.emplace_back(namespace_named(installation.ns));
  if (installation.has_deployment()) {
    auto of_deployment = sample();
    of_deployment.emplace_back("labelSelector", installation.deployed.pod_selector);
    reads.emplace_back(list_of(kube::pods(), installation.ns, std::move(of_deployment)));
  }
  co_await reader.read(reads);
  const auto& space = reads.front().reply;
  if (space && !text_at(space->root(), {"metadata", "deletionTimestamp"}).empty()) {
    findings.add("namespace-terminating", "namespaces/" + installation.ns);
  }
  for (const auto& read : reads) {
    if (!read.reply) findings.add_unreadable(Area::kDeployment, read.reply.error());
  }
  if (installation.has_deployment()) {
    installation.pods = std::move(reads.back().reply);
    check_deployment(installation.deployment, installation.examined.version, findings);
    if (installation.pods) {
      check_pods(installation.deployment, installation.pods->root(), reader.server_now(), findings);
    }
  }
  co_await examine_watched_namespaces(reader, installation.flags.watch_namespaces, findings);
}

std::vector<json::View> deployments_of(json::View list, const kube::OperatorName& name) {
  std::vector<json::View> found;
  for (const auto deployment : list.find("items").items()) {
    if (is_of_operator(deployment, name)) found.push_back(deployment);
  }
  return found;
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
    for (const auto status : pod.at({"status", "containerStatuses"}).items()) {
      check_container(pod, status, now, findings);
    }
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
    std::ranges::replace(text, '\n', ' ');
    findings.add("flag-unknown", subject, std::move(text));
    return;
  }
  for (const auto& notice : flags->notices) findings.add("flag-without-effect", subject, notice);
  if (flags->are_in_file) findings.add("flags-in-file", subject);
  if (flags->dry_run) findings.add("manager-dry-run", subject);
}

}  // namespace keelson::doctor
