// The objects that need attention, for /statusz.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace keelson::controller {

// An object of which the condition Degraded or Stalled is True.
struct UnhealthyObject {
  std::string key;      // "default/web"
  std::string problem;  // "CrashLoopBackOff: Pod web-x … (since 2026-01-02T15:04:05Z)"
};

struct UnhealthyKind {
  std::string kind;
  std::size_t count = 0;                 // of all such objects
  std::vector<UnhealthyObject> objects;  // the first of them, at most limits::kNamedUnhealthyObjects
};

}  // namespace keelson::controller
