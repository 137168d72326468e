// Any bytes as a time or a duration: reading ends, and what was read is written and read back as the same.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/rfc3339.hpp"

namespace {
using namespace keelson;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto time = base::parse_rfc3339(text)) {
    auto again = base::parse_rfc3339(base::format_rfc3339(time->second, std::chrono::seconds(0)));
    // A year before 0 or after 9999 has no text: an offset of a time at the border.
    KEELSON_ASSERT(!again || again->second == time->second);
  }
  if (auto duration = base::parse_go_duration(text)) {
    auto again = base::parse_go_duration(base::format_go_duration(*duration));
    KEELSON_ASSERT(again && *again == *duration);
  }
  return 0;
}
