// The loop of room testing, in the namespace of our own tests.
#pragma once

#include "keelson/testing/test_loop.hpp"
#include "test/support/virtual_clock.hpp"

namespace keelson::test {
using testing::RunLimits;
using testing::TestLoop;
using testing::yield;
}  // namespace keelson::test
