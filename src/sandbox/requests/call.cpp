#include "src/sandbox/requests/call.hpp"

#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

bool is_true_parameter(std::string_view value) { return value != "0" && base::to_lower(value) != "false"; }

Call own_call(const std::string& user, const ServedKind& kind, const kube::Key& key) {
  Call call;
  call.user = user_named(user);
  call.verb = kube::Verb::kUpdate;
  call.kind = &kind;
  call.key = key;
  return call;
}

Answer succeeded(int code) {
  auto status = Tree::object(
      {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Tree::object()}, {"status", "Success"}, {"code", code}});
  return {code, status.text()};
}

bool is_dry_run(const Tree& options) {
  const Tree* stages = options.find("dryRun");
  return stages != nullptr && !stages->is_empty();
}

RejectionOr<Tree> object_in(const Call& call) {
  auto body = Tree::parse(call.body);
  if (!body || !body->is_object()) return bad_request("the object provided is unrecognized");
  return std::move(*body);
}

}  // namespace keelson::sandbox
