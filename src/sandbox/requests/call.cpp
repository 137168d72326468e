#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

Answer succeeded(int code) {
  auto status = Tree::object(
      {{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Tree::object()}, {"status", "Success"}, {"code", code}});
  return {code, status.text()};
}

RejectionOr<Tree> object_in(const Call& call) {
  auto body = Tree::parse(call.body);
  if (!body || !body->is_object()) return bad_request("the object provided is unrecognized");
  return std::move(*body);
}

}  // namespace keelson::sandbox
