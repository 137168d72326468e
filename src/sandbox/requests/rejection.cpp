#include "src/sandbox/requests/rejection.hpp"

#include "keelson/detail/base/go_text.hpp"

namespace keelson::sandbox {

Tree details_of(const kube::Resource& resource, const std::string& kind, const std::string& name) {
  auto details = Tree::object();
  if (!name.empty()) details["name"] = name;
  if (!resource.group.empty()) details["group"] = resource.group;
  if (!kind.empty()) details["kind"] = kind;
  return details;
}

namespace {

Rejection about(int code, std::string reason, std::string message, const kube::Resource& resource,
                const std::string& name) {
  auto rejected = rejection(code, std::move(reason), std::move(message));
  rejected.status["details"] = details_of(resource, resource.plural, name);
  return rejected;
}

Rejection about_nothing(int code, std::string reason, std::string message) {
  return about(code, std::move(reason), std::move(message), kube::Resource("", "", "", ""), "");
}

std::string method_of(kube::Verb verb) {
  switch (verb) {
    case kube::Verb::kGet:
    case kube::Verb::kList:
    case kube::Verb::kWatch:
      return "get";
    case kube::Verb::kCreate:
      return "post";
    case kube::Verb::kUpdate:
      return "put";
    case kube::Verb::kPatch:
      return "patch";
    case kube::Verb::kDelete:
    case kube::Verb::kDeleteCollection:
      return "delete";
  }
  return "";
}

}  // namespace

Rejection rejection(int code, std::string reason, std::string message) {
  auto status = Tree::object({{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"metadata", Tree::object()},
                              {"status", "Failure"},
                              {"message", message}});
  if (!reason.empty()) status["reason"] = reason;
  return {code, std::move(status)};
}

Tree Rejection::body() const {
  auto whole = status;
  whole["code"] = code;
  return whole;
}

Rejection bad_request(std::string message) { return rejection(400, "BadRequest", std::move(message)); }

Rejection not_stored(const Error& error) {
  return error.kind == Error::Kind::kStatus ? rejection(error.code, error.reason, error.text) : bad_request(error.text);
}

Rejection not_served() { return about_nothing(404, "NotFound", "the server could not find the requested resource"); }

Rejection page_not_found(const kube::ApiRequest& request) {
  auto subject = method_of(request.verb) + " " + request.resource.qualified_plural();
  if (!request.key.name.empty()) subject += " " + request.key.name;
  return about(404, "NotFound", "the server could not find the requested resource (" + subject + ")", request.resource,
               request.key.name);
}

Rejection method_not_allowed() {
  return about_nothing(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

Rejection unknown_patch() { return about_nothing(415, "UnsupportedMediaType", "415: Unsupported Media Type"); }

Rejection not_found(const kube::Resource& resource, const std::string& name) {
  auto message = resource.qualified_plural() + " " + base::quote_go(name) + " not found";
  return about(404, "NotFound", message, resource, name);
}

Rejection already_exists(const kube::Resource& resource, const std::string& name) {
  auto message = resource.qualified_plural() + " " + base::quote_go(name) + " already exists";
  return about(409, "AlreadyExists", message, resource, name);
}

Rejection conflict(const kube::Resource& resource, const std::string& name, const std::string& why) {
  auto message =
      "Operation cannot be fulfilled on " + resource.qualified_plural() + " " + base::quote_go(name) + ": " + why;
  return about(409, "Conflict", message, resource, name);
}

Rejection outdated(const kube::Resource& resource, const std::string& name) {
  return conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version and try again");
}

Rejection invalid_object(const kube::Resource& resource, const std::string& name,
                         const std::vector<FieldError>& errors) {
  auto kind = resource.group.empty() ? resource.kind : resource.kind + "." + resource.group;
  auto rejected =
      rejection(422, "Invalid", kind + " " + base::quote_go(name) + " is invalid: " + kube::all_messages(errors));
  rejected.status["details"] = details_of(resource, resource.kind, name);
  rejected.status["details"]["causes"] = Tree::raw(kube::status_causes(errors));
  return rejected;
}

Rejection expired(std::string message) { return rejection(410, "Expired", std::move(message)); }

Rejection too_large_version(std::uint64_t asked, std::uint64_t current) {
  auto rejected = rejection(
      504, "Timeout",
      "Timeout: Too large resource version: " + std::to_string(asked) + ", current: " + std::to_string(current));
  auto cause = Tree::object({{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}});
  rejected.status["details"] = Tree::object({{"causes", Tree::array({cause})}, {"retryAfterSeconds", 1}});
  return rejected;
}

}  // namespace keelson::sandbox
