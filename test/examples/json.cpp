// The example of include/keelson/json/value.hpp.
#include <string>
#include <string_view>
#include <utility>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::examples {

// [value]
// Reads a Deployment, and writes {"name":"web","replicas":3}.
Result<std::string> summary_of(std::string_view deployment) {
  KEELSON_LET(auto document, json::Document::parse(deployment));
  auto root = document.root();
  auto name = root.at({"metadata", "name"}).string();
  if (!name) return invalid_error("deployment: metadata.name is missing");
  auto replicas = root.at({"spec", "replicas"}).integer().value_or(1);  // no checks on the way
  json::Writer writer;
  writer.begin_object().field("name", *name).field("replicas", replicas).end_object();
  return std::move(writer).take();
}
// [end]

}  // namespace keelson::examples
