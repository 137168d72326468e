// The objects that need attention, for /statusz.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace keelson::controller {

// An object of which a condition that needs attention is True.
struct UnhealthyObject {
  std::string key;      // "default/web"
  std::string problem;  // "CrashLoopBackOff: Pod web-x … (since 2026-01-02T15:04:05Z)"
};

// The objects of a kind of which one condition is True: Stalled, Degraded, Conflict or Paused.
struct UnhealthyKind {
  std::string kind;
  std::size_t count = 0;                 // of all such objects
  std::vector<UnhealthyObject> objects;  // the first of them, at most 20
  std::string condition = {};            // "Degraded"
  std::string resource = {};             // of the kind: "memcacheds.cache.example.com"
};

}  // namespace keelson::controller
