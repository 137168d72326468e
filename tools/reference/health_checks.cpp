#include "tools/reference/health_checks.hpp"

#include <sstream>

#include "keelson/detail/controller/definition_parts.hpp"

namespace keelson::reference {

namespace {

constexpr const char* kHead =
    "# Argo CD's health checks for Keelson's kinds, each the text of health.lua: a patch for the ConfigMap that Argo "
    "CD "
    "reads.\n"
    "#   kubectl patch configmap argocd-cm -n argocd --patch-file deploy/argocd/health-checks.yaml\n"
    "# Zundoko and Kiyoshi have no status and need no check: Argo CD takes an object without one as healthy.\n"
    "# `make generate` writes this file.\n"
    "apiVersion: v1\n"
    "kind: ConfigMap\n"
    "metadata:\n"
    "  name: argocd-cm\n"
    "data:\n";

}  // namespace

std::string health_checks(const std::vector<controller::Definition>& definitions, const std::string& check) {
  std::string text = kHead;
  for (const auto& definition : definitions) {
    if (definition.parts().is_of_existing_kind) continue;
    const auto& resource = definition.resource();
    text += "  resource.customizations.health." + resource.group + "_" + resource.kind + ": |\n";
    std::istringstream lines(check);
    for (std::string line; std::getline(lines, line);) text += line.empty() ? "\n" : "    " + line + "\n";
  }
  return text;
}

}  // namespace keelson::reference
