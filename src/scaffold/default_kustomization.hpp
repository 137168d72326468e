// The features of config/default/kustomization.yaml that commands enable and disable.
#pragma once

#include <string>
#include <string_view>

namespace keelson::scaffold {

inline constexpr const char* kDefaultKustomization = "config/default/kustomization.yaml";

enum class Feature {
  kCrd,         // the kinds of the operator, which `generate` writes into config/crd
  kWebhooks,    // with a certificate that the operator issues itself
  kNamespaced,  // the operator works only in its own namespace
};

[[nodiscard]] std::string with_feature(std::string_view text, Feature feature);
[[nodiscard]] std::string without_feature(std::string_view text, Feature feature);
// Whether a part of it is enabled.
[[nodiscard]] bool has_feature(std::string_view text, Feature feature);
[[nodiscard]] bool has_cert_manager(std::string_view text);

}  // namespace keelson::scaffold
