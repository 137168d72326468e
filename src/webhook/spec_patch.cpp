// The JSON patch of what a defaulter changed: an operation for each field that differs, and within lists, maps and
// structs only of what differs there.
#include "keelson/base/assert.hpp"
#include "keelson/json/patch.hpp"
#include "keelson/kube/described_changes.hpp"
#include "keelson/webhook/kind_webhooks.hpp"
#include "src/webhook/overlay.hpp"
#include "src/webhook/refusal_codes.hpp"
#include "src/webhook/review_limits.hpp"

namespace keelson::webhook::detail {
namespace asio = boost::asio;

namespace {

std::string pointer_to(std::string_view field) {
  std::string pointer = "/spec/";
  for (const char byte : field) pointer += byte == '~' ? "~0" : byte == '/' ? "~1" : std::string(1, byte);
  return pointer;
}

void write_operation(json::Writer& writer, std::string_view op, const std::string& path,
                     const std::optional<std::string>& value) {
  writer.begin_object().field("op", op).field("path", path);
  if (value) writer.raw_field("value", *value);
  writer.end_object();
}

// A spec that is absent, or no object, is replaced by one that holds the changes.
std::string patch_of_no_spec(std::string_view came, const std::vector<kube::FieldChange>& changes) {
  json::Writer spec;
  spec.begin_object();
  for (const auto& change : changes) {
    const auto value = change.after();
    if (value) spec.raw_field(change.name(), *value);
  }
  spec.end_object();
  json::Writer writer;
  writer.begin_array();
  write_operation(writer, came.empty() ? "add" : "replace", "/spec", std::move(spec).take());
  writer.end_array();
  return std::move(writer).take();
}

// Members of a list, a map or a struct that the description does not know stay as they came. Fails for what only a tree
// rejects: a number beyond a double.
Result<void> write_inner_changes(json::Writer& writer, std::string_view came, const kube::FieldChange& change,
                                 const std::string& after) {
  auto had = json::Document::parse(came);
  if (!had) return std::move(had).error();
  auto was = json::Document::parse(change.before().value_or("null"));
  if (!was) return std::move(was).error();
  auto is = json::Document::parse(after);
  if (!is) return std::move(is).error();
  json::Writer overlaid;
  write_overlay(overlaid, had->root(), was->root(), is->root());
  auto desired = json::Document::parse(std::move(overlaid).take());
  if (!desired) return std::move(desired).error();
  auto operations = json::Document::parse(json::diff(had->root(), desired->root(), pointer_to(change.name())));
  if (!operations) return std::move(operations).error();
  for (const auto operation : operations->root().items()) operation.write(writer);
  return {};
}

Result<void> write_change(json::Writer& writer, std::string_view came, const kube::FieldChange& change) {
  const auto path = pointer_to(change.name());
  const auto value = change.after();
  if (!value) {
    if (!came.empty()) write_operation(writer, "remove", path, std::nullopt);
  } else if (came.empty()) {
    write_operation(writer, "add", path, value);
  } else if (!change.has_members()) {
    write_operation(writer, "replace", path, value);
  } else {
    return write_inner_changes(writer, came, change, *value);
  }
  return {};
}

// Asked before anything of the field is encoded.
std::optional<Decision> refuse_size(std::string_view came, const kube::FieldChange& change) {
  if (!change.has_members() || came.size() <= kChangedBytes) return std::nullopt;
  return Decision::fail(kTooLarge, "spec." + std::string(change.name()) + ": " + std::to_string(came.size()) +
                                       " bytes are too many to set defaults in; limit is " +
                                       std::to_string(kChangedBytes) + " bytes");
}

}  // namespace

Decision refuse_spec(const Error& error) {
  return Decision::fail(error.kind == Error::Kind::kInvalid ? kTooLarge : kBadRequest, error.text);
}

asio::awaitable<Defaulted> patch_spec(const ReviewedObject& object, const kube::Type& type, const void* before,
                                      const void* after) {
  Defaulted defaulted;
  const auto changes = kube::changed_fields(type, before, after);
  if (changes.empty()) co_return defaulted;
  if (!object.spec().starts_with('{')) {
    defaulted.patch = patch_of_no_spec(object.spec(), changes);
    co_return defaulted;
  }
  std::vector<std::vector<std::string>> paths;
  for (const auto& change : changes) paths.emplace_back(1, std::string(change.name()));
  auto came = co_await object.find_in_spec(std::move(paths));
  KEELSON_ASSERT(came.has_value());
  json::Writer writer;
  writer.begin_array();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto refused = refuse_size((*came)[i], changes[i]);
    if (refused) {
      defaulted.decision = std::move(*refused);
      co_return defaulted;
    }
    auto wrote = write_change(writer, (*came)[i], changes[i]);
    if (!wrote) {
      defaulted.decision = refuse_spec(std::move(wrote).error().within("spec." + std::string(changes[i].name())));
      co_return defaulted;
    }
  }
  writer.end_array();
  defaulted.patch = std::move(writer).take();
  co_return defaulted;
}

}  // namespace keelson::webhook::detail
