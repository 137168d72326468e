// The fields of a CRD that kubectl has applied become ours, as by kubectl's own migration to server-side apply
// (client-go's csaupgrade): the next apply then removes those that this program does not declare.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::install {

struct FieldTakeover {
  std::vector<std::string> managers;  // the former ones
  // A JSON patch of metadata.managedFields, which the API server rejects with 409 if the CRD has changed meanwhile.
  std::string patch;
  bool includes_conversion = false;  // the apply may remove spec.conversion
};

// Absent if no entry of kubectl is that of a whole CRD, with f:names and f:group. `live` is the stored CRD with its
// managedFields, `manager` the field manager of this operator. Fields of other managers, of partial server-side applies
// and of subresources stay theirs. While another manager owns a part of spec.conversion, the conversion and
// cert-manager's annotations stay without an owner.
[[nodiscard]] std::optional<FieldTakeover> take_over_fields(json::View live, std::string_view manager);

}  // namespace keelson::install
