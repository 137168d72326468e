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

RejectionOr<void> check_type(const Call& call, Tree& object) {
  object.set_default("apiVersion", call.resource().api_version());
  object.set_default("kind", call.resource().kind);
  if (object.text_at({"apiVersion"}) != call.resource().api_version()) {
    return bad_request("the API version in the data (" + object.text_at({"apiVersion"}) +
                       ") does not match the expected API version (" + call.resource().api_version() + ")");
  }
  if (object.text_at({"kind"}) == call.resource().kind) return {};
  return bad_request("the kind in the data (" + object.text_at({"kind"}) + ") does not match the expected kind (" +
                     call.resource().kind + ")");
}

}  // namespace keelson::sandbox
