#include "src/sandbox/controllers/definition_status.hpp"

#include <map>
#include <utility>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/conversion_check.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

std::string_view group_of(std::string_view definition) { return definition.substr(definition.find('.') + 1); }

const Tree* condition_of(const Tree& definition, std::string_view type) {
  for (const auto& condition : definition.items_at({"status", "conditions"})) {
    if (condition.text_at({"type"}) == type) return &condition;
  }
  return nullptr;
}

bool is_true(const Tree& definition, std::string_view type) {
  const auto* condition = condition_of(definition, type);
  return condition != nullptr && condition->text_at({"status"}) == "True";
}

const Store::Entries& definitions(const World& world) {
  static const auto kDefinitions = kube::custom_resource_definitions();
  return world.store.all(*world.kinds.find(kDefinitions));
}

}  // namespace

// The names that the definitions of a group have, with the definitions that have them. Resources are plurals, singulars
// and short names.
class NamesInUse {
 public:
  static NamesInUse of_group(const World& world, std::string_view group) {
    NamesInUse used;
    for (const auto& [key, entry] : definitions(world)) {
      if (group_of(key.name) != group) continue;
      used.add(key.name, entry.stored().tree.copy_at({"status", "acceptedNames"}));
    }
    return used;
  }

  void add(const std::string& definition, const Tree& names) {
    for (const char* name : {"plural", "singular"}) resources_[names.text_at({name})].insert(definition);
    for (const auto& name : names.texts_at({"shortNames"})) resources_[name].insert(definition);
    for (const char* name : {"kind", "listKind"}) kinds_[names.text_at({name})].insert(definition);
  }
  [[nodiscard]] bool is_resource_of_other(const std::string& definition, const std::string& name) const {
    return is_of_other(resources_, definition, name);
  }
  [[nodiscard]] bool is_kind_of_other(const std::string& definition, const std::string& name) const {
    return is_of_other(kinds_, definition, name);
  }

 private:
  using Owners = std::map<std::string, std::set<std::string>>;
  static bool is_of_other(const Owners& owners, const std::string& definition, const std::string& name) {
    const auto found = owners.find(name);
    if (found == owners.end()) return false;
    return found->second.size() > 1 || !found->second.contains(definition);
  }

  Owners resources_;
  Owners kinds_;
};

namespace {

// The names of a definition as far as no other one has them.
class Naming {
 public:
  Naming(const NamesInUse& used, const Tree& definition)
      : wanted_(definition.copy_at({"spec", "names"})),
        had_(definition.copy_at({"status", "acceptedNames"})),
        own_(definition.text_at({"metadata", "name"})),
        used_(used) {
    accept("plural", &NamesInUse::is_resource_of_other, "PluralConflict");
    accept("singular", &NamesInUse::is_resource_of_other, "SingularConflict");
    accept_short_names();
    accept("kind", &NamesInUse::is_kind_of_other, "KindConflict");
    accept("listKind", &NamesInUse::is_kind_of_other, "ListKindConflict");
    set_or_erase(names_, "categories", wanted_.find("categories") != nullptr ? *wanted_.find("categories") : Tree());
  }

  [[nodiscard]] const Tree& names() const { return names_; }
  [[nodiscard]] bool is_accepted() const { return condition_.text_at({"status"}) == "True"; }
  // Of several conflicts, it names the last one.
  [[nodiscard]] const Tree& condition() const { return condition_; }

 private:
  using IsOfOther = bool (NamesInUse::*)(const std::string& definition, const std::string& name) const;
  void accept(const char* which, IsOfOther is_of_other, const char* conflict) {
    const auto name = wanted_.text_at({which});
    const auto had = had_.text_at({which});
    const bool is_taken = name != had && (used_.*is_of_other)(own_, name);
    if (is_taken) condition_ = new_condition("NamesAccepted", false, conflict, in_use(name));
    const auto& accepted = is_taken ? had : name;
    // The two that are required are present without a value, too.
    const bool is_required = which == std::string_view("plural") || which == std::string_view("kind");
    if (is_required || !accepted.empty()) names_[which] = accepted;
  }

  void accept_short_names() {
    const auto list = had_.texts_at({"shortNames"});
    const std::set<std::string> had(list.begin(), list.end());
    std::vector<std::string> conflicts;
    for (const auto& name : wanted_.texts_at({"shortNames"})) {
      if (!had.contains(name) && used_.is_resource_of_other(own_, name)) conflicts.push_back(in_use(name));
    }
    const auto& accepted = conflicts.empty() ? wanted_ : had_;
    if (const Tree* names = accepted.find("shortNames")) names_["shortNames"] = *names;
    if (conflicts.empty()) return;
    condition_ = new_condition("NamesAccepted", false, "ShortNamesConflict", joined_errors(conflicts));
  }

  static std::string in_use(const std::string& name) { return base::quote_go(name) + " is already in use"; }

  Tree wanted_;
  Tree had_;
  std::string own_;
  const NamesInUse& used_;
  Tree names_ = Tree::object();
  Tree condition_ = new_condition("NamesAccepted", true, "NoConflicts", "no conflicts found");
};

bool is_same_condition(const Tree* had, const Tree& condition) {
  return had != nullptr && had->text_at({"status"}) == condition.text_at({"status"}) &&
         had->text_at({"reason"}) == condition.text_at({"reason"}) &&
         had->text_at({"message"}) == condition.text_at({"message"});
}

constexpr const char* kAccepted = "the initial names have been accepted";

// False if the status is as it should be.
bool write_names(const NamesInUse& used, const Tree& definition, Tree& status, const std::string& now) {
  if (definition.copy_at({"spec", "names"}) == definition.copy_at({"status", "acceptedNames"})) return false;
  const Naming naming(used, definition);
  const bool has_names = naming.names() == definition.copy_at({"status", "acceptedNames"});
  if (has_names && is_same_condition(condition_of(definition, "NamesAccepted"), naming.condition())) return false;
  status["acceptedNames"] = naming.names();
  set_condition(status, naming.condition(), now);
  if (is_true(definition, "Established")) return true;
  const auto established = naming.is_accepted()
                               ? new_condition("Established", false, "Installing", kAccepted)
                               : new_condition("Established", false, "NotAccepted", "not all names are accepted");
  const bool had_established = condition_of(definition, "Established") != nullptr;
  if (naming.is_accepted() || !had_established) set_condition(status, established, now);
  return true;
}

}  // namespace

void begin_definition_status(Tree& definition) {
  definition.set_default("status", Tree::object({{"conditions", Tree()},
                                                 {"acceptedNames", Tree::object({{"plural", ""}, {"kind", ""}})}}));
  auto& status = definition["status"];
  status.set_default("storedVersions", Tree::array());
  auto& stored = status["storedVersions"].items();
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    auto name = Tree(version.text_at({"name"}));
    if (version.is_true_at({"storage"}) && !contains(stored, name)) stored.push_back(std::move(name));
  }
}

std::optional<Tree> served_definition(const World& world, Tree definition) {
  const auto used = NamesInUse::of_group(world, group_of(definition.text_at({"metadata", "name"})));
  const Naming naming(used, definition);
  const bool is_established = is_true(definition, "Established");
  if (!is_established && !has_valid_ca_bundle(definition)) return std::nullopt;
  if (naming.is_accepted()) return definition;
  if (!is_established) return std::nullopt;
  definition["spec"]["names"] = naming.names();
  return definition;
}

DefinitionStatus::DefinitionStatus(World& world, Committer& committer, Deletes& deletes)
    : operations_(world, committer, deletes, "system:apiserver"), passes_(world.clock, {}, [this] { settle(); }) {}

void DefinitionStatus::hear(const Change& change) {
  if (change.kind->resource != kube::custom_resource_definitions()) return;
  const auto name = change.key().name;
  if (change.after) {
    add(name);
  } else {
    add_others_of_group(name);
  }
}

void DefinitionStatus::add(const std::string& name) {
  waiting_.insert(name);
  passes_.wake();
}

void DefinitionStatus::add_others_of_group(const std::string& name) {
  for (const auto& [key, entry] : definitions(operations_.world)) {
    if (key.name != name && group_of(key.name) == group_of(name)) add(key.name);
  }
}

// A write is heard, so a definition waits again until nothing follows from its names.
void DefinitionStatus::settle() {
  std::map<std::string, NamesInUse> groups;
  for (const auto& name : std::exchange(waiting_, {})) {
    const std::string group(group_of(name));
    auto used = groups.find(group);
    if (used == groups.end()) used = groups.emplace(group, NamesInUse::of_group(operations_.world, group)).first;
    settle(name, used->second);
  }
}

void DefinitionStatus::settle(const std::string& name, NamesInUse& used) {
  static const auto kDefinitions = kube::custom_resource_definitions();
  const kube::Key key("", name);
  const Tree* stored = operations_.tree(kDefinitions, key);
  if (stored == nullptr) return;
  const auto definition = *stored;
  auto status = definition.copy_at({"status"});
  const auto now = operations_.world.time_text();
  if (write_names(used, definition, status, now)) {
    used.add(name, status.copy_at({"acceptedNames"}));  // its former names are free in the next pass
    write(key, std::move(status));
    add_others_of_group(name);
  } else if (is_true(definition, "NamesAccepted") && !is_true(definition, "Established")) {
    set_condition(
        status,
        has_valid_ca_bundle(definition)
            ? new_condition("Established", true, "InitialNamesAccepted", kAccepted)
            : new_condition("Established", false, "InvalidCABundle", "The conversion webhook CABundle is invalid"),
        now);
    write(key, std::move(status));
  }
}

void DefinitionStatus::write(const kube::Key& definition, Tree status) {
  if (!operations_.write_status(kube::custom_resource_definitions(), definition, std::move(status))) return;
  waiting_.insert(definition.name);
  passes_.wake_after_rejection();
}

}  // namespace keelson::sandbox
