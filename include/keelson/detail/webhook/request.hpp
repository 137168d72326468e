// An admission request: the API server's description of a write that it has not executed yet.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/detail/webhook/reviewed_object.hpp"
#include "keelson/kube/key.hpp"

namespace keelson::webhook {

// kUpdate includes patches and server-side applies. kConnect is a request to a subresource such as pods/exec.
enum class Operation { kCreate, kUpdate, kDelete, kConnect };

// The name in the API: "CREATE".
[[nodiscard]] std::string_view name_of(Operation operation);

// The authenticated user of the request (userInfo).
struct User {
  std::string name;  // "system:serviceaccount:default:builder"
  std::string uid;   // may be empty
  std::vector<std::string> groups;
};

// Describes the members of userInfo.
void describe(kube::Description& d, User& user);

// Lives as long as the review: until the coroutine of the webhook has returned.
struct Request {
  explicit Request(Logger logger) : log(std::move(logger)) {}

  std::string uid;  // of this request, not of the object
  Operation operation = Operation::kCreate;
  // The name is the object's, or the request's if the object has none. Empty for a create with generateName.
  kube::Key key;
  std::string subresource;  // "status"; empty: the object itself
  User user;
  bool dry_run = false;       // the write will not be stored: have no effects outside the review
  ReviewedObject object;      // absent for a delete
  ReviewedObject old_object;  // absent for a create
  Logger log;                 // has the keys object, namespace, name, resource, user, requestID
};

}  // namespace keelson::webhook
