// The rules for the names that a user chooses, and the names of folders and functions that follow from them.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

// Each error states the rule, with an example.
[[nodiscard]] Result<void> check_domain(std::string_view domain);
// The name of a project is the name of its operator (kube::OperatorName).
[[nodiscard]] Result<void> check_project_name(std::string_view name);
[[nodiscard]] Result<void> check_group(std::string_view group);
[[nodiscard]] Result<void> check_version(std::string_view version);
// Kinds of other programs may have other versions: "v1api20200601".
[[nodiscard]] Result<void> check_external_version(std::string_view version);
[[nodiscard]] Result<void> check_kind(std::string_view kind);
[[nodiscard]] Result<void> check_plural(std::string_view plural);

// "my_project" and "My Project" make "my-project": a name for a project in a folder with this name. May be invalid.
[[nodiscard]] std::string project_name_of_folder(std::string_view folder);

// Whether a namespace at file scope can have the name. templates/taken_names.txt.in has the names that it cannot have:
// keywords of C++, functions, types and macros of the C library, namespaces of this library, which `using namespace
// keelson` would make ambiguous, and names in the generated code.
[[nodiscard]] bool is_free_name(std::string_view name);

// "web.example.com" makes "web"; dashes become underscores.
[[nodiscard]] std::string first_label(std::string_view group);

}  // namespace keelson::scaffold
