// The defaults of built-in types that depend on other fields; data/defaults.txt has the others.
#pragma once

#include <string_view>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

using Completion = void (*)(Tree& object);

// The function that completes an object of this definition, "io.k8s.api.core.v1.Volume"; null: there is none. The
// object is decoded and has its constant defaults.
[[nodiscard]] Completion completion_of(std::string_view definition);

// Sets what depends on the object before the write; null: a new object.
void complete_write(const kube::Resource& resource, Tree& object, const Tree* before);

}  // namespace keelson::sandbox
