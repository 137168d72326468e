// Reading an object of the cache: parsed once, and only what its informer declared.
//
// An informer keeps the paths that its users declared. Asking for another one is an error that names it, not an absent
// value that reads like "nobody set this".
#pragma once

#include <initializer_list>
#include <string_view>

#include "keelson/json/value.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

class Fields {
 public:
  [[nodiscard]] static Result<Fields> of(Object object);

  // Absent when the object does not have it. The View lives as long as this.
  [[nodiscard]] Result<json::View> at(std::initializer_list<std::string_view> path) const;
  // Everything that is there, for a comparison with what was declared as a whole.
  [[nodiscard]] json::View root() const { return document_.root(); }
  [[nodiscard]] const Object& object() const { return object_; }

 private:
  Fields(Object object, json::Document document) : object_(std::move(object)), document_(std::move(document)) {}
  Object object_;
  json::Document document_;
};

}  // namespace keelson::kube
