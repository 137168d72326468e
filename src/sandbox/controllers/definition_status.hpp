// The status of CustomResourceDefinitions: the names that are not those of another definition, and whether the kind is
// served. Controllers of kube-apiserver write it after the client has its answer. Here as there, clients wait until
// a definition is established; but its kind is served at once.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "src/sandbox/controllers/operations.hpp"
#include "src/sandbox/controllers/pass_timer.hpp"

namespace keelson::sandbox {

// The status that a definition has when it is stored: at first neither names nor conditions. A new storage version is
// added to those in which objects may be stored.
void begin_definition_status(Tree& definition);

// The definition with the names under which it is served; nullopt while another definition of its group has them, or
// the certificates of its conversion webhook are wrong.
[[nodiscard]] std::optional<Tree> served_definition(const World& world, Tree definition);

class NamesInUse;

class DefinitionStatus {
 public:
  DefinitionStatus(World& world, Committer& committer, Deletes& deletes);
  DefinitionStatus(const DefinitionStatus&) = delete;
  DefinitionStatus& operator=(const DefinitionStatus&) = delete;

  // Schedules the writes that follow from the change.
  void hear(const Change& change);

 private:
  // `name` is that of a definition.
  void add(const std::string& name);
  void add_others_of_group(const std::string& name);
  void settle();
  void settle(const std::string& name, NamesInUse& used);
  // A rejected write, by an admission policy for example, is repeated later.
  void write(const kube::Key& definition, Tree status);

  Operations operations_;
  std::set<std::string> waiting_;  // the names of definitions
  PassTimer passes_;
};

}  // namespace keelson::sandbox
