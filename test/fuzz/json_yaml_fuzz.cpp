// YAML: a read document is JSON, and a written document is read back as the same.
#include <cstdint>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using namespace keelson::json;

Document written_and_read(View value) {
  const auto json = yaml_to_json(to_yaml(value));
  KEELSON_ASSERT(json);
  auto again = Document::parse(*json);
  KEELSON_ASSERT(again);
  return *std::move(again);
}

// A number of JSON may have more digits than the floating-point number that YAML makes of it: 666666666666666666.86666.
void check_round_trip(View value) {
  const auto once = written_and_read(value);
  const auto twice = written_and_read(once.root());
  KEELSON_ASSERT(equal(once.root(), twice.root()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = yaml_documents_to_json(text);
  if (documents) {
    for (const std::string& json : *documents) {
      const auto document = Document::parse(json);
      KEELSON_ASSERT(document);
      KEELSON_ASSERT(equal(written_and_read(document->root()).root(), document->root()));
    }
  }
  const auto document = Document::parse(text);
  if (document) check_round_trip(document->root());
  return 0;
}
