// The conditions of a cached object as values, and as texts for people. Without I/O.
#pragma once

#include <string>
#include <vector>

#include "keelson/kube/object.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::controller {

// The conditions in the status of an object; empty if there are none. Missing members are empty.
[[nodiscard]] std::vector<kube::Condition> conditions_of(const kube::Object& object);

// "CrashLoopBackOff: Pod web-x … (since 2026-01-02T15:04:05Z)"
[[nodiscard]] std::string text_since(const kube::Condition& condition);

}  // namespace keelson::controller
