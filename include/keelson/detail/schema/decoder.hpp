// Decodes a described struct directly from the bytes of an untrusted text, in slices and within a memory limit.
//
// Example (test/examples/schema.cpp#decoder):
//   keelson::Task<MemcachedSpec> decode_in_slices(keelson::async::TimeSlice& slice, std::string json) {
//     MemcachedSpec spec;
//     constexpr std::size_t kMemoryLimit = 1 << 20;
//     kube::Decoder decoder(json, kube::type_of<MemcachedSpec>(), &spec, "spec", kMemoryLimit);
//     for (;;) {
//       KEELSON_CO_LET(const bool is_done, decoder.advance(16'384));
//       if (is_done) co_return spec;
//       co_await slice.yield();
//     }
//   }
//
// For objects in admission reviews, whose JSON of up to several megabytes a client controls. Objects that the API
// server sends are decoded at once (detail::decode_json, which decode_object and kube::decode call).
//
// Absent members keep the struct's initial values, and a wrong type is kMalformed and names the field and both types.
// If a member occurs twice, the last one counts, in structs and in maps, as in the API server, which decodes custom
// resources into Go's untyped maps (for a Go struct, encoding/json would merge duplicate structs). Members that the
// description does not know are checked for syntax and skipped. A RawJson gets the bytes unchanged.
//
// Text and struct must outlive the decoder. After an error the struct is partly filled: discard it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/reader.hpp"
#include "keelson/schema/describe.hpp"

namespace keelson::kube {

// A null in a list of values other than RawJson: an error, or the zero value of the type, as in Go's encoding/json.
enum class NullItems { kError, kZero };

// Decodes one value, once. To cancel, stop calling advance() and destroy the decoder.
class Decoder {
 public:
  // `out` is a value of `type`, initially T{}; `path` is its place, for errors. `memory_limit` is approximately the
  // number of bytes that the struct may allocate; a text that needs more is kInvalid, before the memory is allocated.
  Decoder(std::string_view json, const Type& type, void* out, std::string_view path, std::size_t memory_limit,
          NullItems null_items = NullItems::kError);

  // Reads approximately this many more bytes. True if the whole text was read. Do not call it again after true or an
  // error.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // Approximately the bytes that the struct has allocated so far.
  [[nodiscard]] std::size_t allocated() const { return allocated_; }

 private:
  // A container whose end has not been read yet.
  struct Frame {
    Frame(const Type& container, void* place) : type(&container), out(place) {}
    const Type* type;                   // of the struct, list or map
    void* out;                          // its value
    std::string_view name;              // of the member that is being read
    std::string key;                    // of the map's entry
    std::size_t index = 0;              // of the list's next item
    const Type* member_type = nullptr;  // null: the description does not know the member
    void* member = nullptr;
    std::vector<bool> has_come;  // the fields of a struct that were read: a second one replaces the first
  };
  // The use of the text that is being decoded: a string's value, a time, or the key of a map's entry.
  enum class Text { kNone, kValue, kTime, kKey };

  [[nodiscard]] Result<void> take(json::Token token);
  [[nodiscard]] Result<void> take_in_list(json::Token token);
  void take_name();
  void find_field(Frame& frame);
  [[nodiscard]] Result<void> begin_value(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> begin_container(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> take_scalar(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> take_custom(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> take_integer(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> begin_text(json::Token token, const Type& type, void* out);
  [[nodiscard]] Result<void> decode_text();
  [[nodiscard]] Result<void> end_text();
  void pass_over(json::Token token, RawJson* raw);
  [[nodiscard]] Result<void> end_of_passed();
  [[nodiscard]] Result<void> take_raw(std::size_t begin, RawJson& raw);
  [[nodiscard]] Result<void> count(std::size_t bytes);
  [[nodiscard]] std::string path() const;
  [[nodiscard]] Error wrong_type(std::string_view expected, json::Token found) const;

  std::string_view json_;  // the whole text
  json::Reader reader_;    // splits it into tokens
  const Type& type_;
  void* out_;
  std::string path_;
  std::size_t memory_limit_;
  NullItems null_items_;
  std::size_t allocated_ = 0;
  std::size_t left_ = 0;       // bytes of the slice that remain for texts
  std::vector<Frame> frames_;  // the open containers, from the outermost to the innermost
  bool has_begun_ = false;
  bool is_done_ = false;

  // A container that is skipped, until the reader returns to its depth.
  bool passes_ = false;
  std::size_t passed_depth_ = 0;
  std::size_t passed_begin_ = 0;
  RawJson* raw_ = nullptr;  // gets the bytes of the skipped container; null: they are dropped

  // A text that is being decoded, possibly over several slices.
  Text text_ = Text::kNone;
  std::string_view rest_;          // the undecoded rest, with escapes
  std::string* target_ = nullptr;  // where the decoded text is appended
  std::string buffer_;             // the text of a time
  void* time_ = nullptr;           // the Time to set from it
};

namespace detail {
// Decodes a whole text at once, without a limit of memory; `out` is as for Decoder.
[[nodiscard]] Result<void> decode_json(std::string_view json, const Type& type, void* out, std::string_view path,
                                       NullItems null_items = NullItems::kError);
}  // namespace detail

}  // namespace keelson::kube
