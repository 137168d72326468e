#include "src/program/generate.hpp"

#include <algorithm>

#include "keelson/base/text.hpp"
#include "keelson/kube/crd.hpp"
#include "src/program/generate_rbac.hpp"
#include "src/program/generate_webhook.hpp"

namespace keelson::program {

namespace {

using Definitions = std::vector<controller::Definition>;
using Files = std::vector<GeneratedFile>;

constexpr std::string_view kCrdHead =
    "# The kinds, without the manager: `kubectl apply -k config/crd`.\n"
    "resources:\n";
constexpr std::string_view kSamplesHead =
    "# One object of each kind: `kubectl apply -k config/samples`.\n"
    "resources:\n";

// A folder's kustomization.yaml: `head`, then what is in the folder.
std::string kustomization(std::string_view head, std::string_view folder, const Files& files) {
  std::vector<std::string> paths;
  for (const GeneratedFile& file : files) paths.push_back(file.path.substr(folder.size()));
  std::sort(paths.begin(), paths.end());
  std::string out(head);
  for (const std::string& path : paths) out += "- " + path + "\n";
  return out;
}

void generate_crds(const Definitions& definitions, Files& out) {
  Files files;
  for_each_kind(definitions, [&files](const kube::Kind& kind) {
    files.push_back({"crd/bases/" + kind.resource.group + "_" + kind.resource.plural + ".yaml",
                     kube::custom_resource_definition_yaml(kind)});
  });
  files.push_back({"crd/kustomization.yaml", kustomization(kCrdHead, "crd/", files)});
  out.insert(out.end(), files.begin(), files.end());
}

void generate_samples(const Definitions& definitions, Files& out) {
  Files files;
  for_each_kind(definitions, [&files](const kube::Kind& kind) {
    if (kind.sample.empty()) return;
    const std::string group = kind.resource.group.substr(0, kind.resource.group.find('.'));
    files.push_back(
        {"samples/" + group + "_" + kind.resource.version + "_" + base::to_lower(kind.resource.kind) + ".yaml",
         kind.sample});
  });
  // kubectl refuses a kustomization without resources.
  if (files.empty()) return;
  files.push_back({"samples/kustomization.yaml", kustomization(kSamplesHead, "samples/", files)});
  out.insert(out.end(), files.begin(), files.end());
}

struct Part {
  std::string_view name;
  void (*generate)(const Definitions& definitions, Files& out);
};

// The table of what can be generated; `all` is every line.
constexpr Part kParts[] = {
    {"crd", generate_crds},
    {"rbac", generate_rbac},
    {"samples", generate_samples},
    {"webhook", generate_webhooks},
};

}  // namespace

void for_each_kind(const Definitions& definitions, const std::function<void(const kube::Kind& kind)>& visit) {
  for (const controller::Definition& definition : definitions) {
    for (const kube::Kind& kind : definition.kinds()) visit(kind);
  }
}

Result<std::vector<GeneratedFile>> generate(std::string_view what, const Definitions& definitions) {
  Files files;
  bool is_known = what == "all";
  for (const Part& part : kParts) {
    if (what != "all" && what != part.name) continue;
    is_known = true;
    part.generate(definitions, files);
  }
  if (!is_known) return invalid("cannot generate \"" + std::string(what) + "\": crd, rbac, samples, webhook or all");
  std::sort(files.begin(), files.end(), [](const auto& left, const auto& right) { return left.path < right.path; });
  const auto same = [](const auto& left, const auto& right) { return left.path == right.path; };
  const auto twice = std::adjacent_find(files.begin(), files.end(), same);
  if (twice != files.end()) return invalid("two kinds would be written to " + twice->path);
  return files;
}

}  // namespace keelson::program
