// The subresource scale, which `kubectl scale` and autoscalers use: the replicas of an object as an autoscaling/v1
// Scale.
//
// Reads return the Scale of the object. A write of a Scale becomes a write of the object in which only the number of
// replicas differs; writable_fields.hpp and writes.hpp do so. Webhooks receive the Scale (admission/attributes.hpp).
#pragma once

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// The autoscaling/v1 Scale of an object.
[[nodiscard]] Tree scale_of(const ServedKind& kind, const Tree& object);

// The object with the replicas of the Scale, which are 0 if it has none.
[[nodiscard]] Tree rescaled(const ServedKind& kind, Tree object, const Tree& scale);

// An applied object with its type and name only.
[[nodiscard]] Tree empty_configuration(const Call& call);
// The configuration to apply to the object when the client applies this Scale.
[[nodiscard]] Tree scale_configuration(const Call& call, const Tree& scale);

// The Scale of the object that was written, if the call is for its scale; otherwise the object.
[[nodiscard]] RejectionOr<Answer> as_answer(const Call& call, RejectionOr<Answer> written);

}  // namespace keelson::sandbox
