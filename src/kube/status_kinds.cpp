// Classifies errors of kind kStatus by reason, or by code if the reason is not a known one.
#include <algorithm>
#include <array>

#include "keelson/kube/client.hpp"

namespace keelson::kube {

namespace {

bool is_known(std::string_view reason) {
  constexpr std::array<std::string_view, 19> kReasons{"Unauthorized",
                                                      "Forbidden",
                                                      "NotFound",
                                                      "AlreadyExists",
                                                      "Conflict",
                                                      "Gone",
                                                      "Invalid",
                                                      "ServerTimeout",
                                                      "Timeout",
                                                      "TooManyRequests",
                                                      "BadRequest",
                                                      "MethodNotAllowed",
                                                      "NotAcceptable",
                                                      "UnsupportedMediaType",
                                                      "InternalError",
                                                      "Expired",
                                                      "ServiceUnavailable",
                                                      "RequestEntityTooLarge",
                                                      "StoreReadError"};
  return std::ranges::find(kReasons, reason) != kReasons.end();
}

bool says(const Error& error, std::string_view reason, int code) {
  if (error.kind != Error::Kind::kStatus) return false;
  return error.reason == reason || (error.code == code && !is_known(error.reason));
}

}  // namespace

bool is_not_found(const Error& error) { return says(error, "NotFound", 404); }
bool is_conflict(const Error& error) { return says(error, "Conflict", 409); }
bool is_already_exists(const Error& error) {
  return error.kind == Error::Kind::kStatus && error.reason == "AlreadyExists";
}
bool is_apply_conflict(const Error& error) {
  return is_conflict(error) && error.status_body.find("\"FieldManagerConflict\"") != std::string::npos;
}
bool is_forbidden(const Error& error) { return says(error, "Forbidden", 403); }
bool is_gone(const Error& error) { return says(error, "Gone", 410) || says(error, "Expired", 410); }
bool is_invalid(const Error& error) { return says(error, "Invalid", 422); }

bool is_namespace_terminating(const Error& error) {
  // The name of a cause in the Status. Its text differs between versions of Kubernetes, its name does not.
  return is_forbidden(error) && error.status_body.find("\"NamespaceTerminating\"") != std::string::npos;
}

}  // namespace keelson::kube
