// Parsing with RapidJSON behind a guard for depth and surrogates; `value.cpp` reads the tree.
#include <algorithm>
#include <cstring>
#include <optional>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/json/value.hpp"
#include "src/json/grammar.hpp"
#include "src/json/number.hpp"
#include "src/json/rapid.hpp"

namespace keelson::json {
namespace {

// Numbers are received as text, because RapidJSON 1.1.0's full precision fails an assertion on "0e50".
constexpr unsigned kChecked = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;
// Strings stay in the copy of the text that the tree owns.
constexpr unsigned kInPlace = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseInsituFlag;

// RapidJSON decodes an escaped lone low surrogate to three bytes that are not UTF-8.
bool has_surrogate(const char* text, std::size_t length) {
  const char* const end = text + length;
  for (const char* at = text; at < end; ++at) {
    at = static_cast<const char*>(std::memchr(at, 0xED, static_cast<std::size_t>(end - at)));
    if (at == nullptr || at + 1 == end) return false;
    if (static_cast<unsigned char>(at[1]) >= 0xA0) return true;
  }
  return false;
}

// Limits the depth between the reader and the tree: later recursion over a deep tree would overflow the stack.
class Guard {
 public:
  Guard(rapidjson::Document& tree, bool has_escapes) : tree_(tree), has_escapes_(has_escapes) {}

  bool Null() { return tree_.Null(); }
  bool Bool(bool value) { return tree_.Bool(value); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) { return number({text, length}); }
  // Never called, because numbers are received as text.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool String(const char* text, rapidjson::SizeType length, bool copy) {
    return is_unicode(text, length) && tree_.String(text, length, copy);
  }
  bool Key(const char* text, rapidjson::SizeType length, bool copy) {
    return is_unicode(text, length) && tree_.Key(text, length, copy);
  }
  bool StartObject() { return enter() && tree_.StartObject(); }
  bool StartArray() { return enter() && tree_.StartArray(); }
  bool EndObject(rapidjson::SizeType members) {
    --depth_;
    return tree_.EndObject(members);
  }
  bool EndArray(rapidjson::SizeType items) {
    --depth_;
    return tree_.EndArray(items);
  }

  [[nodiscard]] const char* objection() const { return objection_; }

 private:
  bool enter() {
    if (++depth_ <= limits::kJsonDepth) return true;
    objection_ = "nested too deep";
    return false;
  }
  bool is_unicode(const char* text, std::size_t length) {
    if (!has_escapes_ || !has_surrogate(text, length)) return true;
    objection_ = "lone surrogate in a string";
    return false;
  }

  bool number(std::string_view text) {
    const bool is_integer = text.find_first_of(".eE") == std::string_view::npos;
    if (is_integer) {
      if (const auto number = base::parse_number<std::int64_t>(text)) return tree_.Int64(*number);
      if (const auto number = base::parse_number<std::uint64_t>(text)) return tree_.Uint64(*number);
    }
    const auto real = parse_double(text);
    if (!real) objection_ = "number out of the range of a double";
    return real && tree_.Double(*real);
  }

  rapidjson::Document& tree_;
  bool has_escapes_;
  std::size_t depth_ = 0;
  const char* objection_ = nullptr;
};

// The generator for Document::Populate.
class Parse {
 public:
  explicit Parse(std::string_view text) : text_(text) {}

  bool operator()(rapidjson::Document& tree) {
    if (!base::is_utf8(text_)) {
      rapidjson::MemoryStream stream(text_.data(), text_.size());
      return read<kChecked>(stream, tree);  // finds the byte
    }
    auto* copy = static_cast<char*>(tree.GetAllocator().Malloc(text_.size() + 1));
    text_.copy(copy, text_.size());
    copy[text_.size()] = '\0';
    rapidjson::InsituStringStream stream(copy);
    return read<kInPlace>(stream, tree);
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  template <unsigned kFlags, class Stream>
  bool read(Stream& stream, rapidjson::Document& tree) {
    rapidjson::Reader reader;
    Guard guard(tree, text_.find('\\') != std::string_view::npos);
    const auto result = reader.Parse<kFlags>(stream, guard);
    if (result.IsError()) return fail(result.Offset(), guard.objection(), result.Code());
    // RapidJSON's reader treats an embedded NUL as the end.
    if (stream.Tell() != text_.size()) return fail(stream.Tell(), "NUL byte after the value", result.Code());
    return true;
  }

  bool fail(std::size_t offset, const char* objection, rapidjson::ParseErrorCode code) {
    error_ = json_error(objection != nullptr ? objection : rapidjson::GetParseError_En(code), offset);
    return false;
  }

  std::string_view text_;
  std::optional<Error> error_;
};

// RapidJSON's default first chunk is 64 KiB, too much for a small message.
std::size_t first_chunk(std::size_t text_size) {
  return std::clamp(text_size * 3, std::size_t{1024}, std::size_t{64} << 10);
}

}  // namespace

struct Document::Tree {
  explicit Tree(std::size_t text_size) : pool(first_chunk(text_size)), document(&pool) {}
  rapidjson::MemoryPoolAllocator<> pool;
  rapidjson::Document document;
};

Document::Document(std::unique_ptr<Tree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

View Document::root() const {
  KEELSON_ASSERT(tree_ != nullptr);
  return View(static_cast<const rapidjson::Value*>(&tree_->document));
}

Result<Document> Document::parse(std::string_view text) {
  auto tree = std::make_unique<Tree>(text.size());
  Parse parse(text);
  tree->document.Populate(parse);
  if (parse.error()) return *parse.error();
  return Document(std::move(tree));
}

}  // namespace keelson::json
