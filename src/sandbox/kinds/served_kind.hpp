// A kind as the API server serves it: its URL, its subresources, its schema and its versions.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/schema/kind.hpp"
#include "src/sandbox/fields/merge_type.hpp"
#include "src/sandbox/fields/schema.hpp"
#include "src/sandbox/kinds/conversion.hpp"
#include "src/sandbox/kinds/subresource.hpp"

namespace keelson::sandbox {

struct ValueSchema;

// Names for users, in addition to the plural.
struct KindNames {
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
};

struct ServedKind {
  kube::Resource resource;
  bool is_custom = false;
  bool is_served = true;       // false: a custom kind whose CRD was deleted; it may be served again
  bool has_status = true;      // a status subresource: writes of the object do not change the status, and the reverse
  bool has_generation = true;  // metadata.generation counts changes outside of metadata and status
  bool needs_version = false;  // a PUT needs a resourceVersion
  bool orphans_by_default = false;  // DELETE without a propagation policy leaves the dependents
  bool has_scale = false;
  kube::ScalePaths scale = {};
  Tree status_default = {};  // null: none
  KindNames names = {};
  std::vector<std::string> verbs = {};
  std::vector<ServedSubresource> subresources = {};
  Tree schema = {};                                // of a custom kind: the openAPIV3Schema of its version
  std::shared_ptr<const Schema> fields = {};       // of a custom kind, from that schema
  std::shared_ptr<const MergeType> merges = {};    // the same, for server-side apply
  std::shared_ptr<const ValueSchema> values = {};  // the same, for validation and defaults
  Tree printer_columns = {};                       // additionalPrinterColumns of a custom kind
  std::set<std::string> selectable_fields = {};    // of a custom kind, e.g. "spec.color"
  std::string deprecation = {};  // the warning for clients of a deprecated version; empty: not deprecated

  const ServedKind* stored_as = nullptr;  // the version in which the objects of all versions are stored; null: this
  std::shared_ptr<const Conversion> conversion = {};  // of a custom kind with several versions

  [[nodiscard]] const ServedKind& home() const { return stored_as != nullptr ? *stored_as : *this; }
  [[nodiscard]] const MergeType& merge_type() const;
  [[nodiscard]] std::string list_kind() const { return resource.kind + "List"; }
  [[nodiscard]] bool allows(const std::string& verb) const;
};

// Adds status and scale to the subresources of a kind that has them.
void list_subresources(ServedKind& kind);

// A group and its versions, the preferred one first.
struct ServedGroup {
  std::string name;
  std::vector<std::string> versions;
};

// All served kinds. References to them remain valid.
class Kinds {
 public:
  Kinds();  // the built-in kinds
  Kinds(const Kinds&) = delete;
  Kinds& operator=(const Kinds&) = delete;

  void add(ServedKind kind);
  // From the JSON of a CustomResourceDefinition: every served version.
  void add_definition(const Tree& definition);
  // Stores the objects of all versions of the kind in this version, in which some are stored already.
  void keep_under(const ServedKind& home);
  // Stops serving the versions of this CRD.
  void remove_definition(const Tree& definition);

  // Ignores the x-kubernetes-validations of CRDs from now on.
  void ignore_rules() { ignores_rules_ = true; }
  [[nodiscard]] bool ignores_rules() const { return ignores_rules_; }

  // A custom kind that is not served: its stored objects belong to it until a CRD serves it again.
  const ServedKind& hide(kube::Resource resource);

  // By group, version and plural; null if they are not served.
  [[nodiscard]] const ServedKind* find(const kube::Resource& resource) const;
  // As references name it ("apps/v1", "Deployment"); null if it is not served.
  [[nodiscard]] const ServedKind* find(std::string_view api_version, std::string_view kind) const;
  [[nodiscard]] const std::deque<ServedKind>& all() const { return kinds_; }
  [[nodiscard]] std::vector<const ServedKind*> of_version(const std::string& group, const std::string& version) const;
  // Built-in groups by the priority of the real server, then custom ones by name.
  [[nodiscard]] std::vector<ServedGroup> groups() const;
  [[nodiscard]] bool serves(const std::string& group, const std::string& version) const;

 private:
  ServedKind& append(ServedKind kind);
  [[nodiscard]] std::vector<ServedKind*> versions_of(const kube::Resource& resource);
  void link_versions(const Tree& definition);
  void stop_serving(const Tree& definition);

  bool ignores_rules_ = false;
  std::deque<ServedKind> kinds_;
  base::TextMap<std::string, const ServedKind*> homes_;  // of custom kinds, by qualified plural
  base::TextMap<std::string, std::vector<ServedKind*>> by_plural_;
  base::TextMap<std::string, std::vector<ServedKind*>> by_type_;  // "apps/v1 Deployment"
};

[[nodiscard]] ServedKind custom_kind(const kube::Kind& kind);

}  // namespace keelson::sandbox
