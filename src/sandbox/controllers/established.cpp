#include "src/sandbox/controllers/established.hpp"

#include <algorithm>

#include "src/sandbox/controllers/workloads.hpp"

namespace keelson::sandbox {

namespace {

// The list contains all versions in which objects may be stored: a former storage version stays until a client removes
// it.
void add_stored_version(Tree& status, const Tree& definition) {
  status.set_default("storedVersions", Tree::array({}));
  auto& stored = status["storedVersions"].items();
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    auto name = Tree(version.text_at({"name"}));
    if (!version.is_true_at({"storage"})) continue;
    if (std::ranges::find(stored, name) == stored.end()) stored.push_back(name);
  }
}

}  // namespace

void establish(Tree& definition, const std::string& now) {
  definition.set_default("status", Tree::object());
  auto& status = definition["status"];
  status["acceptedNames"] = definition.copy_at({"spec", "names"});
  set_condition(status, new_condition("NamesAccepted", true, "NoConflicts", "no conflicts found"), now);
  set_condition(
      status, new_condition("Established", true, "InitialNamesAccepted", "the initial names have been accepted"), now);
  add_stored_version(status, definition);
}

}  // namespace keelson::sandbox
