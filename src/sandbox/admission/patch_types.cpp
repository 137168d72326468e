#include "src/sandbox/admission/patch_types.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

namespace {

// Literals may be nested as deep as expressions: further levels are copied unchanged, and cel rejects them.
constexpr int kMostLiterals = 100;

bool is_name_part(char c) {
  return base::is_digit(c) || c == '_' || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z');
}

class PatchText {
 public:
  explicit PatchText(std::string_view text) : text_(text) {}

  [[nodiscard]] PatchExpression rewritten() {
    copy("", 0);
    while (at_ < text_.size()) {
      made_.text += text_[at_++];  // a closing bracket without an opening one
      copy("", 0);
    }
    return std::move(made_);
  }

 private:
  // Copies up to a closing bracket or comma of this level. `type` is that of the literal's field; empty: unknown.
  void copy(const std::string& type, int depth) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        copy_string();
      } else if (text_.substr(at_).starts_with("//")) {
        const auto end = std::min(text_.find('\n', at_), text_.size());
        made_.text += text_.substr(at_, end - at_);
        at_ = end;
      } else if (is_name_part(c)) {
        copy_name(type, depth);
      } else if (c == '(' || c == '[' || c == '{') {
        copy_brackets(type, depth);
      } else if (c == ')' || c == ']' || c == '}' || (c == ',' && depth > 0 && stops_at_comma_)) {
        return;
      } else {
        made_.text += text_[at_++];
      }
    }
  }

  void copy_brackets(const std::string& type, int depth) {
    const bool stopped = std::exchange(stops_at_comma_, false);
    made_.text += text_[at_++];
    if (depth < kMostLiterals) copy(type, depth + 1);
    if (at_ < text_.size()) made_.text += text_[at_++];
    stops_at_comma_ = stopped;
  }

  void copy_string() {
    const bool is_raw = at_ > 0 && base::to_lower(text_[at_ - 1]) == 'r';
    const char quote = text_[at_];
    const bool is_long = text_.substr(at_, 3) == std::string(3, quote);
    const std::string end(is_long ? 3 : 1, quote);
    auto close = at_ + end.size();
    while (close < text_.size() && text_.substr(close, end.size()) != end) {
      close += !is_raw && text_[close] == '\\' ? 2 : 1;
    }
    close = std::min(close + end.size(), text_.size());
    made_.text += text_.substr(at_, close - at_);
    at_ = close;
  }

  void copy_name(const std::string& type, int depth) {
    const bool is_member = at_ > 0 && text_[at_ - 1] == '.';
    auto end = at_;
    while (end < text_.size() && (is_name_part(text_[end]) || text_[end] == '.')) ++end;
    const auto name = std::string(text_.substr(at_, end - at_));
    const auto next = text_.find_first_not_of(" \t\r\n", end);
    const char after = next == std::string_view::npos ? '\0' : text_[next];
    const bool is_type = name == "Object" || name.starts_with("Object.") || name == "JSONPatch";
    if (!is_member && is_type && after == '{' && depth < kMostLiterals) {
      at_ = next;
      return copy_literal(name, type, depth);
    }
    if (!is_member && name == "jsonpatch.escapeKey" && after == '(') {
      at_ = next;
      made_.text += "(";
      copy_brackets("", depth);
      made_.text += R"(.replace("~", "~0").replace("/", "~1")))";
      return;
    }
    made_.text += name;
    at_ = end;
  }

  void copy_literal(const std::string& name, const std::string& type, int depth) {
    made_.has_types = true;
    const bool is_mismatch = !type.empty() && name != type && name != "JSONPatch" && made_.mismatch.empty();
    if (is_mismatch) {
      made_.mismatch = "type mismatch: unexpected type name \"" + name + "\", expected \"" + type +
                       "\", which matches field name path from root Object type";
    }
    const bool stopped = std::exchange(stops_at_comma_, true);
    made_.text += text_[at_++];
    while (skip_space() && text_[at_] != '}') {
      if (!copy_field(name, depth)) break;
    }
    if (at_ < text_.size()) made_.text += text_[at_++];
    stops_at_comma_ = stopped;
  }

  bool copy_field(const std::string& type, int depth) {
    const bool is_optional = text_[at_] == '?';
    if (is_optional) ++at_;
    skip_space();
    const bool is_quoted = at_ < text_.size() && text_[at_] == '`';
    if (is_quoted) ++at_;
    auto end = at_;
    while (end < text_.size() && (is_quoted ? text_[end] != '`' : is_name_part(text_[end]))) ++end;
    const auto name = std::string(text_.substr(at_, end - at_));
    at_ = is_quoted && end < text_.size() ? end + 1 : end;
    if (!skip_space() || text_[at_] != ':') return false;
    ++at_;
    made_.text += (is_optional ? "?\"" : "\"") + name + (is_optional ? "\": (" : "\": dyn(");
    copy(type == "JSONPatch" ? "" : type + "." + name, depth + 1);
    made_.text += ")";
    if (at_ < text_.size() && text_[at_] == ',') made_.text += text_[at_++];
    return true;
  }

  // False at the end of the text.
  bool skip_space() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool stops_at_comma_ = false;
  PatchExpression made_;
};

std::string double_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

// A value as JSON. The same part may be in many places, so that a short expression makes a value of any size.
class JsonValue {
 public:
  [[nodiscard]] Result<Tree> of(const cel::Value& value) {
    auto tree = visit(value);
    if (left_ == 0) return invalid_error("the result is too large");
    if (has_wrong_key_) return invalid_error("the keys of a map must be strings");
    return tree;
  }

 private:
  void spend(std::size_t bytes) { left_ -= std::min(left_, bytes); }

  Tree visit(const cel::Value& value) {
    using Kind = cel::Value::Kind;
    const bool has_text = value.is(Kind::kString) || value.is(Kind::kBytes);
    spend(1 + (has_text ? value.text().size() : 0));
    if (left_ == 0) return {};
    switch (value.kind()) {
      case Kind::kBool:
        return value.is_true();
      case Kind::kInt:
        return value.integer();
      case Kind::kUint:
        return Tree::raw(std::to_string(value.unsigned_integer()));
      case Kind::kDouble:
        return Tree::raw(double_text(value.real()));
      case Kind::kString:
        return value.text();
      case Kind::kBytes:
        return base::base64_encode(value.text());
      case Kind::kList: {
        auto list = Tree::array();
        for (const auto& item : value.items()) list.items().push_back(visit(item));
        return list;
      }
      case Kind::kMap: {
        auto object = Tree::object();
        for (const auto& [key, member] : value.map().entries()) add(object, key, member);
        return object;
      }
      default:
        return {};
    }
  }

  void add(Tree& object, const cel::Value& key, const cel::Value& member) {
    has_wrong_key_ = has_wrong_key_ || !key.is(cel::Value::Kind::kString);
    spend(key.text().size());
    object.members().emplace_back(key.text(), visit(member));
  }

  std::size_t left_ = limits::kSandboxBodyBytes;
  bool has_wrong_key_ = false;
};

}  // namespace

PatchExpression with_patch_types(std::string_view expression) { return PatchText(expression).rewritten(); }

Result<Tree> json_of(const cel::Value& value) { return JsonValue().of(value); }

}  // namespace keelson::sandbox
