#include "src/sandbox/admission/pod_security.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kPrefix = "pod-security.kubernetes.io/";
// The pods of a namespace that are checked when its level changes, as in kube-apiserver.
constexpr std::size_t kMostCheckedPods = 3000;

using Names = std::vector<std::string>;

std::string one_or_more(const char* one, std::size_t count) { return count == 1 ? one : std::string(one) + "s"; }

std::string named_containers(const Names& names) {
  return one_or_more("container", names.size()) + " " + quoted_words(names);
}

// "pod and container "a"".
std::string setters(bool is_pod, const Names& containers) {
  std::string text = is_pod ? "pod" : "";
  if (containers.empty()) return text;
  return text + (is_pod ? " and " : "") + named_containers(containers);
}

bool is_false_at(const Tree& value, std::initializer_list<std::string_view> path) {
  const Tree* found = value.at(path);
  return found != nullptr && *found == Tree(false);
}

struct Finding {
  std::string reason;
  std::string detail;
};

// The checks of a pod, in kube-apiserver's order: those of the level baseline and then those of restricted, each by
// name.
class SecurityCheck {
 public:
  SecurityCheck(const Tree& spec, bool is_restricted) : spec_(spec), is_restricted_(is_restricted) {
    for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
      for (const auto& container : spec.items_at({list})) containers_.push_back(&container);
    }
    is_windows_ = spec.text_at({"os", "name"}) == "windows";
    has_user_namespace_ = is_false_at(spec, {"hostUsers"});
  }

  [[nodiscard]] std::vector<Finding> findings() {
    check_app_armor();
    if (!is_restricted_) check_added_capabilities();
    check_host_namespaces();
    if (!is_restricted_) check_host_paths();
    check_host_ports();
    check_probe_hosts();
    check_privileged();
    if (!is_restricted_ && !has_user_namespace_) check_proc_mount();
    check_se_linux();
    if (!is_restricted_) check_profile("seccompProfile", false);
    check_sysctls();
    check_host_process();
    if (is_restricted_) check_restricted();
    return std::move(findings_);
  }

 private:
  void check_restricted() {
    if (!is_windows_) check_escalation();
    if (!is_windows_) check_dropped_capabilities();
    check_proc_mount();
    check_volume_types();
    if (!has_user_namespace_) check_non_root();
    if (!has_user_namespace_) check_root_user();
    if (!is_windows_) check_profile("seccompProfile", true);
  }

  template <class Test>
  [[nodiscard]] Names containers_that(Test test) const {
    Names names;
    for (const auto* container : containers_) {
      if (test(*container)) names.push_back(container->text_at({"name"}));
    }
    return names;
  }

  void add(std::string reason, std::string detail) { findings_.push_back({std::move(reason), std::move(detail)}); }

  static bool is_profile(const std::string& type) { return type == "RuntimeDefault" || type == "Localhost"; }

  void check_app_armor() {
    std::set<std::string> bad;
    auto is_bad = [&bad](const Tree& owner) {
      const Tree* profile = owner.at({"securityContext", "appArmorProfile"});
      const auto type = profile != nullptr ? profile->text_at({"type"}) : std::string();
      const bool is_forbidden = profile != nullptr && !is_profile(type);
      if (is_forbidden) bad.insert(type);
      return is_forbidden;
    };
    const bool is_pod = is_bad(spec_);
    const auto names = containers_that(is_bad);
    if (!is_pod && names.empty()) return;
    add(one_or_more("forbidden AppArmor profile", bad.size()),
        setters(is_pod, names) + " must not set AppArmor profile type to " + quoted_words(bad));
  }

  void check_added_capabilities() {
    constexpr std::string_view kAllowed =
        "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID "
        "SYS_CHROOT";
    std::set<std::string> bad;
    const auto names = containers_that([&](const Tree& container) {
      bool is_bad = false;
      for (const auto& one : container.texts_at({"securityContext", "capabilities", "add"})) {
        if (has_word(kAllowed, one)) continue;
        bad.insert(one);
        is_bad = true;
      }
      return is_bad;
    });
    if (names.empty()) return;
    add("non-default capabilities",
        named_containers(names) + " must not include " + quoted_words(bad) + " in securityContext.capabilities.add");
  }

  void check_dropped_capabilities() {
    std::set<std::string> bad;
    const auto missing = containers_that([](const Tree& container) {
      return !contains(container.texts_at({"securityContext", "capabilities", "drop"}), "ALL");
    });
    const auto adding = containers_that([&bad](const Tree& container) {
      bool is_bad = false;
      for (const auto& one : container.texts_at({"securityContext", "capabilities", "add"})) {
        if (one == "NET_BIND_SERVICE") continue;
        bad.insert(one);
        is_bad = true;
      }
      return is_bad;
    });
    std::string detail;
    if (!missing.empty()) detail = named_containers(missing) + R"( must set securityContext.capabilities.drop=["ALL"])";
    if (!adding.empty()) {
      detail += (detail.empty() ? "" : "; ") + named_containers(adding) + " must not include " + quoted_words(bad) +
                " in securityContext.capabilities.add";
    }
    if (!detail.empty()) add("unrestricted capabilities", detail);
  }

  void check_host_namespaces() {
    std::string detail;
    for (const char* name : {"hostNetwork", "hostPID", "hostIPC"}) {
      if (spec_.is_true_at({name})) detail += (detail.empty() ? "" : ", ") + std::string(name) + "=true";
    }
    if (!detail.empty()) add("host namespaces", detail);
  }

  void check_host_paths() {
    Names names;
    for (const auto& volume : spec_.items_at({"volumes"})) {
      if (volume.find("hostPath") != nullptr) names.push_back(volume.text_at({"name"}));
    }
    if (!names.empty()) add("hostPath volumes", one_or_more("volume", names.size()) + " " + quoted_words(names));
  }

  void check_host_ports() {
    std::set<std::string> ports;
    const auto names = containers_that([&ports](const Tree& container) {
      bool is_bad = false;
      for (const auto& port : container.items_at({"ports"})) {
        const auto number = port.integer_at({"hostPort"});
        if (number == 0) continue;
        ports.insert(std::to_string(number));
        is_bad = true;
      }
      return is_bad;
    });
    if (names.empty()) return;
    std::string list;
    for (const auto& port : ports) list += (list.empty() ? "" : ", ") + port;
    add("hostPort", named_containers(names) + (names.size() == 1 ? " uses " : " use ") +
                        one_or_more("hostPort", ports.size()) + " " + list);
  }

  void check_probe_hosts() {
    std::set<std::string> hosts;
    auto read = [&hosts](const Tree* handler) {
      bool has_host = false;
      for (const char* how : {"httpGet", "tcpSocket"}) {
        const auto host = handler != nullptr ? handler->text_at({how, "host"}) : std::string();
        if (host.empty()) continue;
        hosts.insert(host);
        has_host = true;
      }
      return has_host;
    };
    const auto names = containers_that([&read](const Tree& container) {
      bool is_bad = false;
      for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
        is_bad = read(container.find(probe)) || is_bad;
      }
      for (const char* hook : {"postStart", "preStop"}) is_bad = read(container.at({"lifecycle", hook})) || is_bad;
      return is_bad;
    });
    if (names.empty()) return;
    const std::set<std::string> sorted(names.begin(), names.end());
    add("probe or lifecycle host",
        one_or_more("container", names.size()) + " " + quoted_words(sorted) + (names.size() == 1 ? " uses " : " use ") +
            one_or_more("probe or lifecycle host", hosts.size()) + " " + quoted_words(hosts));
  }

  void check_privileged() {
    const auto names = containers_that([](const Tree& container) {
      return container.is_true_at({"securityContext", "privileged"});
    });
    if (!names.empty()) add("privileged", named_containers(names) + " must not set securityContext.privileged=true");
  }

  void check_proc_mount() {
    std::set<std::string> bad;
    const auto names = containers_that([&bad](const Tree& container) {
      const auto type = container.text_at({"securityContext", "procMount"});
      const bool is_bad = !type.empty() && type != "Default";
      if (is_bad) bad.insert(type);
      return is_bad;
    });
    if (names.empty()) return;
    add("procMount", named_containers(names) + " must not set securityContext.procMount to " + quoted_words(bad));
  }

  void check_se_linux() {
    constexpr std::string_view kTypes = "container_t container_init_t container_kvm_t container_engine_t";
    std::set<std::string> types;
    bool has_user = false;
    bool has_role = false;
    auto is_bad = [&](const Tree& owner) {
      const auto options = owner.copy_at({"securityContext", "seLinuxOptions"});
      const auto type = options.text_at({"type"});
      const bool has_type = !type.empty() && !has_word(kTypes, type);
      const bool sets_user = !options.text_at({"user"}).empty();
      const bool sets_role = !options.text_at({"role"}).empty();
      if (has_type) types.insert(type);
      has_user = has_user || sets_user;
      has_role = has_role || sets_role;
      return has_type || sets_user || sets_role;
    };
    const bool is_pod = is_bad(spec_);
    const auto names = containers_that(is_bad);
    if (!is_pod && names.empty()) return;
    std::string data;
    if (!types.empty()) data = one_or_more("type", types.size()) + " " + quoted_words(types);
    if (has_user) data += (data.empty() ? "" : "; ") + std::string("user may not be set");
    if (has_role) data += (data.empty() ? "" : "; ") + std::string("role may not be set");
    add("seLinuxOptions", setters(is_pod, names) + " set forbidden securityContext.seLinuxOptions: " + data);
  }

  // A profile that is set must be an allowed one. If it is required, the pod or each container has one.
  void check_profile(const char* field, bool is_required) {
    std::set<std::string> bad;
    bool is_set = false;
    auto is_bad = [&](const Tree& owner) {
      const Tree* profile = owner.at({"securityContext", field});
      is_set = profile != nullptr;
      const bool is_forbidden = is_set && !is_profile(profile->text_at({"type"}));
      if (is_forbidden) bad.insert(profile->text_at({"type"}));
      return is_forbidden;
    };
    const bool is_pod = is_bad(spec_);
    const bool has_pod = is_set && !is_pod;
    const auto names = containers_that(is_bad);
    const auto start = std::string(field);
    if (is_pod || !names.empty()) {
      return add(start,
                 setters(is_pod, names) + " must not set securityContext." + start + ".type to " + quoted_words(bad));
    }
    if (!is_required || has_pod) return;
    const auto missing = containers_that([field](const Tree& container) {
      return container.at({"securityContext", field}) == nullptr;
    });
    if (missing.empty()) return;
    add(start, "pod or " + named_containers(missing) + " must set securityContext." + start +
                   R"(.type to "RuntimeDefault" or "Localhost")");
  }

  void check_sysctls() {
    constexpr std::string_view kAllowed =
        "kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range "
        "net.ipv4.ip_unprivileged_port_start net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time "
        "net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes net.ipv4.tcp_rmem "
        "net.ipv4.tcp_wmem";
    std::string detail;
    for (const auto& sysctl : spec_.items_at({"securityContext", "sysctls"})) {
      const auto name = sysctl.text_at({"name"});
      if (!has_word(kAllowed, name)) detail += (detail.empty() ? "" : ", ") + name;
    }
    if (!detail.empty()) add("forbidden sysctls", detail);
  }

  void check_host_process() {
    auto is_bad = [](const Tree& owner) {
      return owner.is_true_at({"securityContext", "windowsOptions", "hostProcess"});
    };
    const bool is_pod = is_bad(spec_);
    const auto names = containers_that(is_bad);
    if (!is_pod && names.empty()) return;
    add("hostProcess", setters(is_pod, names) + " must not set securityContext.windowsOptions.hostProcess=true");
  }

  void check_escalation() {
    const auto names = containers_that([](const Tree& container) {
      return !is_false_at(container, {"securityContext", "allowPrivilegeEscalation"});
    });
    if (names.empty()) return;
    add("allowPrivilegeEscalation != false",
        named_containers(names) + " must set securityContext.allowPrivilegeEscalation=false");
  }

  void check_volume_types() {
    constexpr std::string_view kAllowed =
        "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret";
    constexpr std::string_view kKnown =
        "hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs "
        "flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos";
    Names names;
    std::set<std::string> types;
    for (const auto& volume : spec_.items_at({"volumes"})) {
      std::string type = "unknown";
      for (const auto& [name, value] : volume.members()) {
        if (has_word(kAllowed, name) || has_word(kKnown, name)) type = name;
      }
      if (has_word(kAllowed, type)) continue;
      names.push_back(volume.text_at({"name"}));
      types.insert(type);
    }
    if (names.empty()) return;
    add("restricted volume types", one_or_more("volume", names.size()) + " " + quoted_words(names) +
                                       (names.size() == 1 ? " uses " : " use ") +
                                       one_or_more("restricted volume type", types.size()) + " " + quoted_words(types));
  }

  void check_non_root() {
    constexpr const char* kReason = "runAsNonRoot != true";
    auto sets_false = [](const Tree& owner) { return is_false_at(owner, {"securityContext", "runAsNonRoot"}); };
    const bool is_pod = sets_false(spec_);
    const auto names = containers_that(sets_false);
    if (is_pod || !names.empty()) {
      return add(kReason, setters(is_pod, names) + " must not set securityContext.runAsNonRoot=false");
    }
    if (spec_.is_true_at({"securityContext", "runAsNonRoot"})) return;
    const auto missing = containers_that([](const Tree& container) {
      return !container.is_true_at({"securityContext", "runAsNonRoot"});
    });
    if (missing.empty()) return;
    add(kReason, "pod or " + named_containers(missing) + " must set securityContext.runAsNonRoot=true");
  }

  void check_root_user() {
    auto is_root = [](const Tree& owner) { return owner.integer_at({"securityContext", "runAsUser"}, 1) == 0; };
    const bool is_pod = is_root(spec_);
    const auto names = containers_that(is_root);
    if (!is_pod && names.empty()) return;
    add("runAsUser=0", setters(is_pod, names) + " must not set runAsUser=0");
  }

  const Tree& spec_;
  bool is_restricted_;
  bool is_windows_ = false;
  bool has_user_namespace_ = false;
  std::vector<const Tree*> containers_;
  std::vector<Finding> findings_;
};

struct SecurityLevel {
  std::string level;  // empty or "privileged": everything is allowed
  std::string text;   // "restricted:latest"
  [[nodiscard]] bool is_open() const { return level != "baseline" && level != "restricted"; }
};

SecurityLevel level_of(const Tree& ns, const std::string& mode) {
  const auto level = ns.text_at({"metadata", "labels", kPrefix + mode});
  auto version = ns.text_at({"metadata", "labels", kPrefix + mode + "-version"});
  if (version.empty()) version = "latest";
  return {level, level + ":" + version};
}

std::vector<Finding> findings_of_level(const SecurityLevel& level, const Tree& spec) {
  if (level.is_open()) return {};
  return SecurityCheck(spec, level.level == "restricted").findings();
}

std::string details_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const auto& finding : findings) {
    text += (text.empty() ? "" : ", ") + finding.reason + " (" + finding.detail + ")";
  }
  return text;
}

const Tree* pod_spec_in(const kube::Resource& resource, const Tree& object) {
  if (resource == kube::pods()) return object.find("spec");
  if (resource.plural == "podtemplates") return object.at({"template", "spec"});
  if (resource.plural == "cronjobs") return object.at({"spec", "jobTemplate", "spec", "template", "spec"});
  return object.at({"spec", "template", "spec"});
}

bool is_version(const std::string& text) {
  if (text == "latest") return true;
  return text.starts_with("v1.") && base::parse_number<std::uint16_t>(text.substr(3)).has_value();
}

}  // namespace

bool warns_about_pods(const World& world, const std::string& ns) {
  const auto* entry = world.store.find(*world.kinds.find(kube::namespaces()), kube::Key("", ns));
  return entry != nullptr && !level_of(entry->stored().tree, "warn").is_open();
}

bool has_pod_spec(const kube::Resource& resource) {
  constexpr std::string_view kCore = "pods podtemplates replicationcontrollers";
  constexpr std::string_view kApps = "deployments replicasets statefulsets daemonsets";
  if (resource.group.empty()) return has_word(kCore, resource.plural);
  if (resource.group == "apps") return has_word(kApps, resource.plural);
  return resource.group == "batch" && has_word("jobs cronjobs", resource.plural);
}

PodSecurityResult check_pod_security(const World& world, const kube::Resource& resource, const Tree& object) {
  PodSecurityResult result;
  const auto ns_name = object.text_at({"metadata", "namespace"});
  const auto* entry = world.store.find(*world.kinds.find(kube::namespaces()), kube::Key("", ns_name));
  const Tree* spec = pod_spec_in(resource, object);
  if (entry == nullptr || spec == nullptr) return result;
  const auto& ns = entry->stored().tree;
  if (resource == kube::pods()) {
    const auto enforced = level_of(ns, "enforce");
    const auto findings = findings_of_level(enforced, *spec);
    if (!findings.empty()) {
      result.denied = "violates PodSecurity " + base::quote_go(enforced.text) + ": " + details_text(findings);
      return result;
    }
  }
  const auto warned = level_of(ns, "warn");
  const auto findings = findings_of_level(warned, *spec);
  if (findings.empty()) return result;
  result.warnings.push_back("would violate PodSecurity " + base::quote_go(warned.text) + ": " + details_text(findings));
  return result;
}

void check_security_labels(const Tree* before, const Tree& after, FieldErrors& errors) {
  for (const char* mode : {"enforce", "audit", "warn"}) {
    for (const char* suffix : {"", "-version"}) {
      const auto label = std::string(kPrefix) + mode + suffix;
      const Tree* value = after.at({"metadata", "labels", label});
      const bool is_level = suffix[0] == '\0';
      if (value == nullptr) continue;
      const auto& text = value->scalar();
      const bool is_old = before != nullptr && before->text_at({"metadata", "labels", label}) == text;
      const bool is_fine = is_level ? has_word("privileged baseline restricted", text) : is_version(text);
      if (is_old || is_fine) continue;
      errors.invalid("metadata.labels[" + label + "]", *value,
                     is_level ? "must be one of privileged, baseline, restricted" : R"(must be "latest" or "v1.x")");
    }
  }
}

std::vector<std::string> warnings_for_level(const World& world, const Tree& before, const Tree& after) {
  const auto level = level_of(after, "enforce");
  if (level.is_open() || level.text == level_of(before, "enforce").text) return {};
  const auto ns = after.text_at({"metadata", "name"});
  const auto& all = world.store.all(*world.kinds.find(kube::pods()));
  std::map<std::string, Names> pods_by_reasons;
  std::size_t checked = 0;
  for (auto entry = all.lower_bound(kube::Key(ns, "")); entry != all.end() && entry->first.ns == ns; ++entry) {
    if (++checked > kMostCheckedPods) break;
    const auto spec = entry->second.stored().tree.copy_at({"spec"});
    std::string reasons;
    for (const auto& finding : findings_of_level(level, spec)) {
      reasons += (reasons.empty() ? "" : ", ") + finding.reason;
    }
    if (!reasons.empty()) pods_by_reasons[reasons].push_back(entry->first.name);
  }
  std::vector<std::string> warnings;
  for (const auto& [reasons, names] : pods_by_reasons) {
    const auto more = names.size() - 1;
    const auto others = more == 0 ? "" : " (and " + std::to_string(more) + " other " + one_or_more("pod", more) + ")";
    warnings.push_back(names.front() + others + ": " + reasons);
  }
  std::ranges::sort(warnings);
  if (!warnings.empty()) {
    warnings.insert(warnings.begin(), "existing pods in namespace " + base::quote_go(ns) +
                                          " violate the new PodSecurity enforce level " + base::quote_go(level.text));
  }
  return warnings;
}

}  // namespace keelson::sandbox
