// Decisions that must not be made twice, by a process that has just taken over from another.
//
// The cache of a new leader may lag behind what the old one did: a first list may be served from the API server's own
// cache, and a watch may be late. Reading our own writes does not help, they were somebody else's. So before such a
// decision (may a run begin, which is the next child) the object and its children are asked for once more, until the
// informers have passed what the first of these questions saw.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

// Made by a reconciler, so that it lives no longer than a reign: a leader that lost its lease does not come back.
class CatchUp {
 public:
  // The context must outlive it.
  explicit CatchUp(Context& context) : context_(context) {}

  // What the cache says of these kinds may be older than what another process did. Asked before the cache is read.
  [[nodiscard]] bool may_lag(const kube::Resource& resource, const kube::Resource& children) const;

  // The cache has `object` and all of its children of that kind as the server has them, or newer, in get, list and
  // every index. True: the server was asked, so what was read from the cache before may be old. False: no need to ask.
  // An error of the server, or that it is away, means that nothing is known: decide nothing.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> bring_up_to_date(kube::Resource resource, kube::Object object,
                                                                      kube::Resource children);
  // The same for `object` alone: before something is changed to what its spec says.
  [[nodiscard]] boost::asio::awaitable<Result<bool>> bring_up_to_date(kube::Resource resource, kube::Object object);

 private:
  [[nodiscard]] boost::asio::awaitable<Result<void>> ask_for_object(cache::Informer& informer, kube::Object object);
  [[nodiscard]] boost::asio::awaitable<Result<void>> ask_for_children(cache::Informer& informer, kube::Object object);
  [[nodiscard]] bool has_passed(const cache::Informer& informer) const;
  void saw(const cache::Informer& informer, const std::string& version);

  Context& context_;
  // What the first question about each saw.
  std::map<const cache::Informer*, std::uint64_t> first_seen_;
  std::set<std::string> asked_;  // uid and kind, of the children or of itself; forgotten once the watches have passed
};

}  // namespace keelson::controller
