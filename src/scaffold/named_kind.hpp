// The kind that a command line names.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"
#include "src/scaffold/commands.hpp"
#include "src/scaffold/project.hpp"
#include "src/scaffold/template_files.hpp"

namespace keelson::scaffold {

// The kind with checked names and its complete group, as it is before the user has decided about its parts. kInvalid if
// a name is missing or breaks its rule.
[[nodiscard]] Result<ProjectKind> kind_named(const Project& project, const KindOptions& options);

// A kind of Kubernetes, or nullptr. Its groups, such as "apps", are complete without the domain of a project; "core" is
// the core group.
[[nodiscard]] const KubernetesKind* find_in_kubernetes(std::string_view group, std::string_view version,
                                                       std::string_view kind);

// For errors: "Website (web.example.com/v1)".
[[nodiscard]] std::string full_name(const ProjectKind& kind);

}  // namespace keelson::scaffold
