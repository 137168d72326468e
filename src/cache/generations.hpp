// Generations: the updates of an object that change only metadata.generation and status.observedGeneration.
//
// Some kinds increment the generation although nothing changes that a reader stores: a Deployment with each change of
// its annotations. Its controller then sets observedGeneration. A reader that only compares both numbers learns nothing
// from either update, if it does not see the state in between.
//
// Decision: docs/decisions/0013-generations-of-settled-objects-are-held-back.md
#pragma once

#include <optional>

#include "keelson/kube/object.hpp"

namespace keelson::cache {

// If `before` is settled and the update changes only the two numbers: the state to store. That is `after`, or until its
// generation is observed `before` with the new resourceVersion. Otherwise nullopt.
[[nodiscard]] std::optional<kube::Object> quiet_update(const kube::Object& before, const kube::Object& after);

// Whether the controller of its kind has observed the newest generation. False for objects that lack one of the
// numbers.
[[nodiscard]] bool is_settled(const kube::Object& object);

// Whether no stored byte differs except those of the two numbers and the resourceVersion. False if a condition has an
// observedGeneration of its own that differs.
[[nodiscard]] bool differ_only_in_generations(const kube::Object& before, const kube::Object& after);

}  // namespace keelson::cache
