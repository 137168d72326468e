// The file PROJECT: what a project contains, from which its generated files follow.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

struct ProjectKind {
  std::string group;    // complete: "web.example.com"; empty: the core group
  std::string version;  // "v1"
  std::string kind;     // "Website"
  std::string plural;   // "websites"; empty: derived from the kind
  std::string unit;     // its folder, its namespace in C++ and the beginning of its file names: "website"
  bool is_namespaced = true;
  bool has_resource = true;  // false: the kind exists without this operator
  bool has_controller = false;
  bool has_defaulter = false;
  bool has_validator = false;

  bool operator==(const ProjectKind&) const = default;
};

struct Project {
  std::string domain;   // appended to the groups of its kinds
  std::string name;     // of the operator
  std::string version;  // of the program that wrote the generated files
  std::vector<ProjectKind> kinds;

  bool operator==(const Project&) const = default;
};

[[nodiscard]] std::string project_text(const Project& project);
// kMalformed if it is not a PROJECT file, kInvalid if a name in it breaks its rule; the error has the place and the
// rule.
[[nodiscard]] Result<Project> parse_project(std::string_view text);

// The kind, or nullptr. Two versions of a kind are the same kind.
[[nodiscard]] ProjectKind* find_kind(Project& project, std::string_view group, std::string_view kind);

// Whether any of its kinds has webhooks.
[[nodiscard]] bool has_webhooks(const Project& project);

// The folder and namespace of a new kind: its name in lower case, or with its group if that is taken.
[[nodiscard]] std::string choose_unit(const Project& project, std::string_view group, std::string_view kind);

// Paths and contents. A path that ends with .sh is executable.
using Files = std::map<std::string, std::string, std::less<>>;

// The generated files, with nothing that was inserted into them later.
[[nodiscard]] Files project_files(const Project& project);
[[nodiscard]] Files kind_files(const Project& project, const ProjectKind& kind);

[[nodiscard]] std::string plural_of(const ProjectKind& kind);

// A user may delete it; the other files with markers are necessary.
inline constexpr const char* kE2eTest = "test/e2e.sh";

// The lines that `create` inserts: the file, the name of the marker, the line.
struct Insertion {
  std::string path, marker, line;
  bool operator==(const Insertion&) const = default;
};
[[nodiscard]] std::vector<Insertion> insertions_of(const ProjectKind& kind);

}  // namespace keelson::scaffold
