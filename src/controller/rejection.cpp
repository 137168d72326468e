#include "keelson/controller/rejection.hpp"

#include "keelson/kube/client.hpp"

namespace keelson::controller {

namespace {

// The API server reports the uid or the owner if the object of that name is not the one that was read.
bool is_about_identity(const Error& error) {
  if (!kube::is_invalid(error)) return false;
  return error.status_body.find("\"metadata.uid\"") != std::string::npos ||
         error.status_body.find("\"metadata.ownerReferences\"") != std::string::npos;
}

}  // namespace

bool is_rejection(const Error& error) {
  if (error.kind != Error::Kind::kStatus || error.code < 400 || error.code >= 500) return false;
  if (kube::is_namespace_terminating(error) || is_about_identity(error)) return false;
  // 404: the namespace, and with it the object whose status would report it. 401: our credentials, not the object.
  switch (error.code) {
    case 401:
    case 404:
    case 408:
    case 410:
    case 429:
      return false;
    // Of two field managers that set a field to different values, a user must change one.
    case 409:
      return kube::is_apply_conflict(error);
    default:
      return true;
  }
}

const std::string& words_of(const Error& error) { return error.server_text.empty() ? error.text : error.server_text; }

}  // namespace keelson::controller
