#include "src/plan/planned_write.hpp"

namespace keelson::plan {

PlannedWrite planned_write(const sandbox::RequestInfo& request, const kube::Resource& resource,
                           const std::optional<kube::Object>& before, const std::optional<kube::Object>& after) {
  PlannedWrite write;
  write.verb = kube::verb_name(request.verb);
  write.resource = resource;
  write.subresource = request.subresource;
  write.key = after ? after->key() : before->key();
  if (!after) return write;
  if (before) {
    write.changes = kube::object_changes(resource, *before, *after);
  } else {
    write.created = kube::shown_object(resource, *after);
  }
  return write;
}

}  // namespace keelson::plan
