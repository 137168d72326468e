#include "src/sandbox/validation/spec_validation.hpp"

#include <algorithm>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/storage/label_selector.hpp"

namespace keelson::sandbox {

namespace {

using Errors = std::vector<FieldError>;

std::string entry(const std::string& list, std::size_t index) { return list + "[" + std::to_string(index) + "]"; }

void required(Errors& errors, std::string field, const std::string& why = "") {
  errors.push_back({FieldReason::kRequired, std::move(field), {}, why});
}

void not_valid(Errors& errors, std::string field, const std::string& value, const std::string& why) {
  errors.push_back({FieldReason::kInvalid, std::move(field), value, why});
}

void duplicate(Errors& errors, std::string field, const std::string& value) {
  errors.push_back({FieldReason::kDuplicate, std::move(field), base::quote_go(value)});
}

void unsupported(Errors& errors, std::string field, const std::string& value, const std::string& supported) {
  errors.push_back({FieldReason::kNotSupported, std::move(field), base::quote_go(value), supported});
}

bool is_label(std::string_view name) {
  auto is_inner = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 63 && is_inner(name.front()) && is_inner(name.back()) &&
         std::ranges::all_of(name, [&](char c) { return is_inner(c) || c == '-'; });
}

bool is_port(std::int64_t port) { return port >= 1 && port <= 65535; }
constexpr const char* kPortRange = "must be between 1 and 65535, inclusive";

void check_protocol(Errors& errors, const Tree& port, const std::string& field) {
  auto protocol = port.text_at({"protocol"});
  if (protocol.empty() || protocol == "TCP" || protocol == "UDP" || protocol == "SCTP") return;
  unsupported(errors, field + ".protocol", protocol, R"("SCTP", "TCP", "UDP")");
}

void check_container_ports(Errors& errors, const Tree& container, const std::string& field) {
  std::size_t index = 0;
  for (const auto& port : container.items_at({"ports"})) {
    auto at = entry(field + ".ports", index++);
    auto number = port.integer_at({"containerPort"});
    if (number == 0) {
      required(errors, at + ".containerPort");
    } else if (!is_port(number)) {
      not_valid(errors, at + ".containerPort", std::to_string(number), kPortRange);
    }
    check_protocol(errors, port, at);
  }
}

// The validation of a pod spec, for the fields that every container has.
class PodSpec {
 public:
  PodSpec(const Tree& spec, std::string field, Errors& errors)
      : spec_(spec), field_(std::move(field)), errors_(errors) {}

  // A claim template of a StatefulSet, which its pods can mount.
  void add_claim(const std::string& name) { claims_.insert(name); }

  void check() {
    check_volumes();
    if (spec_.items_at({"containers"}).empty()) required(errors_, field_ + ".containers");
    std::size_t index = 0;
    for (const auto& container : spec_.items_at({"containers"})) {
      auto at = entry(field_ + ".containers", index++);
      check_name(container, at);
      check_container(container, at);
    }
    index = 0;
    for (const auto& container : spec_.items_at({"initContainers"})) {
      auto at = entry(field_ + ".initContainers", index++);
      check_container(container, at);
      check_name(container, at);
    }
  }

 private:
  void check_volumes() {
    std::size_t index = 0;
    for (const auto& volume : spec_.items_at({"volumes"})) {
      auto at = entry(field_ + ".volumes", index++);
      auto name = volume.text_at({"name"});
      if (name.empty()) {
        required(errors_, at + ".name");
      } else if (!volumes_.insert(name).second) {
        duplicate(errors_, at + ".name", name);
      }
    }
  }

  void check_name(const Tree& container, const std::string& at) {
    auto name = container.text_at({"name"});
    if (name.empty()) {
      required(errors_, at + ".name");
    } else if (!is_label(name)) {
      not_valid(errors_, at + ".name", base::quote_go(name),
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
                "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
                "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
    } else if (!names_.insert(name).second) {
      duplicate(errors_, at + ".name", name);
    }
  }

  void check_container(const Tree& container, const std::string& at) {
    auto image = container.text_at({"image"});
    if (image.empty()) {
      required(errors_, at + ".image");
    } else if (base::trim(image).size() != image.size()) {
      not_valid(errors_, at + ".image", base::quote_go(image), "must not have leading or trailing whitespace");
    }
    check_container_ports(errors_, container, at);
    std::size_t index = 0;
    for (const auto& variable : container.items_at({"env"})) {
      auto here = entry(at + ".env", index++);
      if (variable.text_at({"name"}).empty()) required(errors_, here + ".name");
    }
    check_mounts(container, at);
  }

  void check_mounts(const Tree& container, const std::string& at) {
    std::size_t index = 0;
    for (const auto& mount : container.items_at({"volumeMounts"})) {
      auto here = entry(at + ".volumeMounts", index++);
      auto name = mount.text_at({"name"});
      if (name.empty()) {
        required(errors_, here + ".name");
      } else if (!volumes_.contains(name) && !claims_.contains(name)) {
        errors_.push_back({FieldReason::kNotFound, here + ".name", base::quote_go(name)});
      }
      if (mount.text_at({"mountPath"}).empty()) required(errors_, here + ".mountPath");
    }
  }

  const Tree& spec_;
  std::string field_;
  Errors& errors_;
  std::set<std::string> volumes_;
  std::set<std::string> claims_;
  std::set<std::string> names_;
};

bool has_selector(const Tree& selector) {
  return !selector.members_at({"matchLabels"}).empty() || !selector.items_at({"matchExpressions"}).empty();
}

// Deployments, ReplicaSets, StatefulSets and DaemonSets.
void check_workload(const std::string& kind, const Tree& spec, Errors& errors) {
  const Tree* selector = spec.find("selector");
  const auto pod = spec.copy_at({"template"});
  const auto spec_of_pod = pod.copy_at({"spec"});
  const Tree* labels = pod.at({"metadata", "labels"});
  if (selector == nullptr && kind != "DaemonSet") required(errors, "spec.selector");
  if (selector == nullptr || !selects_labels(*selector, labels_in(labels))) {
    not_valid(errors, "spec.template.metadata.labels", labels != nullptr ? labels->text() : "null",
              "`selector` does not match template `labels`");
  } else if (!has_selector(*selector)) {
    auto name = kind == "StatefulSet" ? "statefulset" : kind == "DaemonSet" ? "daemonset" : "deployment";
    not_valid(errors, "spec.selector", "{}", std::string("empty selector is invalid for ") + name);
  }
  auto replicas = spec.integer_at({"replicas"});
  if (replicas < 0) {
    not_valid(errors, "spec.replicas", std::to_string(replicas), "must be greater than or equal to 0");
  }
  PodSpec pod_spec(spec_of_pod, "spec.template.spec", errors);
  for (const auto& claim : spec.items_at({"volumeClaimTemplates"})) {
    pod_spec.add_claim(claim.text_at({"metadata", "name"}));
  }
  pod_spec.check();
  auto restart = pod.text_at({"spec", "restartPolicy"});
  if (!restart.empty() && restart != "Always") {
    unsupported(errors, "spec.template.spec.restartPolicy", restart, "\"Always\"");
  }
}

void check_job(const Tree& spec, const std::string& field, Errors& errors) {
  for (const char* name : {"parallelism", "completions", "backoffLimit"}) {
    auto count = spec.integer_at({name});
    if (count < 0) {
      not_valid(errors, field + "." + name, std::to_string(count), "must be greater than or equal to 0");
    }
  }
  PodSpec(spec.copy_at({"template", "spec"}), field + ".template.spec", errors).check();
  auto restart = spec.text_at({"template", "spec", "restartPolicy"});
  if (restart.empty() || restart == "Always") {
    required(errors, field + ".template.spec.restartPolicy", R"(valid values: "OnFailure", "Never")");
  }
}

void check_cron_job(const Tree& spec, Errors& errors) {
  if (spec.text_at({"schedule"}).empty()) required(errors, "spec.schedule");
  check_job(spec.copy_at({"jobTemplate", "spec"}), "spec.jobTemplate.spec", errors);
}

void check_service_port(const Tree& port, const std::string& at, Errors& errors) {
  auto number = port.integer_at({"port"});
  if (!is_port(number)) not_valid(errors, at + ".port", std::to_string(number), kPortRange);
  check_protocol(errors, port, at);
  const Tree* target = port.find("targetPort");
  const bool is_number = target == nullptr || target->type() == Tree::Type::kNumber;
  auto aim = port.integer_at({"targetPort"}, number);
  if (aim == 0) aim = number;
  if (is_number && !is_port(aim)) not_valid(errors, at + ".targetPort", std::to_string(aim), kPortRange);
}

void check_service(const Tree& spec, Errors& errors) {
  const auto& ports = spec.items_at({"ports"});
  auto type = spec.text_at({"type"});
  const bool may_have_none = spec.text_at({"clusterIP"}) == "None" || type == "ExternalName";
  if (ports.empty() && !may_have_none) required(errors, "spec.ports");
  std::set<std::string> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    auto at = entry("spec.ports", i);
    auto name = ports[i].text_at({"name"});
    if (name.empty() && ports.size() > 1) required(errors, at + ".name");
    if (!name.empty() && !names.insert(name).second) duplicate(errors, at + ".name", name);
    check_service_port(ports[i], at, errors);
  }
  if (type == "ExternalName" && spec.text_at({"externalName"}).empty()) required(errors, "spec.externalName");
}

}  // namespace

void validate_spec(const ServedKind& kind, const Tree* before, const Tree& after, Errors& errors) {
  if (kind.is_custom) return;
  const auto spec = after.copy_at({"spec"});
  if (before != nullptr && before->copy_at({"spec"}) == spec) return;
  const auto& group = kind.resource.group;
  const auto& name = kind.resource.kind;
  static const std::set<std::string_view> kWorkloads{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"};
  if (group == "apps" && kWorkloads.contains(name)) return check_workload(name, spec, errors);
  if (group == "batch" && name == "Job") return check_job(spec, "spec", errors);
  if (group == "batch" && name == "CronJob") return check_cron_job(spec, errors);
  if (group.empty() && name == "Pod") return PodSpec(spec, "spec", errors).check();
  if (group.empty() && name == "Service") check_service(spec, errors);
}

}  // namespace keelson::sandbox
