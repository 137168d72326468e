#include "src/program/commands/generate.hpp"

#include <algorithm>
#include <optional>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/detail/schema/sample.hpp"
#include "keelson/json/writer.hpp"
#include "src/program/commands/generate_rbac.hpp"
#include "src/program/commands/generate_state_metrics.hpp"

namespace keelson::program {

namespace {

using Files = std::vector<GeneratedFile>;

constexpr std::string_view kCrdHead =
    "# The kinds, without the manager: `kubectl apply -k config/crd`.\n"
    "resources:\n";
constexpr std::string_view kSamplesHead =
    "# One object of each kind: `kubectl apply -k config/samples`.\n"
    "resources:\n";

// The kustomization.yaml of a folder: `head`, then the files of the folder.
std::string kustomization(std::string_view head, std::string_view folder, const Files& files) {
  std::vector<std::string> paths;
  for (const GeneratedFile& file : files) paths.push_back(file.path.substr(folder.size()));
  std::ranges::sort(paths);
  std::string out(head);
  for (const std::string& path : paths) out += "- " + path + "\n";
  return out;
}

std::string first_label(const kube::Kind& kind) { return kind.resource.group.substr(0, kind.resource.group.find('.')); }

void generate_crds(const Declarations& declared, Files& out) {
  Files files;
  for (const auto& kind : controller::kinds_of(declared.controllers)) {
    files.push_back({"crd/bases/" + kind.resource.group + "_" + kind.resource.plural + ".yaml",
                     kube::custom_resource_definition_yaml(kind)});
  }
  // kubectl rejects a kustomization without resources.
  if (files.empty()) return;
  files.push_back({"crd/kustomization.yaml", kustomization(kCrdHead, "crd/", files)});
  out.insert(out.end(), files.begin(), files.end());
}

// kubebuilder's names have only the first label of the group, so two kinds can have the same name.
std::string sample_path(const kube::Kind& kind, const std::vector<kube::Kind>& all) {
  const auto path = [&](const std::string& group, const kube::Kind& of) {
    return "samples/" + group + "_" + of.resource.version + "_" + base::to_lower(of.resource.kind) + ".yaml";
  };
  const auto own = path(first_label(kind), kind);
  const auto is_same = [&](const kube::Kind& other) { return path(first_label(other), other) == own; };
  return std::ranges::count_if(all, is_same) > 1 ? path(kind.resource.group, kind) : own;
}

// The controller creates the objects of a kind that it also defines: such a kind has a sample only if its author wrote
// one.
std::optional<std::string> sample_of(const kube::Kind& kind, const Declarations& declared) {
  if (!kind.sample.empty()) return kind.sample;
  const auto& controllers = declared.controllers;
  const auto is_reconciled = [&](const auto& definition) { return definition.resource() == kind.resource; };
  return std::ranges::any_of(controllers, is_reconciled) ? kube::sample_of(kind) : std::nullopt;
}

void generate_samples(const Declarations& declared, Files& out) {
  Files files;
  const auto kinds = controller::kinds_of(declared.controllers);
  for (const auto& kind : kinds) {
    if (auto sample = sample_of(kind, declared)) files.push_back({sample_path(kind, kinds), std::move(*sample)});
  }
  if (files.empty()) return;
  files.push_back({"samples/kustomization.yaml", kustomization(kSamplesHead, "samples/", files)});
  out.insert(out.end(), files.begin(), files.end());
}

// The configurations have no caBundle: an apply would remove the one that the manager or cert-manager has written.
void write_service(json::Writer& writer, const std::string& path) {
  writer.key("service").begin_object();
  writer.field("name", "webhook-service").field("namespace", "system").field("path", path);
  writer.end_object();
}

// config/webhook, as kubebuilder writes it. No file without webhooks.
void generate_webhooks(const Declarations& declared, Files& out) {
  const auto webhooks = controller::webhooks_of(declared.controllers, declared.webhooks);
  std::string content;
  for (auto& configuration : controller::webhook_configurations(webhooks, write_service)) {
    const auto document = json::Document::parse(std::move(configuration.json));
    KEELSON_ASSERT(document.has_value());
    content += "---\n" + json::to_yaml(document->root());
  }
  if (!content.empty()) out.push_back({"webhook/manifests.yaml", std::move(content)});
}

void generate_state_metrics(const Declarations& declared, Files& out) {
  auto content = state_metrics_yaml(declared.controllers, declared.name);
  if (!content.empty()) out.push_back({"kube-state-metrics.yaml", std::move(content)});
}

struct Part {
  std::string_view name;
  void (*generate)(const Declarations& declared, Files& out);
  bool is_in_all = true;  // part of the kustomize tree, which `all` writes
};

// The table of the parts.
constexpr Part kParts[] = {
    {"crd", generate_crds},
    {"rbac", generate_rbac},
    {"samples", generate_samples},
    {"webhook", generate_webhooks},
    {"kube-state-metrics", generate_state_metrics, false},
};

}  // namespace

std::string short_name(const kube::Kind& kind, const std::vector<kube::Kind>& all) {
  const auto count = [&](const auto& name_of) {
    return std::ranges::count_if(all, [&](const kube::Kind& other) { return name_of(other) == name_of(kind); });
  };
  const auto bare = [](const kube::Kind& of) { return base::to_lower(of.resource.kind); };
  const auto labelled = [&](const kube::Kind& of) { return first_label(of) + "-" + bare(of); };
  if (count(bare) == 1) return bare(kind);
  return count(labelled) == 1 ? labelled(kind) : kind.resource.group + "-" + bare(kind);
}

Result<std::vector<GeneratedFile>> generate(std::string_view what, const Declarations& declarations) {
  Files files;
  bool is_known = what == "all";
  for (const Part& part : kParts) {
    if (what != part.name && (what != "all" || !part.is_in_all)) continue;
    is_known = true;
    part.generate(declarations, files);
  }
  if (!is_known) {
    return invalid_error("cannot generate \"" + std::string(what) +
                         "\": use crd, rbac, samples, webhook, all or kube-state-metrics");
  }
  std::ranges::sort(files, [](const auto& left, const auto& right) { return left.path < right.path; });
  const auto same = [](const auto& left, const auto& right) { return left.path == right.path; };
  const auto twice = std::ranges::adjacent_find(files, same);
  if (twice != files.end()) return invalid_error("two kinds would be written to " + twice->path);
  return files;
}

}  // namespace keelson::program
