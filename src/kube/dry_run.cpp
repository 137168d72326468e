#include "keelson/detail/kube/dry_run.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/kube/api_request.hpp"

namespace keelson::kube {

namespace {

constexpr const char* kDryRun = "dryRun";
constexpr std::array<std::string_view, 4> kConnectSubresources = {"exec", "attach", "portforward", "proxy"};

bool has_options_in_body(const ApiRequest& request) {
  const bool is_delete = request.verb == Verb::kDelete || request.verb == Verb::kDeleteCollection;
  return is_delete && !request.body.empty();
}

// `options` that are not a JSON object are dropped.
std::string with_dry_run(std::string_view options) {
  const auto document = json::Document::parse(options);
  json::Writer writer;
  writer.begin_object();
  if (document && document->root().is_object()) {
    for (const auto& [name, value] : document->root().members()) {
      if (name != kDryRun) writer.field(name, value);
    }
  }
  writer.key(kDryRun).begin_array().string("All").end_array().end_object();
  return std::move(writer).take();
}

bool is_connect(std::string_view segment) {
  return std::ranges::find(kConnectSubresources, segment) != kConnectSubresources.end();
}

bool has_connect_segment(std::string_view path) {
  while (!path.empty()) {
    const auto end = path.find_first_of("/?");
    if (is_connect(path.substr(0, end))) return true;
    if (end == std::string_view::npos || path[end] == '?') return false;
    path.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

void make_dry_run(ApiRequest& request) {
  if (is_read(request.verb)) return;
  std::erase_if(request.query, [](const auto& parameter) { return parameter.first == kDryRun; });
  request.query.emplace_back(kDryRun, "All");
  if (has_options_in_body(request)) request.body = with_dry_run(request.body);
}

bool is_dry_run(const ApiRequest& request) {
  if (is_read(request.verb)) return false;
  if (has_options_in_body(request)) {
    const auto options = json::Document::parse(request.body);
    return options && options->root().find(kDryRun).size() > 0;
  }
  return std::ranges::any_of(
      request.query, [](const auto& parameter) { return parameter.first == kDryRun && !parameter.second.empty(); });
}

bool ignores_dry_run(const ApiRequest& request) {
  if (is_read(request.verb)) return false;
  if (!request.raw_path.empty()) return has_connect_segment(request.raw_path);
  return is_connect(std::string_view(request.subresource).substr(0, request.subresource.find('/')));
}

}  // namespace keelson::kube
