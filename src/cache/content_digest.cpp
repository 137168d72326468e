#include "keelson/detail/cache/content_digest.hpp"

#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "keelson/json/value.hpp"

namespace keelson::cache {

namespace {

bool is_content(std::string_view member) {
  return member != "apiVersion" && member != "kind" && member != "metadata" && member != "status";
}

std::string digest_of_members(json::View root) {
  std::string content;
  for (const auto& [name, value] : root.members()) {
    if (is_content(name)) content.append(name).append(":").append(value.text()).append("\n");
  }
  return base::to_hex(tls::sha256(content));
}

}  // namespace

Result<std::string> content_digest(std::string_view object) {
  KEELSON_LET(const auto document, json::Document::parse(object));
  return digest_of_members(document.root());
}

Result<std::string> digest_of(const kube::Object& object) {
  KEELSON_LET(const auto document, json::Document::parse(object.json()));
  const auto digest = document.root().find(kContentDigest).string();
  if (digest) return std::string(*digest);
  if (object.projection() != nullptr && !object.projection()->covers({})) {
    return invalid_error("the digest of " + object.key().text() +
                         " is not in the cache: declare its kind with .refers_to<…>(…), or with .content = "
                         "cache::OnlyDigest{} in WatchOptions");
  }
  return digest_of_members(document.root());
}

}  // namespace keelson::cache
