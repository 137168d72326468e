// One write as an admission webhook is asked about it, and whether a webhook's selectors and rules name it.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/call.hpp"
#include "src/sandbox/store.hpp"
#include "src/sandbox/world.hpp"

namespace keelson::sandbox {

struct Attributes {
  kube::Resource resource;  // what is addressed
  std::string subresource;
  kube::Resource object_kind;   // what is sent: a Scale, an Eviction, or the resource's kind
  std::string request_version;  // of the resource and the kind in the request, before they were converted
  std::string operation;        // CREATE, UPDATE, DELETE
  std::string ns;
  std::string name;
  Tree object;      // null for DELETE
  Tree old_object;  // null for CREATE
  Tree options;     // CreateOptions, UpdateOptions, DeleteOptions
  bool is_dry_run = false;
  UserInfo user;
};

// Of a write of `after` in the place of `live` (null: new). Both without managedFields.
[[nodiscard]] Attributes attributes_of(const Call& call, const Store::Entry* live, const Tree& after);
[[nodiscard]] Attributes deletion_attributes(const Call& call, const Store::Entry& live, const Tree& options);
[[nodiscard]] Attributes eviction_attributes(const Call& call, const Tree& eviction);

}  // namespace keelson::sandbox
