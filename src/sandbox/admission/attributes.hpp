// A write as an admission webhook sees it: the content of an AdmissionReview.
#pragma once

#include <string>
#include <vector>

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/store.hpp"
#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

struct Attributes {
  kube::Resource resource;  // the requested resource
  std::string subresource;
  kube::Resource object_kind;   // the kind of the request's object: Scale, Eviction, or the resource's kind
  std::string request_version;  // the version of resource and kind in the request, before conversion
  std::string operation;        // CREATE, UPDATE, DELETE
  std::string ns;
  std::string name;
  Tree object;      // null for DELETE
  Tree old_object;  // null for CREATE
  Tree options;     // CreateOptions, UpdateOptions, DeleteOptions
  bool is_dry_run = false;
  UserInfo user;
};

// The attributes of a write that replaces `live` (null: a creation) by `after`, whose fields these managers own.
[[nodiscard]] Attributes attributes_of(const Call& call, const Store::Entry* live, const Tree& after,
                                       const Managers& managers);
[[nodiscard]] Attributes deletion_attributes(const Call& call, const Store::Entry& live, const Tree& options);
[[nodiscard]] Attributes eviction_attributes(const Call& call, const Tree& eviction);

}  // namespace keelson::sandbox
