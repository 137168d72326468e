// The commands of the program `keelson`. Each reads the project in a folder and returns the change, which the caller
// applies.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "src/scaffold/tree_change.hpp"

namespace keelson::scaffold {

// `version` is that of the program, for PROJECT.
struct InitOptions {
  std::string domain = "my.domain";  // kubebuilder's default
  std::string name;                  // empty: from the name of the folder
  std::string version;
};
// kInvalid if the folder contains a project, or a file that would be written.
[[nodiscard]] Result<TreeChange> init(const std::filesystem::path& root, const InitOptions& options);

// A kind as the command line names it.
struct KindOptions {
  std::string group;  // without the domain
  std::string version;
  std::string kind;
  std::string plural;    // empty: derived from the kind
  std::string external;  // GROUP/VERSION/KIND, a kind that exists without this operator; then the first three are empty
};

// Asks the user a question that is answered by yes or no.
using Ask = std::function<Result<bool>(const std::string& question)>;

struct ApiOptions {
  KindOptions kind;
  bool is_namespaced = true;
  std::optional<bool> has_resource;  // nullopt: `ask` decides
  std::optional<bool> has_controller;
  Ask ask;
};
[[nodiscard]] Result<TreeChange> create_api(const std::filesystem::path& root, const ApiOptions& options);

struct WebhookOptions {
  KindOptions kind;
  bool has_defaulter = false;
  bool has_validator = false;
};
// The kind must have a controller, which the webhooks are registered with.
[[nodiscard]] Result<TreeChange> create_webhook(const std::filesystem::path& root, const WebhookOptions& options);

struct EditOptions {
  std::optional<bool> is_namespaced;  // whether the operator works only in its own namespace
};
[[nodiscard]] Result<TreeChange> edit(const std::filesystem::path& root, const EditOptions& options);

struct Update {
  TreeChange change;
  std::vector<std::string> conflicts;  // the files with conflict markers
  std::vector<std::string> deleted;    // generated files that the user has deleted; they stay deleted
  std::vector<std::string> abandoned;  // files that this program no longer generates; they stay
};
// Merges what this program generates now into the files of the project, which keep every change of the user. kInvalid
// if a file still has the markers of an earlier update, or a newer program has generated the project.
[[nodiscard]] Result<Update> update(const std::filesystem::path& root, const std::string& version);

}  // namespace keelson::scaffold
