// One admission request: what the API server says about a write before it happens.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/webhook/reviewed_object.hpp"

namespace keelson::webhook {

enum class Operation { kCreate, kUpdate, kDelete, kConnect };

// "CREATE", as the wire spells it.
[[nodiscard]] std::string_view name_of(Operation operation);

struct User {
  std::string name;
  std::string uid;
  std::vector<std::string> groups;
};

// From the request's userInfo.
void describe(kube::Description& d, User& user);

// Lives as long as the review.
struct Request {
  explicit Request(Logger logger) : log(std::move(logger)) {}

  std::string uid;  // of this request, not of the object
  Operation operation = Operation::kCreate;
  // The object's name where it has one already (generateName), else the request's.
  kube::Key key;
  std::string subresource;  // empty: the object itself
  User user;
  bool dry_run = false;       // nothing will be stored: do nothing that outlasts the answer
  ReviewedObject object;      // absent for a delete
  ReviewedObject old_object;  // absent for a create
  Logger log;                 // carries object, namespace, name, resource, user, requestID
};

}  // namespace keelson::webhook
