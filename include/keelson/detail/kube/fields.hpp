// Reads fields of a cached object: parsed once, and limited to the paths that its informer stores.
//
// An informer stores the paths of its projection only. Reading any other path is a kInvalid error that names it,
// because an absent value would look like a field that is not set.
#pragma once

#include <initializer_list>
#include <string_view>

#include "keelson/json/value.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

class Fields {
 public:
  // Parses the object, whose block it shares. kMalformed if it is not JSON.
  [[nodiscard]] static Result<Fields> of(Object object);

  // The value at the path, {"spec", "replicas"}; an absent View if the object does not have it. The View refers to this
  // Fields and must not outlive it.
  [[nodiscard]] Result<json::View> at(std::initializer_list<std::string_view> path) const;
  // The whole stored object, without the check of paths: for comparisons of the stored part as a whole.
  [[nodiscard]] json::View root() const { return document_.root(); }
  [[nodiscard]] const Object& object() const { return object_; }

 private:
  Fields(Object object, json::Document document) : object_(std::move(object)), document_(std::move(document)) {}
  Object object_;
  json::Document document_;
};

}  // namespace keelson::kube
