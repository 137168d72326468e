#include <unordered_map>

#include "keelson/json/limits.hpp"
#include "keelson/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {
namespace {

using Index = std::unordered_map<std::string_view, View>;

Index index_of(View object) {
  Index index;
  for (const auto& [name, value] : object.members()) index[name] = value;
  return index;
}

void write_merged(View target, View patch, Writer& writer);
void write_difference(View before, View after, Writer& writer);

// The names of the object without duplicates, in the order of their first occurrence.
template <class Visit>
void each_name(View object, Visit visit) {
  Index seen;
  for (const auto& [name, value] : object.members()) {
    if (seen.emplace(name, value).second) visit(name);
  }
}

}  // namespace

Result<std::string> merge_patch(std::string_view target, std::string_view patch) {
  const auto old = Document::parse(target);
  if (!old) return Error(old.error()).with_context("merge patch: the target");
  const auto change = Document::parse(patch);
  if (!change) return Error(change.error()).with_context("merge patch");
  Writer writer;
  write_merged(old->root(), change->root(), writer);
  std::string merged = std::move(writer).take();
  if (merged.size() > limits::kObjectBytes) return invalid_error("merge patch: the result is too large");
  return merged;
}

std::string merge_diff(View before, View after) {
  Writer writer;
  write_difference(before, after, writer);
  return std::move(writer).take();
}

namespace {

// RFC 7386 section 2. The result is not deeper than the arguments, so their depth bounds the recursion.
void write_merged(View target, View patch, Writer& writer) {
  if (!patch.is_object()) return patch.write(writer);
  const Index old = index_of(target);
  const Index changes = index_of(patch);
  writer.begin_object();
  each_name(target, [&](std::string_view name) {
    const auto change = changes.find(name);
    if (change == changes.end()) {
      old.at(name).write(writer.key(name));
    } else if (!change->second.is_null()) {
      write_merged(old.at(name), change->second, writer.key(name));
    }
  });
  each_name(patch, [&](std::string_view name) {
    const View change = changes.at(name);
    if (!old.contains(name) && !change.is_null()) write_merged({}, change, writer.key(name));
  });
  writer.end_object();
}

void write_difference(View before, View after, Writer& writer) {
  if (!before.is_object() || !after.is_object()) return after.write(writer);
  const Index old = index_of(before);
  const Index wanted = index_of(after);
  writer.begin_object();
  each_name(before, [&](std::string_view name) {
    if (!wanted.contains(name)) writer.key(name).null();
  });
  each_name(after, [&](std::string_view name) {
    const auto was = old.find(name);
    if (was == old.end()) {
      wanted.at(name).write(writer.key(name));
    } else if (!equal(was->second, wanted.at(name))) {
      write_difference(was->second, wanted.at(name), writer.key(name));
    }
  });
  writer.end_object();
}

}  // namespace
}  // namespace keelson::json
