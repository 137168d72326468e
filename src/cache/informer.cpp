#include "keelson/detail/cache/informer.hpp"

#include <string>

#include "keelson/detail/base/misuse.hpp"

namespace keelson::cache::detail {

void check_kind(const Informer& informer, const kube::Identity& identity) {
  const auto& resource = informer.resource();
  if (resource.kind == identity.kind && resource.group == identity.group) return;
  throw base::Misuse("an informer of " + resource.qualified_plural() + " is read as " + std::string(identity.kind) +
                     ": read it as a struct of its kind, or find the informer of that kind");
}

Error about(const kube::Object& object, Error error) { return std::move(error).with_context(object.key().text()); }

}  // namespace keelson::cache::detail
