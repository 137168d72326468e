// The JSON patch of a webhook's changes: an operation for each field that differs, and within lists, maps and structs
// only for the parts that differ.
#include <algorithm>
#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/json/json_pointer.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/schema/described_changes.hpp"
#include "keelson/webhook/admission.hpp"
#include "src/webhook/overlay.hpp"
#include "src/webhook/rejection_codes.hpp"

namespace keelson::webhook::detail {
namespace asio = boost::asio;

namespace {

// The largest list, map or struct that a webhook changed: it is parsed into a tree, too.
constexpr std::size_t kChangedBytes = std::size_t{512} << 10;

// The place of a member: "/spec" in the patch, "spec" in errors.
struct Place {
  std::string pointer;
  std::string path;
};

Place member_of(const Place& place, std::string_view field) {
  return {json::pointer_to(place.pointer, field), place.path + (place.path.empty() ? "" : ".") + std::string(field)};
}

void write_operation(json::Writer& writer, std::string_view op, const std::string& path,
                     const std::optional<std::string>& value) {
  writer.begin_object().field("op", op).field("path", path);
  if (value) writer.raw_field("value", *value);
  writer.end_object();
}

// A struct that is absent or not an object is replaced by one with the changes.
void write_new_struct(json::Writer& writer, const Place& place, std::string_view came,
                      const std::vector<kube::DescribedChange>& changes) {
  json::Writer fresh;
  fresh.begin_object();
  for (const auto& change : changes) {
    const auto value = change.after();
    if (value) fresh.raw_field(change.name(), *value);
  }
  fresh.end_object();
  write_operation(writer, came.empty() ? "add" : "replace", place.pointer, std::move(fresh).take());
}

// Members of a list, a map or a struct that the description does not know are unchanged. Fails for a number beyond a
// double, which only the tree rejects.
Result<void> write_inner_changes(json::Writer& writer, const Place& place, std::string_view came,
                                 const kube::DescribedChange& change, const std::string& after) {
  KEELSON_LET(auto had, json::Document::parse(came));
  KEELSON_LET(auto was, json::Document::parse(change.before().value_or("null")));
  KEELSON_LET(auto is, json::Document::parse(after));
  json::Writer overlaid;
  write_overlay(overlaid, had.root(), was.root(), is.root());
  KEELSON_LET(auto desired, json::Document::parse(std::move(overlaid).take()));
  KEELSON_LET(auto operations, json::Document::parse(json::diff(had.root(), desired.root(), place.pointer)));
  for (const auto operation : operations.root().items()) operation.write(writer);
  return {};
}

// kInvalid if the field is too large, before any part of it is encoded.
Result<void> write_change(json::Writer& writer, const Place& place, std::string_view came,
                          const kube::DescribedChange& change) {
  if (change.has_members() && came.size() > kChangedBytes) {
    return invalid_error(place.path + ": " + std::to_string(came.size()) +
                         " bytes are too many to be changed by a webhook; limit is " + std::to_string(kChangedBytes) +
                         " bytes");
  }
  const auto value = change.after();
  if (!value) {
    if (!came.empty()) write_operation(writer, "remove", place.pointer, std::nullopt);
  } else if (came.empty()) {
    write_operation(writer, "add", place.pointer, value);
  } else if (!change.has_members()) {
    write_operation(writer, "replace", place.pointer, value);
  } else {
    auto wrote = write_inner_changes(writer, place, came, change, *value);
    if (!wrote) return std::move(wrote).error().with_context(place.path);
  }
  return {};
}

// Patches a struct with an operation for each field that differs.
Task<void> write_struct(json::Writer& writer, const ReviewedObject& object, Place place, std::string_view came,
                        std::vector<kube::DescribedChange> changes) {
  if (!came.starts_with('{')) {
    write_new_struct(writer, place, came, changes);
    co_return Result<void>();
  }
  std::vector<std::vector<std::string>> paths;
  for (const auto& change : changes) paths.emplace_back(1, std::string(change.name()));
  auto members = co_await object.find_in(came, std::move(paths));
  KEELSON_ASSERT(members.has_value());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    KEELSON_CO_TRY(write_change(writer, member_of(place, changes[i].name()), (*members)[i], changes[i]));
  }
  co_return Result<void>();
}

// Patches the whole object: its structs (metadata, spec, status) field by field, so that a large struct does not
// prevent a small change.
Task<void> write_object(json::Writer& writer, const ReviewedObject& object,
                        std::vector<kube::DescribedChange> changes) {
  std::vector<std::vector<std::string>> paths;
  for (const auto& change : changes) paths.emplace_back(1, std::string(change.name()));
  auto members = co_await object.find_in(object.json(), std::move(paths));
  KEELSON_ASSERT(members.has_value());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto place = member_of({}, changes[i].name());
    const auto came = (*members)[i];
    if (changes[i].is_struct()) {
      auto wrote = co_await write_struct(writer, object, std::move(place), came, changes[i].inner());
      if (!wrote) co_return std::move(wrote).error();
    } else {
      KEELSON_CO_TRY(write_change(writer, place, came, changes[i]));
    }
  }
  co_return Result<void>();
}

Reviewed patched(Result<void> wrote, json::Writer writer, Decision decision) {
  if (!wrote) return {reject_content(wrote.error())};
  writer.end_array();
  return {std::move(decision), std::move(writer).take()};
}

// The API server rejects changes of the identity, or stores another object than the one that was reviewed.
void check_identity(const std::vector<kube::DescribedChange>& changes) {
  constexpr auto kFixed = std::to_array<std::string_view>({"name", "namespace", "uid"});
  const auto reject = [](const std::string& field) {
    throw base::Misuse("a mutating webhook changed " + field +
                       ", which identifies the object: do not change it, or deny the request");
  };
  for (const auto& change : changes) {
    if (change.name() == "apiVersion" || change.name() == "kind") reject(std::string(change.name()));
    if (change.name() != "metadata") continue;
    for (const auto& member : change.inner()) {
      if (std::ranges::find(kFixed, member.name()) != kFixed.end()) {
        reject("metadata." + std::string(member.name()));
      }
    }
  }
}

}  // namespace

Decision reject_content(const Error& error) {
  return Decision::fail(error.kind == Error::Kind::kInvalid ? kTooLarge : kBadRequest, error.text);
}

asio::awaitable<Reviewed> patch_spec(const ReviewedObject& object, const kube::Type& type, const void* before,
                                     const void* after) {
  auto changes = kube::described_changes(type, before, after);
  if (changes.empty()) co_return Reviewed{};
  json::Writer writer;
  writer.begin_array();
  auto wrote = co_await write_struct(writer, object, member_of({}, "spec"), object.spec(), std::move(changes));
  co_return patched(std::move(wrote), std::move(writer), Decision::allow());
}

asio::awaitable<Reviewed> patch_object(const ReviewedObject& object, const kube::Type& type, const void* before,
                                       const void* after, Decision decision) {
  auto changes = kube::described_changes(type, before, after);
  check_identity(changes);
  if (changes.empty()) co_return Reviewed{std::move(decision)};
  json::Writer writer;
  writer.begin_array();
  auto wrote = co_await write_object(writer, object, std::move(changes));
  co_return patched(std::move(wrote), std::move(writer), std::move(decision));
}

}  // namespace keelson::webhook::detail
