#include "keelson/controller/owner_reference.hpp"

#include <utility>

#include "keelson/json/writer.hpp"
#include "src/controller/api_version.hpp"

namespace keelson::controller {

namespace {

bool counts_within(std::string_view child_ns, const kube::Object& owner) {
  return owner.ns().empty() || owner.ns() == child_ns;
}

}  // namespace

Result<std::string> controller_reference(const kube::Resource& resource, const kube::Object& owner,
                                         std::string_view child_ns) {
  if (!owner.ns().empty() && child_ns.empty()) {
    return invalid_error("cluster-scoped resource must not have a namespace-scoped owner, owner's namespace " +
                         std::string(owner.ns()));
  }
  if (!owner.ns().empty() && owner.ns() != child_ns) {
    return invalid_error("cross-namespace owner references are disallowed, owner's namespace " +
                         std::string(owner.ns()) + ", obj's namespace " + std::string(child_ns));
  }
  json::Writer writer;
  writer.begin_object()
      .field("apiVersion", resource.api_version())
      .field("kind", resource.kind)
      .field("name", owner.name())
      .field("uid", owner.uid())
      .field("controller", true)
      .field("blockOwnerDeletion", true)
      .end_object();
  return std::move(writer).take();
}

Result<void> check_not_owned_by_another(const kube::Resource& resource, const kube::Object& owner,
                                        const kube::Object& child) {
  auto controller = child.controller_owner();
  if (!controller) return {};
  if (group_of(controller->api_version) == resource.group && controller->kind == resource.kind &&
      controller->name == owner.name() && counts_within(child.ns(), owner)) {
    return {};
  }
  return invalid_error("Object " + std::string(child.ns()) + "/" + std::string(child.name()) +
                       " is already owned by another " + std::string(controller->kind) + " controller " +
                       std::string(controller->name));
}

bool is_controlled_by(const kube::Object& object, const kube::Object& owner) {
  auto controller = object.controller_owner();
  return controller && controller->uid == owner.uid() && counts_within(object.ns(), owner);
}

}  // namespace keelson::controller
