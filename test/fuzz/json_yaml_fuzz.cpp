// YAML: a read document is JSON, and a written document is read back as the same.
#include <cstdint>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"

namespace {

using namespace keelson;
using namespace keelson::json;

void check_round_trip(View value) {
  const std::string yaml = to_yaml(value);
  const auto json = yaml_to_json(yaml);
  KEELSON_ASSERT(json);
  const auto again = Document::parse(*json);
  KEELSON_ASSERT(again && equal(again->root(), value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = yaml_documents_to_json(text);
  if (documents) {
    for (const std::string& json : *documents) {
      const auto document = Document::parse(json);
      KEELSON_ASSERT(document);
      check_round_trip(document->root());
    }
  }
  const auto document = Document::parse(text);
  if (document) check_round_trip(document->root());
  return 0;
}
