// Patches: never a crash, results are JSON, and differences lead from one value to the other.
#include <cstdint>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using namespace keelson::json;

void check_differences(std::string_view before, View old, View wanted) {
  const auto patched = json_patch(before, diff(old, wanted));
  KEELSON_ASSERT(patched && equal(Document::parse(*patched)->root(), wanted));
}

}  // namespace

// The target and the patch are two lines.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), size);
  const std::string_view target = text.substr(0, line);
  const std::string_view patch = text.substr(std::min(line + 1, size));

  const auto merged = merge_patch(target, patch);
  KEELSON_ASSERT(!merged || Document::parse(*merged));
  const auto patched = json_patch(target, patch);
  KEELSON_ASSERT(!patched || Document::parse(*patched));
  const auto old = Document::parse(target);
  const auto wanted = Document::parse(patch);
  if (old && wanted) check_differences(target, old->root(), wanted->root());
  return 0;
}
