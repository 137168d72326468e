// Amounts of resources, as LimitRanges and ResourceQuotas compare and add them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "keelson/schema/quantity.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// In thousandths, limited to the range of int64.
struct Amount {
  std::int64_t milli = 0;
  kube::Quantity::Format format = kube::Quantity::Format::kDecimalSi;

  // As apimachinery writes it: "1536Mi", "600m".
  [[nodiscard]] std::string text() const;
};

// The sum, limited to the range of int64.
[[nodiscard]] std::int64_t limited_sum(std::int64_t one, std::int64_t two);

// By the name of the resource: "cpu", "requests.memory", "count/configmaps".
using Amounts = std::map<std::string, Amount>;

// A ResourceList; values that are not quantities are left out.
[[nodiscard]] Amounts amounts_in(const Tree* list);
void add_amounts(Amounts& sum, const Amounts& more);
// "cpu=1,memory=1Gi" of these names; a missing one is 0.
[[nodiscard]] std::string printed_amounts(const Amounts& amounts, const Amounts& names);

// The requests or limits of a whole pod: containers, sidecars, init containers, overhead, and its own resources.
[[nodiscard]] Amounts pod_amounts(const Tree& pod_spec, const char* list);

}  // namespace keelson::sandbox
