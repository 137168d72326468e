// The virtual clock of room testing, in the namespace of our own tests.
#pragma once

#include "keelson/testing/virtual_clock.hpp"

namespace keelson::test {
using testing::VirtualClock;
}  // namespace keelson::test
