#include "keelson/kube/dry_run.hpp"

#include <algorithm>

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/kube/api_request.hpp"

namespace keelson::kube {

namespace {

constexpr const char* kDryRun = "dryRun";

bool has_options_in_body(const ApiRequest& request) {
  const bool is_delete = request.verb == Verb::kDelete || request.verb == Verb::kDeleteCollection;
  return is_delete && !request.body.empty();
}

std::string with_dry_run(const json::View options) {
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : options.members()) {
    if (name != kDryRun) writer.field(name, value);
  }
  writer.key(kDryRun).begin_array().string("All").end_array().end_object();
  return std::move(writer).take();
}

}  // namespace

void make_dry_run(ApiRequest& request) {
  if (is_read(request.verb)) return;
  std::erase_if(request.query, [](const auto& parameter) { return parameter.first == kDryRun; });
  request.query.emplace_back(kDryRun, "All");
  if (!has_options_in_body(request)) return;
  const auto options = json::Document::parse(request.body);
  if (options && options->root().is_object()) request.body = with_dry_run(options->root());
}

bool is_dry_run(const ApiRequest& request) {
  if (is_read(request.verb)) return false;
  if (has_options_in_body(request)) {
    const auto options = json::Document::parse(request.body);
    return options && options->root().find(kDryRun).size() > 0;
  }
  return std::any_of(request.query.begin(), request.query.end(),
                     [](const auto& parameter) { return parameter.first == kDryRun && !parameter.second.empty(); });
}

}  // namespace keelson::kube
