// The recorded log of room testing, in the namespace of our own tests.
#pragma once

#include "keelson/testing/recording_sink.hpp"

namespace keelson::test {
using testing::RecordingSink;
}  // namespace keelson::test
