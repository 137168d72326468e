// The kernel's random bytes, for secrets.
#pragma once

#include <cstdint>
#include <span>

namespace keelson::base {

// An Entropy. Blocks only until the kernel has collected entropy after the machine has started.
void fill_from_kernel(std::span<std::uint8_t> bytes);

}  // namespace keelson::base
