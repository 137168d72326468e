// The generated files of a project, from its templates.
#include <algorithm>
#include <array>
#include <optional>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/schema/identity.hpp"
#include "src/scaffold/default_kustomization.hpp"
#include "src/scaffold/names.hpp"
#include "src/scaffold/project.hpp"
#include "src/scaffold/template_files.hpp"
#include "src/scaffold/template_text.hpp"

namespace keelson::scaffold {

namespace {

struct ProjectPath {
  std::string_view name;  // of the template in src/scaffold/templates/project
  std::string_view path;
};
constexpr auto kProjectPaths = std::to_array<ProjectPath>({
    {"CMakeLists.txt", "CMakeLists.txt"},
    {"CMakePresets.json", "CMakePresets.json"},
    {"Dockerfile", "Dockerfile"},
    {"Makefile", "Makefile"},
    {"README.md", "README.md"},
    {"ci.yml", ".github/workflows/ci.yml"},
    {"clang-format", ".clang-format"},
    {"clang-tidy", ".clang-tidy"},
    {"controllers.cpp", "src/controllers.cpp"},
    {"controllers.hpp", "src/controllers.hpp"},
    {"dockerignore", ".dockerignore"},
    {"e2e.sh", "test/e2e.sh"},
    {"gitignore", ".gitignore"},
    {"main.cpp", "src/main.cpp"},
    {"namespaced.yaml", "config/namespaced/kustomization.yaml"},
    {"operator_name.hpp", "src/operator_name.hpp"},
    {"tools_plan.cpp", "tools/plan.cpp"},
    {"tools_reference.cpp", "tools/reference.cpp"},
});

const KubernetesKind* find_kubernetes_kind(const ProjectKind& kind) {
  return kind.has_resource ? nullptr : scaffold::find_kubernetes_kind(kind.group, kind.version, kind.kind);
}

constexpr std::size_t kColumns = 120;

// The arguments of kube::Identity.
std::string identity_of(const ProjectKind& kind) {
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  auto out = quoted(kind.group) + ", " + quoted(kind.version) + ", " + quoted(kind.kind);
  if (!kind.plural.empty() || !kind.is_namespaced) out += ", " + quoted(kind.plural);
  if (kind.is_namespaced) return out;
  // As clang-format breaks the declaration.
  constexpr std::string_view kBegin = "  static constexpr keelson::kube::Identity kIdentity{";
  constexpr std::string_view kScope = "keelson::kube::Scope::kCluster";
  const bool fits = kBegin.size() + out.size() + kScope.size() + std::string_view(", };").size() <= kColumns;
  return out + (fits ? ", " : ",\n" + std::string(kBegin.size(), ' ')) + std::string(kScope);
}

// The parameters of validate(), as clang-format breaks its declaration in a header.
std::string validate_parameters_of(const std::string& type) {
  constexpr std::string_view kBegin = "[[nodiscard]] std::vector<keelson::kube::FieldError> validate(";
  const auto object = "const " + type + "& object,", old = "const " + type + "* old";
  const bool fits = kBegin.size() + object.size() + 1 + old.size() + std::string_view(");").size() <= kColumns;
  return object + (fits ? " " : "\n" + std::string(kBegin.size(), ' ')) + old;
}

// "CronJob" makes "cron_job"; a name that C++ or the library has makes "object".
std::string variable_of(std::string_view kind) {
  std::string name;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    const bool is_capital = kind[i] >= 'A' && kind[i] <= 'Z';
    const bool follows_capital = i > 0 && kind[i - 1] >= 'A' && kind[i - 1] <= 'Z';
    if (is_capital && i > 0 && !follows_capital) name += '_';
    name += base::to_lower(kind[i]);
  }
  return is_free_name(name) ? name : "object";
}

// The name in a cluster: DNS labels have no underscores.
std::string unit_name(const ProjectKind& kind) {
  auto name = kind.unit;
  std::ranges::replace(name, '_', '-');
  return name;
}

// As kubectl takes it: "websites.v1.web.example.com".
std::string kubectl_name(const ProjectKind& kind) { return plural_of(kind) + "." + kind.version + "." + kind.group; }

std::string flag_value(bool is_set) { return is_set ? "yes" : ""; }

TemplateValues values_of(const Project& project) {
  return {{"name", project.name}, {"keelson_version", project.version}};
}

TemplateValues values_of(const Project& project, const ProjectKind& kind) {
  auto values = values_of(project);
  const auto* kubernetes = find_kubernetes_kind(kind);
  values["kind"] = kind.kind;
  values["group"] = kind.group;
  values["version"] = kind.version;
  values["plural"] = plural_of(kind);
  values["identity"] = identity_of(kind);
  values["unit"] = kind.unit;
  values["unit_name"] = unit_name(kind);
  values["variable"] = variable_of(kind.kind);
  values["sample_namespace"] = kind.is_namespaced ? "default" : "";
  values["types_header"] =
      kubernetes != nullptr ? std::string(kubernetes->header) : kind.unit + "/" + kind.unit + "_types.hpp";
  // In a source, which has `using namespace keelson`, and in a header.
  values["type"] = kubernetes != nullptr ? std::string(kubernetes->type) : kind.kind;
  values["header_type"] = kubernetes != nullptr ? "keelson::" + std::string(kubernetes->type) : kind.kind;
  values["validate_parameters"] = validate_parameters_of(values["header_type"]);
  values["has_resource"] = flag_value(kind.has_resource);
  values["is_renamed"] = flag_value(kind.unit != base::to_lower(kind.kind));
  return values;
}

}  // namespace

std::string plural_of(const ProjectKind& kind) {
  return kind.plural.empty() ? kube::plural_of(kind.kind) : kind.plural;
}

Files project_files(const Project& project) {
  const auto values = values_of(project);
  Files files;
  for (const auto& [name, path] : kProjectPaths) {
    files[std::string(path)] = fill_template(template_of("project/" + std::string(name)), values);
  }
  for (const auto& file : template_files()) {
    if (file.path.starts_with("config/")) files[std::string(file.path)] = fill_template(file.text, values);
  }
  // The commands enable them.
  auto& kustomization = files[kDefaultKustomization];
  for (const auto feature : {Feature::kCrd, Feature::kWebhooks}) {
    kustomization = without_feature(kustomization, feature);
  }
  return files;
}

Files kind_files(const Project& project, const ProjectKind& kind) {
  const auto values = values_of(project, kind);
  Files files;
  const auto add = [&](const std::string& name, const std::string& folder, const std::string& suffix) {
    const auto path = folder + "/" + (folder == "test" ? "" : kind.unit + "/") + kind.unit + suffix;
    files[path] = fill_template(template_of("kind/" + name), values);
  };
  if (kind.has_resource) {
    add("types.hpp", "src", "_types.hpp");
    add("types.cpp", "src", "_types.cpp");
  } else if (find_kubernetes_kind(kind) == nullptr) {
    add("external_types.hpp", "src", "_types.hpp");
  }
  const auto add_part = [&](const std::string& part) {
    for (const auto* suffix : {".hpp", ".cpp"}) add(part + suffix, "src", "_" + part + suffix);
    add(part + "_test.cpp", "test", "_" + part + "_test.cpp");
  };
  if (kind.has_controller) add_part("controller");
  if (kind.has_defaulter) add_part("defaulter");
  if (kind.has_validator) add_part("validator");
  return files;
}

std::vector<Insertion> insertions_of(const ProjectKind& kind) {
  constexpr const char* kControllers = "src/controllers.cpp";
  const auto controller = "src/" + kind.unit + "/" + kind.unit + "_controller.cpp";
  const auto include = [&](const std::string& part) {
    return "#include \"" + kind.unit + "/" + kind.unit + "_" + part + ".hpp\"";
  };
  std::vector<Insertion> lines;
  if (kind.has_controller) {
    lines.push_back({kControllers, "includes", include("controller")});
    lines.push_back({kControllers, "controllers", "all.push_back(" + kind.unit + "::" + kind.unit + "());"});
    if (kind.has_resource) lines.push_back({kE2eTest, "samples", "wait_until_ready " + kubectl_name(kind)});
  } else if (kind.has_resource) {
    lines.push_back({kControllers, "includes", include("types")});
    lines.push_back({kControllers, "kinds",
                     "kinds.push_back(keelson::controller::kind_of<" + kind.unit + "::" + kind.kind + ">());"});
  }
  if (kind.has_defaulter) {
    lines.push_back({controller, "includes", include("defaulter")});
    lines.push_back({controller, "definition", "add_defaulter(definition);"});
  }
  if (kind.has_validator) {
    lines.push_back({controller, "includes", include("validator")});
    lines.push_back({controller, "definition", "add_validator(definition);"});
  }
  return lines;
}

}  // namespace keelson::scaffold
