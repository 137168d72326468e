#include "src/sandbox/kinds/pod_defaults.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "keelson/schema/quantity.hpp"

namespace keelson::sandbox {

namespace {

bool is_lower_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// A component of a repository's path in the grammar of image references: [a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*
bool is_path_component(std::string_view text) {
  while (true) {
    const auto end = std::ranges::find_if_not(text, is_lower_alphanumeric);
    if (end == text.begin()) return false;
    if (end == text.end()) return true;
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    const auto separator = text.substr(0, text.find_first_not_of(text.front()));
    const bool is_separator = separator == "." || separator == "_" || separator == "__" || separator.front() == '-';
    if (!is_separator) return false;
    text.remove_prefix(separator.size());
  }
}

// A domain and its port precede the path if the first component could not be one of a path.
bool is_domain(std::string_view text) {
  const auto is_mark = [](char c) { return c == '.' || c == ':' || (c >= 'A' && c <= 'Z'); };
  return text == "localhost" || std::ranges::any_of(text, is_mark);
}

bool is_repository(std::string_view text) {
  constexpr std::size_t kLongest = 255;
  if (text.size() > kLongest) return false;
  const auto end_of_domain = text.find('/');
  if (end_of_domain != std::string_view::npos && is_domain(text.substr(0, end_of_domain))) {
    text.remove_prefix(end_of_domain + 1);
  }
  for (auto slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/')) {
    if (!is_path_component(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return is_path_component(text);
}

// Whether the image has the tag `latest`, or neither a tag nor a digest. An image that is not a reference has neither;
// digests are not checked.
bool is_latest(std::string_view image) {
  const auto name = image.substr(0, image.find('@'));
  const auto last = name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1;
  const auto colon = name.find(':', last);
  if (!is_repository(name.substr(0, colon))) return false;
  if (colon != std::string_view::npos) return name.substr(colon) == ":latest";
  return name.size() == image.size();
}

std::string pull_policy(const Tree& holder, std::string_view image) {
  return is_latest(holder.text_at({image})) ? "Always" : "IfNotPresent";
}

// Absent if the container does not request the resource.
std::optional<kube::Quantity> request_of(const Tree& container, const char* resource) {
  const Tree* request = container.at({"resources", "requests", resource});
  if (request == nullptr) return std::nullopt;
  auto amount = kube::Quantity::parse(request->scalar());
  return amount ? std::optional(*amount) : std::nullopt;
}

std::int64_t sum_of(std::int64_t one, std::int64_t other) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(one, other, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

// What all containers together request: the larger of the sum and of what an init container needs while it runs.
std::optional<std::string> total_request(const Tree& spec, const char* resource) {
  const bool is_cpu = std::string_view(resource) == "cpu";
  std::optional<kube::Quantity::Format> format;
  std::int64_t sum = 0;
  std::int64_t largest = 0;
  std::int64_t sidecars = 0;
  for (const char* list : {"initContainers", "containers"}) {
    for (const auto& container : spec.items_at({list})) {
      const auto request = request_of(container, resource);
      if (!request) continue;
      format = format.value_or(request->format());
      const auto amount = is_cpu ? request->milli_value() : request->value();
      const bool is_sidecar = container.text_at({"restartPolicy"}) == "Always";
      const bool runs_alone = std::string_view(list) == "initContainers" && !is_sidecar;
      if (runs_alone) largest = std::max(largest, sum_of(sidecars, amount));
      if (!runs_alone) sum = sum_of(sum, amount);
      if (is_sidecar) sidecars = sum_of(sidecars, amount);
    }
  }
  if (!format) return std::nullopt;
  const auto total = std::max(sum, largest);
  if (!is_cpu) return kube::Quantity(total, *format).text();
  const auto text = kube::Quantity::parse(std::to_string(total) + "m");
  return text ? std::optional(text->text()) : std::nullopt;
}

// A pod with limits of its own requests what its containers request, and else its limits.
void default_pod_requests(Tree& spec) {
  const auto limits = spec.copy_at({"resources", "limits"});
  if (limits.is_empty()) return;
  auto requests = spec.copy_at({"resources", "requests"});
  for (const char* resource : {"cpu", "memory"}) {
    if (requests.find(resource) != nullptr) continue;
    if (auto total = total_request(spec, resource)) requests[resource] = *total;
  }
  for (const auto& [name, limit] : limits.members()) {
    const bool is_supported = name == "cpu" || name == "memory" || name.starts_with("hugepages-");
    if (is_supported) requests.set_default(name, limit);
  }
  spec["resources"]["requests"] = requests;
}

// In the network of the node, the port of a container is a port of the node.
void default_host_ports(Tree& container) {
  for (auto& port : container.items_of("ports")) {
    const auto number = port.integer_at({"containerPort"});
    if (number != 0 && port.integer_at({"hostPort"}) == 0) port["hostPort"] = number;
  }
}

// The request of a resource defaults to its limit.
void default_requests(Tree& container) {
  Tree* resources = container.find("resources");
  const Tree* found = resources != nullptr ? resources->find("limits") : nullptr;
  if (found == nullptr) return;
  const auto limits = *found;
  resources->set_default("requests", Tree::object());
  for (const auto& [name, limit] : limits.members()) (*resources)["requests"].set_default(name, limit);
}

bool names_all(const Tree* resources) {
  return resources != nullptr && resources->find("cpu") != nullptr && resources->find("memory") != nullptr;
}

bool names_any(const Tree* resources) {
  return resources != nullptr && (resources->find("cpu") != nullptr || resources->find("memory") != nullptr);
}

}  // namespace

void default_container(Tree& container) {
  if (container.text_at({"imagePullPolicy"}).empty()) {
    container["imagePullPolicy"] = pull_policy(container, "image");
  }
  // The field of a disabled feature.
  if (Tree* lifecycle = container.find("lifecycle"); lifecycle != nullptr && lifecycle->find("stopSignal") != nullptr) {
    lifecycle->erase("stopSignal");
    if (lifecycle->is_empty()) container.erase("lifecycle");
  }
}

void default_volume(Tree& volume) {
  // A volume without a source is an emptyDir.
  if (volume.members().size() == 1 && volume.find("name") != nullptr) volume["emptyDir"] = Tree::object();
  Tree* image = volume.find("image");
  if (image != nullptr && image->is_object() && image->text_at({"pullPolicy"}).empty()) {
    (*image)["pullPolicy"] = pull_policy(*image, "reference");
  }
}

void default_pod_spec(Tree& spec) {
  // serviceAccount is the deprecated name of the same field.
  if (auto account = spec.text_at({"serviceAccountName"}); !account.empty()) {
    spec["serviceAccount"] = account;
  } else if (auto old = spec.text_at({"serviceAccount"}); !old.empty()) {
    spec["serviceAccountName"] = old;
  }
}

void default_pod(Tree& pod) {
  Tree* spec = pod.find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  for_each_container(*spec, default_requests);
  default_pod_requests(*spec);
  if (spec->is_true_at({"hostNetwork"})) for_each_container(*spec, default_host_ports);
}

std::string qos_class(const Tree& spec) {
  // The resources of the pod decide alone, if it has its own.
  const Tree* own = spec.find("resources");
  const bool has_own = own != nullptr && !own->is_empty();
  bool has_any = false;
  bool is_guaranteed = true;
  const auto count = [&](const Tree& resources) {
    const Tree* limits = resources.find("limits");
    const Tree* requests = resources.find("requests");
    has_any = has_any || names_any(limits) || names_any(requests);
    const bool is_bound = names_all(limits) && (requests == nullptr || *requests == *limits);
    is_guaranteed = is_guaranteed && is_bound;
  };
  if (has_own) count(*own);
  for (const char* list : {"containers", "initContainers"}) {
    if (has_own) break;
    for (const auto& container : spec.items_at({list})) count(container.copy_at({"resources"}));
  }
  if (!has_any) return "BestEffort";
  return is_guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace keelson::sandbox
