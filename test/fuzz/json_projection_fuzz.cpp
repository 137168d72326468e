// Projections and metadata: both implementations agree, accepted input is JSON, and JSON is accepted.
#include <cstdint>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using namespace keelson::json;

// RapidJSON rejects JSON numbers beyond a double.
bool is_number_too_big(const Result<Document>& document) {
  return !document && document.error().text.find("too big") != std::string::npos;
}

std::size_t count(View object, std::string_view wanted) {
  std::size_t found = 0;
  for (const auto& [name, value] : object.members()) found += name == wanted ? 1 : 0;
  return found;
}

void check_projection(const Projection& projection, std::string_view text, const Result<Document>& input) {
  std::string out = "before";
  const auto applied = projection.apply(text, out, ScanCode::kFastest);
  std::string scalar_out = "before";
  const auto scalar_applied = projection.apply(text, scalar_out, ScanCode::kScalar);
  KEELSON_ASSERT(out == scalar_out && applied.has_value() == scalar_applied.has_value());
  if (!applied) {
    KEELSON_ASSERT(out == "before" && applied.error().text == scalar_applied.error().text);
    KEELSON_ASSERT(!input || !input->root().is_object());
    return;
  }
  const auto output = Document::parse(std::string_view(out).substr(6));
  KEELSON_ASSERT(output || is_number_too_big(output));
  if (!input || !output || count(input->root(), "metadata") > 1) return;
  KEELSON_ASSERT(output->root().at({"metadata", "managedFields"}).is_absent());
  KEELSON_ASSERT(equal(output->root().at({"metadata", "name"}), input->root().at({"metadata", "name"})));
  const View kept = output->root().at({"spec", "containers"});
  if (projection.covers({"spec", "containers"})) KEELSON_ASSERT(equal(kept, input->root().at({"spec", "containers"})));
}

void check_metadata(std::string_view text, const Result<Document>& input) {
  const auto found = scan_metadata(text);
  if (!found) return;
  KEELSON_ASSERT(for_each_member(text, [](std::string_view, std::string_view) {}));
  KEELSON_ASSERT(for_each_string(found->labels, [](std::string_view, std::string_view) {}));
  KEELSON_ASSERT(for_each_string(found->annotations, [](std::string_view, std::string_view) {}));
  (void)for_each_owner(found->owner_references, [](const OwnerReferenceView&) {}).has_value();
  if (!input || count(input->root(), "metadata") > 1) return;
  KEELSON_ASSERT(found->name == input->root().at({"metadata", "name"}).string().value_or(""));
  KEELSON_ASSERT(found->uid == input->root().at({"metadata", "uid"}).string().value_or(""));
  KEELSON_ASSERT(found->kind == input->root().find("kind").string().value_or(""));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Projection everything = Projection::everything();
  static const Projection some = Projection::of({{"spec", "containers", "image"}, {"status", "phase"}});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto input = Document::parse(text);
  check_projection(everything, text, input);
  check_projection(some, text, input);
  check_metadata(text, input);
  return 0;
}
