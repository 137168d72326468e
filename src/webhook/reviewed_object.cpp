#include "keelson/detail/webhook/request.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/decoder.hpp"
#include "src/webhook/object_parts.hpp"
#include "src/webhook/review_limits.hpp"
#include "src/webhook/slices.hpp"

namespace keelson::webhook {

namespace {

Task<std::vector<std::string_view>> find_values(async::Clock& clock, std::string_view json,
                                                std::vector<std::vector<std::string>> paths) {
  json::PathScan scan(json, paths);
  KEELSON_CO_TRY(co_await in_slices(clock, scan));
  std::vector<std::string_view> values;
  for (std::size_t path = 0; path < paths.size(); ++path) values.push_back(scan.value(path));
  co_return values;
}

Task<void> decode_value(async::Clock& clock, std::string_view json, const kube::Type& type, void* out,
                        const char* path) {
  kube::Decoder decoder(json, type, out, path, decoded_limit(json.size(), kSpecMemoryBytes));
  auto decoded = co_await in_slices(clock, decoder);
  co_return decoded;
}

}  // namespace

Result<ReviewedObject> ReviewedObject::of(async::Clock& clock, std::string_view json) {
  json::PathScan scan(json, object_paths({}));
  KEELSON_TRY(scan.advance(json.size() + 1));
  KEELSON_LET(auto parts, object_parts(scan, 0, ""));
  return ReviewedObject(clock, std::move(parts));
}

Task<json::Document> ReviewedObject::read(std::vector<std::string> path) const {
  if (is_absent()) co_return json::Document::parse("null");
  std::vector<std::vector<std::string>> paths;
  paths.push_back(path);
  KEELSON_CO_LET(auto values, co_await find_values(*clock_, parts_.json, std::move(paths)));
  const auto value = values.front();
  if (value.size() > kReadBytes) {
    co_return invalid_error(base::join(path, ".") + ": " + std::to_string(value.size()) +
                            " bytes are too many to be read as a tree: describe them in the struct, or scan json()");
  }
  co_return json::Document::parse(value.empty() ? "null" : value);
}

Task<void> ReviewedObject::decode(const kube::Type& type, void* out) const {
  if (is_absent()) co_return Result<void>();
  auto decoded = co_await decode_value(*clock_, parts_.json, type, out, "");
  co_return decoded;
}

Task<void> ReviewedObject::decode_spec(const kube::Type& type, void* out) const {
  if (parts_.spec.empty()) co_return Result<void>();
  auto decoded = co_await decode_value(*clock_, parts_.spec, type, out, "spec");
  co_return decoded;
}

Task<std::vector<std::string_view>> ReviewedObject::find_in(std::string_view value,
                                                            std::vector<std::vector<std::string>> paths) const {
  if (!value.starts_with('{')) co_return std::vector<std::string_view>(paths.size());
  auto values = co_await find_values(*clock_, value, std::move(paths));
  co_return values;
}

}  // namespace keelson::webhook
