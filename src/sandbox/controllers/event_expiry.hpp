// Deletes Events an hour after their last change, as kube-apiserver does.
#pragma once

#include <list>
#include <map>
#include <memory>

#include "src/sandbox/storage/world.hpp"
#include "src/sandbox/verbs/deletes.hpp"

namespace keelson::sandbox {

class EventExpiry {
 public:
  EventExpiry(World& world, Deletes& deletes);
  EventExpiry(const EventExpiry&) = delete;
  EventExpiry& operator=(const EventExpiry&) = delete;

  void hear(const Change& change);

 private:
  using Due = std::list<std::pair<async::TimePoint, kube::Key>>;
  void arm();
  void expire();

  World& world_;
  Deletes& deletes_;
  const ServedKind* kind_;
  Due due_;  // the next Event to expire first
  std::map<kube::Key, Due::iterator> places_;
  std::unique_ptr<async::Timer> timer_;
};

}  // namespace keelson::sandbox
