#include "src/scaffold/default_kustomization.hpp"

#include <vector>

#include "src/scaffold/lines.hpp"
#include "src/scaffold/template_files.hpp"

namespace keelson::scaffold {

namespace {

using Tags = std::vector<std::string_view>;

Tags tags_of(Feature feature) {
  switch (feature) {
    case Feature::kCrd:
      return {"CRD"};
    case Feature::kWebhooks:
      return {"WEBHOOK", "SELF-SIGNED"};
    case Feature::kNamespaced:
      return {"NAMESPACED"};
  }
  return {};
}

// The template has all blocks of these features enabled, except [NAMESPACED], whose lines are constant.
std::vector<Block> blocks_of_tag(std::string_view tag) {
  if (tag == "NAMESPACED") return {{"components:", "- ../namespaced"}};
  return blocks_of(template_of(kDefaultKustomization), tag);
}

}  // namespace

std::string with_feature(std::string_view text, Feature feature) {
  std::string out(text);
  for (const auto tag : tags_of(feature)) out = enable_blocks(out, tag, blocks_of_tag(tag));
  return out;
}

std::string without_feature(std::string_view text, Feature feature) {
  std::string out(text);
  for (const auto tag : tags_of(feature)) out = disable_blocks(out, tag, blocks_of_tag(tag));
  return out;
}

bool has_feature(std::string_view text, Feature feature) { return without_feature(text, feature) != text; }

bool has_cert_manager(std::string_view text) {
  return disable_blocks(text, "CERTMANAGER", {{"- ../certmanager"}}) != text;
}

}  // namespace keelson::scaffold
