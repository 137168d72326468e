#include "keelson/detail/json/metadata.hpp"

#include <functional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/json/cursor.hpp"

namespace keelson::json {
namespace {

using Walk = Cursor<Fastest>;

// Reads the members of an object into ObjectMetadata.
class MetadataScan {
 public:
  MetadataScan(std::string_view object, ObjectMetadata& found) : cursor_(object), found_(found) {}

  Result<void> run() {
    const std::size_t end = object(cursor_.space(0), &MetadataScan::root_member);
    if (end == kNone || !cursor_.ends_after(end)) return cursor_.error();
    return {};
  }

 private:
  using OnMember = std::size_t (MetadataScan::*)(std::string_view name, std::size_t at);

  std::size_t object(std::size_t at, OnMember on_member) {
    if (cursor_.peek(at) != '{') return cursor_.fail(at, "expected an object");
    return cursor_.members(at, [&](std::size_t from, std::size_t to, std::size_t value_at) {
      return (this->*on_member)(cursor_.slice(from, to), value_at);
    });
  }

  std::size_t root_member(std::string_view name, std::size_t at) {
    if (name == "metadata" && !is_null(at)) return object(at, &MetadataScan::metadata_member);
    if (name == "apiVersion") return string(at, found_.api_version);
    if (name == "kind") return string(at, found_.kind);
    return cursor_.skip(at);
  }

  std::size_t metadata_member(std::string_view name, std::size_t at) {
    switch (name.size()) {
      case 3:
        if (name == "uid") return string(at, found_.uid);
        break;
      case 4:
        if (name == "name") return string(at, found_.name);
        break;
      case 6:
        if (name == "labels") return container(at, '{', found_.labels);
        break;
      case 9:
        if (name == "namespace") return string(at, found_.namespace_);
        break;
      case 10:
        if (name == "generation") return integer(at);
        break;
      case 11:
        if (name == "annotations") return container(at, '{', found_.annotations);
        break;
      case 15:
        if (name == "resourceVersion") return version(at);
        if (name == "ownerReferences") return container(at, '[', found_.owner_references);
        break;
      case 17:
        if (name == "creationTimestamp") return string(at, found_.creation_timestamp);
        if (name == "deletionTimestamp") return string(at, found_.deletion_timestamp);
        break;
      default:
        break;
    }
    return cursor_.skip(at);
  }

  bool is_null(std::size_t at) const { return cursor_.peek(at) == 'n'; }

  std::size_t string(std::size_t at, std::string_view& field) {
    field = {};
    if (is_null(at)) return cursor_.skip(at);
    if (cursor_.peek(at) != '"') return cursor_.fail(at, "expected a string");
    const std::size_t end = cursor_.string_end(at);
    if (end == kNone) return kNone;
    field = cursor_.slice(at + 1, end - 1);
    if (field.find('\\') == kNone) return is_string_body(field) ? end : cursor_.fail(at, "invalid string");
    std::string& decoded = found_.decoded.emplace_front();
    if (!decode_string(field, decoded)) return cursor_.fail(at, "invalid string");
    field = decoded;
    return end;
  }

  std::size_t container(std::size_t at, char bracket, std::string_view& field) {
    field = {};
    if (is_null(at)) return cursor_.skip(at);
    if (cursor_.peek(at) != bracket) return cursor_.fail(at, "expected an object or array");
    const std::size_t end = cursor_.check(at, limits::kJsonDepth);
    if (end != kNone) field = cursor_.slice(at, end);
    return end;
  }

  std::size_t integer(std::size_t at) {
    found_.generation = 0;
    if (is_null(at)) return cursor_.skip(at);
    const std::size_t end = cursor_.skip(at);
    if (end == kNone) return kNone;
    const auto generation = base::parse_number<decltype(found_.generation)>(cursor_.slice(at, end));
    if (!generation) return cursor_.fail(at, "not an integer");
    found_.generation = *generation;
    return end;
  }

  std::size_t version(std::size_t at) {
    const std::size_t end = string(at, found_.resource_version);
    found_.resource_version_number = base::parse_number<std::uint64_t>(found_.resource_version);
    return end;
  }

  Walk cursor_;
  ObjectMetadata& found_;
};

// The decoded text of the string at `at`, in `buffer` when it has escapes.
std::optional<std::string_view> text_at(const Walk& walk, std::size_t from, std::size_t to, std::string& buffer) {
  const std::string_view body = walk.slice(from, to);
  if (body.find('\\') == kNone) return is_string_body(body) ? std::optional(body) : std::nullopt;
  buffer.clear();
  if (!decode_string(body, buffer)) return std::nullopt;
  return buffer;
}

// Calls `visit` with the members of the object at `at`: strings decoded, other values raw.
template <class Visit>
std::size_t scalars(Walk& walk, std::size_t at, Visit visit) {
  if (walk.peek(at) != '{') return walk.fail(at, "expected an object");
  std::string name_buffer;
  std::string value_buffer;
  return walk.members(at, [&](std::size_t from, std::size_t to, std::size_t value_at) {
    const std::size_t end = walk.skip(value_at);
    if (end == kNone) return kNone;
    const auto name = text_at(walk, from, to, name_buffer);
    if (!name) return walk.fail(from, "invalid member name");
    const bool is_string = walk.peek(value_at) == '"';
    const auto value = is_string ? text_at(walk, value_at + 1, end - 1, value_buffer) : walk.slice(value_at, end);
    if (!value) return walk.fail(value_at, "invalid string");
    visit(*name, *value, is_string);
    return end;
  });
}

// A text of an owner that remains valid while the next member is decoded: the text itself, or the copy of a decoded
// one.
struct OwnerText {
  std::string copy;

  std::string_view lasting(std::string_view value, std::string_view whole) {
    if (is_part_of(value, whole)) return value;
    copy = value;
    return copy;
  }
};

struct OwnerTexts {
  OwnerText api_version, kind, name, uid;
};

}  // namespace

bool is_part_of(std::string_view part, std::string_view whole) {
  return std::less_equal<>{}(whole.data(), part.data()) &&
         std::less_equal<>{}(part.data() + part.size(), whole.data() + whole.size());
}

Result<ObjectMetadata> scan_metadata(std::string_view object) {
  ObjectMetadata found;
  KEELSON_TRY(MetadataScan(object, found).run());
  return found;
}

std::optional<std::string> scan_member(std::string_view object, std::string_view key) {
  std::optional<std::string> found;
  const auto scanned = for_each_string(object, [&](std::string_view name, std::string_view value) {
    if (name == key) found = std::string(value);
  });
  if (!scanned) return std::nullopt;
  return found;
}

Result<void> for_each_string(std::string_view object,
                             const std::function<void(std::string_view key, std::string_view value)>& visit) {
  if (object.empty()) return {};
  Walk walk(object);
  const std::size_t end =
      scalars(walk, walk.space(0), [&](std::string_view name, std::string_view value, bool is_string) {
        if (is_string) visit(name, value);
      });
  if (end == kNone || !walk.ends_after(end)) return walk.error();
  return {};
}

Result<void> for_each_member(std::string_view object,
                             const std::function<void(std::string_view name, std::string_view value)>& visit) {
  Walk walk(object);
  const std::size_t start = walk.space(0);
  if (walk.peek(start) != '{') return malformed_error("expected an object");
  const std::size_t end = walk.members(start, [&](std::size_t name_at, std::size_t name_end, std::size_t at) {
    const auto value_end = walk.skip(at);
    if (value_end != kNone) visit(walk.slice(name_at, name_end), walk.slice(at, value_end));
    return value_end;
  });
  if (end == kNone || !walk.ends_after(end)) return walk.error();
  return {};
}

Result<void> for_each_owner(std::string_view owner_references,
                            const std::function<void(const OwnerReferenceView&)>& visit) {
  if (owner_references.empty()) return {};
  Walk walk(owner_references);
  const std::size_t start = walk.space(0);
  if (walk.peek(start) != '[') return malformed_error("ownerReferences: expected an array");
  OwnerTexts texts;
  const std::size_t end = walk.items(start, [&](std::size_t at) {
    OwnerReferenceView owner;
    const std::size_t owner_end = scalars(walk, at, [&](std::string_view name, std::string_view value, bool is_string) {
      if (!is_string) {
        if (name == "controller") owner.controller = value == "true";
      } else if (name == "apiVersion") {
        owner.api_version = texts.api_version.lasting(value, owner_references);
      } else if (name == "kind") {
        owner.kind = texts.kind.lasting(value, owner_references);
      } else if (name == "name") {
        owner.name = texts.name.lasting(value, owner_references);
      } else if (name == "uid") {
        owner.uid = texts.uid.lasting(value, owner_references);
      }
    });
    if (owner_end != kNone) visit(owner);
    return owner_end;
  });
  if (end == kNone || !walk.ends_after(end)) return walk.error();
  return {};
}

}  // namespace keelson::json
