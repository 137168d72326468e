// metadata.generation: the number of changes of everything except metadata and status.
#pragma once

#include "src/sandbox/requests/call.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Whether an update of the stored object counts.
[[nodiscard]] bool counts_change(const Call& call, const Tree& before, const Tree& after);

// Whether an update to the sent object counts even if it changes nothing: some kinds count a sent list or map without
// content, because Go distinguishes it from an absent one until it is stored.
[[nodiscard]] bool counts_empty_parts(const Call& call, const Tree& sent);

}  // namespace keelson::sandbox
