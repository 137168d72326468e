#include "src/sandbox/kinds/subresource.hpp"

#include <algorithm>
#include <iterator>

namespace keelson::sandbox {

namespace {

// In the order of the enum.
constexpr std::string_view kSubresourceNames[] = {"",         "approval", "attach",   "binding", "ephemeralcontainers",
                                                  "eviction", "exec",     "finalize", "log",     "portforward",
                                                  "proxy",    "resize",   "scale",    "status",  "token"};
static_assert(std::size(kSubresourceNames) == static_cast<std::size_t>(Subresource::kToken) + 1);

}  // namespace

std::string subresource_name(Subresource subresource) {
  return std::string(kSubresourceNames[static_cast<std::size_t>(subresource)]);
}

std::optional<Subresource> subresource_named(std::string_view name) {
  const auto* found = std::ranges::find(kSubresourceNames, name);
  if (found == std::end(kSubresourceNames)) return std::nullopt;
  return static_cast<Subresource>(found - std::begin(kSubresourceNames));
}

bool is_action(Subresource subresource) {
  return subresource == Subresource::kBinding || subresource == Subresource::kEviction ||
         subresource == Subresource::kToken;
}

bool is_of_container(Subresource subresource) {
  return subresource == Subresource::kLog || subresource == Subresource::kExec || subresource == Subresource::kAttach ||
         subresource == Subresource::kPortForward;
}

}  // namespace keelson::sandbox
