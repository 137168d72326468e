// Defaults of a changed definition for the objects that are stored already.
//
// The real server adds them each time it reads an object. Here they are added once, when the definition changes or the
// journal is loaded, and only in memory: without a new version, and without an event for watches.
#pragma once

#include "src/sandbox/storage/world.hpp"

namespace keelson::sandbox {

// Of the kind that this CustomResourceDefinition defines, which must be served.
void add_defaults_to_stored(World& world, const Tree& definition);

}  // namespace keelson::sandbox
