#include "src/base/kernel_entropy.hpp"

#include <sys/random.h>

#include <cerrno>

#include "keelson/detail/base/assert.hpp"

namespace keelson::base {

void fill_from_kernel(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    KEELSON_ASSERT(got > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace keelson::base
