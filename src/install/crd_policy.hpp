// Decisions about a CustomResourceDefinition: whether it can be updated, and whether the API server serves it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"
#include "src/install/field_takeover.hpp"

namespace keelson::install {

// What an update of a live CRD means for its users.
struct CrdUpdate {
  // Why it must not be updated, and what to do; the texts begin with the name of the CRD.
  std::vector<std::string> refusals;
  // What changes next to the schema, for example a version that clients cannot use any more.
  std::vector<std::string> notes;
  // The field managers from which this operator takes the CRD over; empty if it has applied the CRD before.
  std::vector<std::string> former_managers;
  // The fields that kubectl owns and that this operator owns from now on.
  std::optional<FieldTakeover> takeover;
};

// `live` is the stored CRD with its managedFields, `desired` the CRD to apply as the field manager `manager`.
[[nodiscard]] CrdUpdate check_update(json::View live, json::View desired, std::string_view manager);

// To which program a live CRD belongs, by the field managers of its spec.
struct CrdOwner {
  // kOurs: `install` of this operator has applied it. kOther: another program applies it, for example Flux. kUnknown:
  // it was created or updated, or applied by kubectl, which all programs use: its content decides.
  enum class Kind { kOurs, kOther, kUnknown };
  Kind kind = Kind::kUnknown;
  bool has_applied = false;           // this operator has applied the spec, alone or with others
  std::vector<std::string> managers;  // the other ones
};

// `manager` is the field manager of this operator.
[[nodiscard]] CrdOwner owner_of(json::View live, std::string_view manager);

struct CrdProgress {
  bool is_served = false;                      // established, and all of its names are accepted
  std::optional<std::string> conflict;         // a name that another CRD has: the message of the condition
  std::string state = "it has no status yet";  // for the error of a timeout
};

// `live` is the stored CRD after an apply.
[[nodiscard]] CrdProgress progress_of(json::View live);

// The name that `other`, another CRD, has taken from `crd`; empty if there is no conflict. Plurals, singulars and short
// names of a group share a name space, and kinds and list kinds another one.
[[nodiscard]] std::string taken_name(json::View crd, json::View other);

}  // namespace keelson::install
