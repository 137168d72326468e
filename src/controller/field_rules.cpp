#include "src/controller/field_rules.hpp"

#include <algorithm>
#include <array>

namespace keelson::controller {

namespace {

struct Field {
  std::string_view parent;  // empty: any parent
  std::string_view name;
};

constexpr std::array kAtomicMaps{
    Field{"spec", "selector"},  // of a Service; a LabelSelector elsewhere
    Field{"", "nodeSelector"},      Field{"", "matchLabels"},    Field{"", "labelSelector"},
    Field{"", "namespaceSelector"}, Field{"", "objectSelector"}, Field{"", "podSelector"},
};

// The members by which a LabelSelector or a NodeSelectorTerm is recognized under any name.
constexpr std::array<std::string_view, 3> kSelectorMembers{"matchLabels", "matchExpressions", "matchFields"};

// The keys of these maps are data: Go does not omit an entry with an empty text.
constexpr std::array<std::string_view, 4> kTextMaps{"labels", "annotations", "data", "binaryData"};

// Fields with `omitempty` that are not pointers, in the Go types of Kubernetes 1.36.
constexpr std::array<std::string_view, 14> kLeftOutWhenZero{
    "paused",
    "hostNetwork",
    "hostPID",
    "hostIPC",
    "stdin",
    "stdinOnce",
    "tty",
    "readOnly",
    "hostPort",
    "nodePort",
    "minReadySeconds",
    "initialDelaySeconds",
    "publishNotReadyAddresses",
    "healthCheckNodePort",
};

struct Default {
  Field field;
  std::string_view text;
  int number = 0;
};

// Defaults of a PodSpec's fields that are not pointers: Kubernetes 1.36 treats an empty text or zero as absent.
constexpr std::array kDefaults{
    Default{{"", "schedulerName"}, "default-scheduler"},
    Default{{"", "dnsPolicy"}, "ClusterFirst"},
    Default{{"", "terminationMessagePath"}, "/dev/termination-log"},
    Default{{"", "terminationMessagePolicy"}, "File"},
    Default{{"", "protocol"}, "TCP"},
    Default{{"httpGet", "scheme"}, "HTTP"},
    Default{{"httpGet", "path"}, "/"},
    Default{{"fieldRef", "apiVersion"}, "v1"},
    Default{{"", "periodSeconds"}, "", 10},
    Default{{"", "timeoutSeconds"}, "", 1},
    Default{{"", "successThreshold"}, "", 1},
    Default{{"", "failureThreshold"}, "", 3},
};

template <class Table>
bool has(const Table& table, std::string_view name) {
  return std::ranges::find(table, name) != table.end();
}

}  // namespace

bool is_atomic_map(std::string_view parent, std::string_view name, json::View wanted) {
  if (!wanted.is_object()) return false;
  auto is_it = [&](const Field& field) {
    return field.name == name && (field.parent.empty() || field.parent == parent);
  };
  if (std::ranges::any_of(kAtomicMaps, is_it)) return true;
  auto is_member = [&](std::string_view member) { return !wanted.find(member).is_absent(); };
  return std::ranges::any_of(kSelectorMembers, is_member);
}

bool is_default_of_empty(std::string_view parent, std::string_view name, json::View actual, json::View wanted) {
  if (wanted.string() != "" && wanted.integer() != 0) return false;
  auto is_it = [&](const Default& entry) {
    if (entry.field.name != name || (!entry.field.parent.empty() && entry.field.parent != parent)) return false;
    return entry.text.empty() ? actual.integer() == entry.number : actual.string() == entry.text;
  };
  return std::ranges::any_of(kDefaults, is_it);
}

bool may_be_absent(std::string_view parent, std::string_view name, json::View wanted) {
  if (!wanted.has_value()) return true;
  if (wanted.is_object() || wanted.is_array()) return wanted.size() == 0;
  if (auto text = wanted.string()) return text->empty() && !has(kTextMaps, parent);
  if (!has(kLeftOutWhenZero, name)) return false;
  if (auto flag = wanted.boolean()) return !*flag;
  auto number = wanted.number();
  return number && *number == 0;
}

}  // namespace keelson::controller
