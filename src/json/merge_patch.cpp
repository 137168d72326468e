
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {
namespace {

void write_merged(View target, View patch, Writer& writer);
void write_difference(View before, View after, Writer& writer);

// The names of the object without duplicates, in the order of their first occurrence.
template <class Visit>
void each_name(View object, Visit visit) {
  base::TextSet<std::string_view> seen;
  for (const auto& [name, value] : object.members()) {
    if (seen.insert(name).second) visit(name);
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
  const MemberIndex old(target);
  const MemberIndex changes(patch);
  writer.begin_object();
  each_name(target, [&](std::string_view name) {
    const View change = changes.find(name);
    if (change.is_absent()) {
      old.find(name).write(writer.key(name));
    } else if (!change.is_null()) {
      write_merged(old.find(name), change, writer.key(name));
    }
  });
  each_name(patch, [&](std::string_view name) {
    const View change = changes.find(name);
    if (old.find(name).is_absent() && !change.is_null()) write_merged({}, change, writer.key(name));
  });
  writer.end_object();
}

void write_difference(View before, View after, Writer& writer) {
  if (!before.is_object() || !after.is_object()) return after.write(writer);
  const MemberIndex old(before);
  const MemberIndex wanted(after);
  writer.begin_object();
  each_name(before, [&](std::string_view name) {
    if (wanted.find(name).is_absent()) writer.key(name).null();
  });
  each_name(after, [&](std::string_view name) {
    const View was = old.find(name);
    if (was.is_absent()) {
      wanted.find(name).write(writer.key(name));
    } else if (!equal(was, wanted.find(name))) {
      write_difference(was, wanted.find(name), writer.key(name));
    }
  });
  writer.end_object();
}

}  // namespace
}  // namespace keelson::json
