#include "src/sandbox/custom/schema_path.hpp"

#include <optional>

#include "src/sandbox/custom/schema_tree.hpp"

namespace keelson::sandbox {

namespace {

class PathReader {
 public:
  PathReader(std::string_view path, const Tree& schema, PathKeys keys) : rest_(path), keys_(keys) {
    result_.schema = &schema;
  }

  SchemaPath read() && {
    while (result_.error.empty()) {
      const auto token = next();
      if (!token) break;
      if (*token == "[") {
        read_key();
      } else if (*token == ".") {
        const auto name = next();
        name ? step(std::string(*name)) : fail("unexpected end of JSON path");
      } else {
        fail("expected [ or . but got: " + std::string(*token));
      }
    }
    return std::move(result_);
  }

 private:
  // A delimiter, a quoted text, or the text before the next delimiter.
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    std::size_t size = 0;
    if (rest_[0] == '\'') {
      size = 1;
      while (size < rest_.size() && (rest_[size] != '\'' || rest_[size - 1] == '\\')) ++size;
      ++size;
    } else {
      size = std::max<std::size_t>(1, rest_.find_first_of(".[]"));
    }
    const auto token = rest_.substr(0, size);
    rest_.remove_prefix(token.size());
    return token;
  }

  void read_key() {
    if (keys_ == PathKeys::kForbidden) return fail("array notation is not allowed");
    const auto token = next();
    if (!token) return fail("unexpected end of JSON path");
    const bool is_quoted = token->size() >= 2 && token->starts_with('\'') && token->ends_with('\'');
    if (!is_quoted) return fail("expected single quoted string but got " + std::string(*token));
    std::string name;
    for (std::size_t i = 1; i + 1 < token->size(); ++i) {
      const bool is_escape = (*token)[i] == '\\' && i + 2 < token->size();
      if (is_escape) ++i;
      name += (*token)[i];
    }
    step(name);
    if (!result_.error.empty()) return;
    const auto end = next();
    if (!end) return fail("unexpected end of JSON path");
    if (*end != "]") fail("expected ] but got " + std::string(*end));
  }

  void step(const std::string& name) {
    constexpr const char* kNoField = "does not refer to a valid field";
    if (result_.schema == nullptr) return fail(kNoField);
    const auto& schema = *result_.schema;
    if (!schema.members_at({"properties"}).empty()) {
      const Tree* property = schema.at({"properties", name});
      if (property == nullptr) return fail(kNoField);
      result_.schema = property;
    } else if (has_value_at(schema, "additionalProperties")) {
      result_.schema = object_at(schema, "additionalProperties");
    } else {
      return fail(kNoField);
    }
    if (result_.text.empty()) result_.root = name;
    result_.text += "/" + name;
  }

  void fail(std::string why) { result_.error = std::move(why); }

  std::string_view rest_;
  PathKeys keys_;
  SchemaPath result_;
};

}  // namespace

SchemaPath resolve_schema_path(std::string_view path, const Tree& schema, PathKeys keys) {
  return PathReader(path, schema, keys).read();
}

}  // namespace keelson::sandbox
