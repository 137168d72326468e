// Consistent reads, for decisions that must not be made twice by a replica that has just acquired the lease.
//
// The cache of a new leader may be older than the writes of the former one: a first list may be served from the API
// server's own cache, and a watch may be late. Reading our own writes does not help, because another process wrote.
// Therefore, before such a decision (whether a run begins, which child is next), the object and its children are
// listed, until the informers have passed the resourceVersion that the first of these lists returned.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

// One for each reconciler, so that it lives no longer than a term of leadership.
class ConsistentRead {
 public:
  // The context must outlive it.
  explicit ConsistentRead(Context& context) : context_(context) {}

  // True if the cache of these kinds may be older than the writes of another process.
  [[nodiscard]] bool may_be_stale(const kube::Resource& resource, const kube::Resource& children) const;

  // Afterwards the cache has `object` and all of its children of that kind as the API server has them, or newer, in
  // get, list and every index. True: requests were sent, so earlier reads from the cache may be stale. After an Error
  // the cache may be stale: do not decide.
  [[nodiscard]] Task<bool> refresh(kube::Resource resource, kube::Object object, kube::Resource children);
  // The same for `object` alone, before a child is changed to the desired state of its spec.
  [[nodiscard]] Task<bool> refresh(kube::Resource resource, kube::Object object);

 private:
  [[nodiscard]] Task<void> list_object(cache::Informer& informer, kube::Object object);
  [[nodiscard]] Task<void> list_children(cache::Informer& informer, kube::Object object);
  [[nodiscard]] bool has_passed(const cache::Informer& informer) const;
  void observe_version(const cache::Informer& informer, const std::string& version);

  Context& context_;
  // The resourceVersion that the first list of each informer returned.
  std::map<const cache::Informer*, std::uint64_t> first_listed_;
  // uid and kind, of the children or of the object itself; removed once the watches have passed.
  std::set<std::string> listed_;
};

}  // namespace keelson::controller
