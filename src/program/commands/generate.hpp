// `manager generate`: the parts of config/ that follow from the controllers' definitions, in kubebuilder's layout.
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
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

struct GeneratedFile {
  std::string path;  // below the output folder: "crd/bases/…yaml"
  std::string content;
  bool operator==(const GeneratedFile&) const = default;
};

// The name of a kind in names of files and roles: "cluster", or with its group if another kind has the same name:
// "cache-cluster", "cache.example.com-cluster".
[[nodiscard]] std::string short_name(const kube::Kind& kind, const std::vector<kube::Kind>& all);

struct Declarations {
  std::vector<controller::Definition> controllers;
  std::vector<webhook::Webhook> webhooks = {};           // without a controller
  kube::OperatorName name = kube::OperatorName();        // in labels and in names of objects
  std::vector<controller::Permission> permissions = {};  // without a controller
};

// `what` is crd, rbac, samples, webhook, all (of these), or kube-state-metrics. The files are sorted by path.
[[nodiscard]] Result<std::vector<GeneratedFile>> generate(std::string_view what, const Declarations& declarations);
[[nodiscard]] inline Result<std::vector<GeneratedFile>> generate(std::string_view what,
                                                                 std::vector<controller::Definition> controllers,
                                                                 kube::OperatorName name = kube::OperatorName()) {
  return generate(what, Declarations{std::move(controllers), {}, std::move(name)});
}

enum class WriteOutcome { kWritten, kUnchanged };
using OnFile = std::function<void(const std::filesystem::path& file, WriteOutcome outcome)>;

// Creates missing folders. A file is replaced atomically, and not written if it has the right content. An existing
// kustomization.yaml only gets the entries that are missing.
[[nodiscard]] Result<void> write_files(const std::filesystem::path& directory, const std::vector<GeneratedFile>& files,
                                       const OnFile& on_file);

extern const cli::Command kGenerateCommand;

// The subcommand; `arguments` are the words after `generate`: WHAT --output DIR. `program` is the name of the binary.
// Returns the exit code: 0, 1 if a write failed, 2 for invalid arguments.
[[nodiscard]] int generate_command(const std::string& program, const std::vector<std::string>& arguments,
                                   const Declarations& declarations, std::ostream& out, std::ostream& errors);

}  // namespace keelson::program
