// List and line splitters: both implementations agree with any chunks, and with RapidJSON about what is a list.
#include <cstdint>
#include <vector>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using namespace keelson::json;

struct Cut {
  bool ok = false;
  std::vector<std::string> items;
  std::string envelope;
  bool operator==(const Cut&) const = default;
};

Cut split(std::string_view text, std::size_t size, ScanCode code) {
  Cut cut;
  ListSplitter splitter(code);
  const OnPiece keep = [&](std::string_view item) {
    cut.items.emplace_back(item);
    return Result<void>();
  };
  for (std::size_t at = 0; at < text.size(); at += size) {
    if (!splitter.feed(text.substr(at, size), keep)) return cut;
  }
  auto envelope = splitter.finish();
  cut.ok = envelope.has_value();
  if (envelope) cut.envelope = *envelope;
  return cut;
}

// An object with one "items", an array of objects.
bool is_list(View root) {
  std::size_t count = 0;
  bool are_objects = true;
  for (const auto& [name, value] : root.members()) {
    if (name != "items") continue;
    ++count;
    for (const View item : value.items()) are_objects = are_objects && item.is_object();
    are_objects = are_objects && value.is_array();
  }
  return count == 1 && are_objects;
}

void check_against_parser(std::string_view text, const Cut& cut) {
  const auto document = Document::parse(text);
  if (!document || !is_list(document->root())) return;
  const View items = document->root().find("items");
  KEELSON_ASSERT(cut.ok && cut.items.size() == items.size());
  for (std::size_t i = 0; i < cut.items.size(); ++i) {
    const auto item = Document::parse(cut.items[i]);
    KEELSON_ASSERT(item && equal(item->root(), items.item(i)));
  }
  const auto envelope = Document::parse(cut.envelope);
  KEELSON_ASSERT(envelope && envelope->root().size() == document->root().size());
}

std::vector<std::string> lines(std::string_view text, std::size_t size) {
  std::vector<std::string> found;
  LineSplitter splitter;
  const OnPiece keep = [&](std::string_view line) {
    found.emplace_back(line);
    return Result<void>();
  };
  for (std::size_t at = 0; at < text.size(); at += size) KEELSON_ASSERT(splitter.feed(text.substr(at, size), keep));
  KEELSON_ASSERT(text.empty() || splitter.has_partial_line() == (text.back() != '\n'));
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t chunk = 1 + data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Cut whole = split(text, text.size() + 1, ScanCode::kFastest);
  KEELSON_ASSERT(whole == split(text, chunk, ScanCode::kFastest));
  KEELSON_ASSERT(whole == split(text, chunk, ScanCode::kScalar));
  check_against_parser(text, whole);
  KEELSON_ASSERT(lines(text, chunk) == lines(text, text.size() + 1));
  return 0;
}
