// The features of config/default/kustomization.yaml that commands enable and disable.
#pragma once

#include <string>
#include <string_view>

#include "src/scaffold/lines.hpp"

namespace keelson::scaffold {

inline constexpr const char* kDefaultKustomization = "config/default/kustomization.yaml";

[[nodiscard]] inline std::string with_webhooks(std::string_view text) {
  return enable_blocks(enable_blocks(text, "WEBHOOK"), "SELF-SIGNED");
}
[[nodiscard]] inline std::string without_webhooks(std::string_view text) {
  return disable_blocks(disable_blocks(text, "WEBHOOK"), "SELF-SIGNED");
}
[[nodiscard]] inline std::string namespaced(std::string_view text) {
  return enable_blocks(without_webhooks(text), "NAMESPACED");
}
[[nodiscard]] inline bool is_namespaced(std::string_view text) { return disable_blocks(text, "NAMESPACED") != text; }

}  // namespace keelson::scaffold
