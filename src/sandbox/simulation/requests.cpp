#include "src/sandbox/simulation/requests.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"

namespace keelson::sandbox {

namespace {

Result<std::string> as_json(std::string_view text) {
  if (json::Document::parse(text)) return std::string(text);
  return json::yaml_to_json(text);
}

}  // namespace

Result<kube::Object> create_as_user(sandbox::loop::TestLoop& loop, ApiServer& server, const kube::Resource& resource,
                                    std::string ns, std::string_view object) {
  KEELSON_LET(auto json, as_json(object));
  return outcome_of(loop, kube::create(server.client(kSimulatedUser), resource, std::move(ns), std::move(json)));
}

Result<kube::Object> patch_as_user(sandbox::loop::TestLoop& loop, ApiServer& server, const kube::Resource& resource,
                                   const kube::Key& key, std::string_view merge_patch, std::string subresource) {
  KEELSON_LET(auto json, as_json(merge_patch));
  auto& client = server.client(kSimulatedUser);
  auto patched = kube::patch(client, resource, key, kube::PatchType::kMerge, std::move(json), std::move(subresource));
  return outcome_of(loop, std::move(patched));
}

}  // namespace keelson::sandbox
