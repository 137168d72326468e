#include "keelson/detail/schema/decoder.hpp"

#include <algorithm>
#include <limits>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kube {

namespace {

using json::Token;
using Shape = Type::Shape;

// The overhead of an allocation, and of a map's entry next to its key and value.
constexpr std::size_t kBlock = 16;
constexpr std::size_t kMapEntry = 64;
// A string of up to this many bytes allocates nothing.
constexpr std::size_t kInPlace = 15;
// A time has about thirty characters, each of them at most an escape of six bytes.
constexpr std::size_t kTimeBytes = 256;
constexpr std::string_view kTimeExample = "a time like 2006-01-02T15:04:05Z";

bool is_container(Token token) { return token == Token::kBeginObject || token == Token::kBeginArray; }

std::string_view type_of_token(Token token) {
  switch (token) {
    case Token::kBeginObject:
      return "an object";
    case Token::kBeginArray:
      return "an array";
    case Token::kString:
      return "a string";
    case Token::kNumber:
      return "a number";
    case Token::kNull:
      return "null";
    default:
      return "a boolean";
  }
}

}  // namespace

Decoder::Decoder(std::string_view json, const Type& type, void* out, std::string_view path, std::size_t memory_limit,
                 NullItems null_items)
    : json_(json),
      reader_(json),
      type_(type),
      out_(out),
      path_(path),
      memory_limit_(memory_limit),
      null_items_(null_items) {}

Result<bool> Decoder::advance(std::size_t bytes) {
  reader_.allow(bytes);
  left_ = bytes;
  while (!is_done_) {
    if (text_ != Text::kNone) {
      if (left_ == 0) return false;
      KEELSON_TRY(decode_text());
      continue;
    }
    const auto token = reader_.next();
    if (token == Token::kPause) return false;
    if (token == Token::kFailed) return reader_.error();
    KEELSON_TRY(take(token));
  }
  return true;
}

Result<void> Decoder::take(Token token) {
  if (passes_) {
    return reader_.depth() < passed_depth_ ? end_of_passed() : Result<void>();
  }
  if (token == Token::kEnd) {
    is_done_ = true;
    return {};
  }
  if (!has_begun_) {
    has_begun_ = true;
    if (token == Token::kNull && type_.shape != Shape::kRaw) return {};
    return begin_value(token, type_, out_);
  }
  if (token == Token::kEndObject || token == Token::kEndArray) {
    frames_.pop_back();
    return {};
  }
  auto& frame = frames_.back();
  if (token == Token::kName) {
    take_name();
    return {};
  }
  if (frame.type->shape == Shape::kList) return take_in_list(token);
  if (frame.type->shape == Shape::kMap) {
    frame.member_type = frame.type->element;
    KEELSON_TRY(count(frame.member_type->bytes + frame.key.size() + kMapEntry));
    frame.member = frame.type->add(frame.out, frame.key);
  }
  if (frame.member_type == nullptr) {
    pass_over(token, nullptr);
    return {};
  }
  return begin_value(token, *frame.member_type, frame.member);
}

Result<void> Decoder::take_in_list(Token token) {
  auto& frame = frames_.back();
  const Type& element = *frame.type->element;
  ++frame.index;
  const bool is_error = null_items_ == NullItems::kError && element.shape != Shape::kRaw;
  if (token == Token::kNull && is_error) return wrong_type("a value", token);
  KEELSON_TRY(count(element.bytes));
  return begin_value(token, element, frame.type->add(frame.out, {}));
}

void Decoder::take_name() {
  auto& frame = frames_.back();
  if (frame.type->shape == Shape::kMap) {
    frame.key.clear();
    text_ = Text::kKey;
    rest_ = reader_.body();
    target_ = &frame.key;
    return;
  }
  find_field(frame);
}

void Decoder::find_field(Frame& frame) {
  frame.member_type = nullptr;
  constexpr std::size_t kLongestName = 1024;
  auto name = reader_.body();
  std::string decoded;
  if (reader_.has_escapes()) {
    if (name.size() > kLongestName) return;
    decoded = json::decoded(name);
    name = decoded;
  }
  const auto& fields = frame.type->fields()->fields();
  const auto found = std::ranges::find(fields, name, &Description::Field::name);
  if (found == fields.end()) return;
  frame.name = found->name;
  frame.member_type = found->type;
  frame.member = static_cast<char*>(frame.out) + found->offset;
  const auto place = static_cast<std::size_t>(found - fields.begin());
  if (frame.has_come[place]) found->type->reset(frame.member);
  frame.has_come[place] = true;
}

Result<void> Decoder::begin_value(Token token, const Type& type, void* out) {
  if (type.shape == Shape::kRaw) {
    auto* raw = static_cast<RawJson*>(out);
    if (is_container(token)) {
      pass_over(token, raw);
      return {};
    }
    return take_raw(reader_.token_begin(), *raw);
  }
  if (token == Token::kNull) {
    // As in Go: null empties optionals, lists and maps, and leaves other fields unchanged.
    if (type.container != nullptr) type.clear(out);
    return {};
  }
  if (type.shape == Shape::kOptional) return begin_value(token, *type.element, type.add(out, {}));
  const bool is_nested = type.shape == Shape::kList || type.shape == Shape::kMap || type.shape == Shape::kStruct;
  return is_nested ? begin_container(token, type, out) : take_scalar(token, type, out);
}

Result<void> Decoder::begin_container(Token token, const Type& type, void* out) {
  const bool is_list = type.shape == Shape::kList;
  if (token != (is_list ? Token::kBeginArray : Token::kBeginObject)) {
    return wrong_type(is_list ? "an array" : "an object", token);
  }
  if (type.container != nullptr) type.clear(out);
  Frame frame(type, out);
  if (type.fields() != nullptr) frame.has_come.resize(type.fields()->fields().size());
  frames_.push_back(std::move(frame));
  return {};
}

Result<void> Decoder::take_scalar(Token token, const Type& type, void* out) {
  switch (type.shape) {
    case Shape::kBool:
      if (token != Token::kTrue && token != Token::kFalse) return wrong_type("true or false", token);
      *static_cast<bool*>(out) = token == Token::kTrue;
      return {};
    case Shape::kInt32:
    case Shape::kInt64:
      return take_integer(token, type, out);
    case Shape::kNumber: {
      const auto number = token == Token::kNumber ? reader_.number() : std::nullopt;
      if (!number) return wrong_type("a number", token);
      *static_cast<double*>(out) = *number;
      return {};
    }
    case Shape::kString:
    case Shape::kTime:
      return begin_text(token, type, out);
    case Shape::kCustom:
      return take_custom(token, type, out);
    case Shape::kRaw:
    case Shape::kOptional:
    case Shape::kList:
    case Shape::kMap:
    case Shape::kStruct:
      break;
  }
  return {};
}

Result<void> Decoder::take_integer(Token token, const Type& type, void* out) {
  const auto number = token == Token::kNumber ? reader_.integer() : std::nullopt;
  if (!number) return wrong_type("an integer", token);
  if (type.shape == Shape::kInt64) {
    *static_cast<std::int64_t*>(out) = *number;
    return {};
  }
  using Limits = std::numeric_limits<std::int32_t>;
  if (*number < Limits::min() || *number > Limits::max()) {
    return malformed_error(path() + ": " + std::to_string(*number) + " does not fit into 32 bits");
  }
  *static_cast<std::int32_t*>(out) = static_cast<std::int32_t>(*number);
  return {};
}

Result<void> Decoder::take_custom(Token token, const Type& type, void* out) {
  if (is_container(token)) return wrong_type(type.custom->expected, token);
  const auto text = json_.substr(reader_.token_begin(), reader_.token_end() - reader_.token_begin());
  KEELSON_TRY(count(text.size()));
  KEELSON_LET(auto value, json::Document::parse(text));
  auto read = type.custom->read(value.root(), out);
  return read ? Result<void>() : wrong_type(type.custom->expected, token);
}

Result<void> Decoder::begin_text(Token token, const Type& type, void* out) {
  const bool is_time = type.shape == Shape::kTime;
  if (token != Token::kString) return wrong_type("a string", token);
  if (is_time && reader_.body().size() > kTimeBytes) return wrong_type(kTimeExample, token);
  text_ = is_time ? Text::kTime : Text::kValue;
  rest_ = reader_.body();
  target_ = is_time ? &buffer_ : static_cast<std::string*>(out);
  time_ = is_time ? out : nullptr;
  target_->clear();
  const bool is_kept_within = is_time || rest_.size() <= kInPlace;
  auto counted = is_kept_within ? Result<void>() : count(rest_.size() + kBlock);
  // Without escapes the decoded size is the size in the text.
  if (counted && !reader_.has_escapes()) target_->reserve(rest_.size());
  return counted;
}

Result<void> Decoder::decode_text() {
  const auto before = rest_.size();
  json::decode_some(rest_, left_, *target_);
  left_ -= std::min(left_, before - rest_.size());
  return rest_.empty() ? end_text() : Result<void>();
}

Result<void> Decoder::end_text() {
  const auto ended = text_;
  text_ = Text::kNone;
  if (ended != Text::kTime) return {};
  const auto time = parse_time(buffer_);
  if (!time) return wrong_type(kTimeExample, Token::kString);
  *static_cast<Time*>(time_) = *time;
  return {};
}

void Decoder::pass_over(Token token, RawJson* raw) {
  if (!is_container(token)) return;
  passes_ = true;
  passed_depth_ = reader_.depth();
  passed_begin_ = reader_.token_begin();
  raw_ = raw;
}

Result<void> Decoder::end_of_passed() {
  passes_ = false;
  return raw_ == nullptr ? Result<void>() : take_raw(passed_begin_, *raw_);
}

Result<void> Decoder::take_raw(std::size_t begin, RawJson& raw) {
  const auto text = json_.substr(begin, reader_.token_end() - begin);
  auto counted = count(text.size() + kBlock);
  if (counted) raw.text = text;
  return counted;
}

Result<void> Decoder::count(std::size_t bytes) {
  allocated_ += bytes;
  if (allocated_ <= memory_limit_) return {};
  return invalid_error(path() + ": needs more memory than allowed: " + std::to_string(memory_limit_) + " bytes");
}

std::string Decoder::path() const {
  std::string text = path_;
  for (const auto& frame : frames_) {
    if (frame.type->shape == Shape::kList) {
      text += '[' + std::to_string(frame.index - 1) + ']';
    } else if (frame.type->shape == Shape::kMap) {
      text += '[' + short_text(frame.key) + ']';
    } else {
      if (!text.empty()) text += '.';
      text += frame.name;
    }
  }
  return text.empty() ? "<root>" : text;
}

// Names the type of what was found, but not the value, which may be a secret.
Error Decoder::wrong_type(std::string_view expected, Token found) const {
  auto text = path() + ": expected " + std::string(expected);
  const auto type = type_of_token(found);
  if (!expected.starts_with(type)) text.append(", found ").append(type);
  if (expected == "a string" && found == Token::kNumber) text += " (put it in quotes)";
  return malformed_error(std::move(text));
}

namespace detail {

Result<void> decode_json(std::string_view json, const Type& type, void* out, std::string_view path,
                         NullItems null_items) {
  constexpr auto kUnlimited = std::numeric_limits<std::size_t>::max();
  Decoder decoder(json, type, out, path, kUnlimited, null_items);
  KEELSON_LET(const bool is_done, decoder.advance(kUnlimited));
  KEELSON_ASSERT(is_done);
  return {};
}

Result<void> decode_value(json::View value, const Type& type, void* out, std::string_view path) {
  return value.has_value() ? decode_json(value.text(), type, out, path) : Result<void>();
}

}  // namespace detail

}  // namespace keelson::kube
