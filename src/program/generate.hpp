// `manager generate`: the parts of config/ that follow from the controllers' definitions, as kubebuilder lays them out.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/operator_name.hpp"

namespace keelson::program {

struct GeneratedFile {
  std::string path;  // below the output folder: "crd/bases/…yaml"
  std::string content;
  bool operator==(const GeneratedFile&) const = default;
};

// The kind's part of file and role names: "cluster", or with its group if another kind has the same name:
// "cache-cluster", "cache.example.com-cluster".
[[nodiscard]] std::string short_name(const kube::Kind& kind, const std::vector<kube::Kind>& all);

struct Declarations {
  std::vector<controller::Definition> controllers;
  std::vector<webhook::Webhook> webhooks = {};           // that belong to no controller
  kube::OperatorName name = kube::OperatorName();        // in labels and in names of objects
  std::vector<controller::Permission> permissions = {};  // that belong to no controller
};

// `what` is crd, rbac, samples, webhook or all. Files come sorted by path.
[[nodiscard]] Result<std::vector<GeneratedFile>> generate(std::string_view what, const Declarations& declarations);
[[nodiscard]] inline Result<std::vector<GeneratedFile>> generate(std::string_view what,
                                                                 std::vector<controller::Definition> controllers,
                                                                 kube::OperatorName name = kube::OperatorName()) {
  return generate(what, Declarations{std::move(controllers), {}, std::move(name)});
}

enum class WriteOutcome { kWritten, kUnchanged };
using OnFile = std::function<void(const std::filesystem::path& file, WriteOutcome outcome)>;

// Makes folders as needed. A file is replaced as a whole or not at all, and not touched when it is already right. A
// kustomization.yaml that exists only gets the entries that it lacks.
[[nodiscard]] Result<void> write_files(const std::filesystem::path& directory, const std::vector<GeneratedFile>& files,
                                       const OnFile& on_file);

// The subcommand, given what follows the word `generate`: WHAT --output DIR. `program` is the binary's own name.
// Returns the exit code: 0, 1 when writing failed, 2 when it was called in a wrong way.
[[nodiscard]] int generate_command(const std::string& program, const std::vector<std::string>& arguments,
                                   const Declarations& declarations, std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
