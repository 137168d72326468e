// Reads a described struct straight from the bytes of an untrusted text, in slices and within a limit of memory.
//
//   kube::Decoder decoder(json, kube::type_of<CronJobSpec>(), &spec, "spec", limit);
//   for (;;) { auto done = decoder.advance(slice); … hand the loop back unless it is done … }
//
// The result is that of kube::decode of the text's tree: absent members keep the struct's initial values, a wrong type
// is kMalformed and names the field. Of duplicate members the last counts, in structs and in maps, as in the API
// server, which decodes custom resources into Go's untyped maps (into a Go struct, encoding/json would merge duplicate
// structs). Members that the description does not know are checked and skipped. RawJson gets the bytes as they came.
// Text and struct must outlive the decoder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/reader.hpp"
#include "keelson/kube/describe.hpp"

namespace keelson::kube {

class Decoder {
 public:
  // `memory_limit`: roughly the bytes that the struct may allocate; a text that needs more is kInvalid.
  Decoder(std::string_view json, const Type& type, void* out, std::string_view path, std::size_t memory_limit);

  // Reads about so many bytes more; true when all is read.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // Roughly the bytes that the struct has allocated so far.
  [[nodiscard]] std::size_t allocated() const { return allocated_; }

 private:
  // A container that is open in the text.
  struct Frame {
    Frame(const Type& container, void* place) : type(&container), out(place) {}
    const Type* type;
    void* out;
    std::string_view name;  // of the member that is being read
    std::string key;        // of the map's entry
    std::size_t index = 0;  // of the list's next item
    const Type* member_type = nullptr;
    void* member = nullptr;
    std::vector<bool> has_come;  // fields of a struct
  };
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
  [[nodiscard]] Error wrong_type(std::string_view expected) const;

  std::string_view json_;
  json::Reader reader_;
  const Type& type_;
  void* out_;
  std::string path_;
  std::size_t memory_limit_;
  std::size_t allocated_ = 0;
  std::size_t left_ = 0;  // of the slice, for texts
  std::vector<Frame> frames_;
  bool has_begun_ = false;
  bool is_done_ = false;

  // A container that is passed over: until its depth is reached again.
  bool passes_ = false;
  std::size_t passed_depth_ = 0;
  std::size_t passed_begin_ = 0;
  RawJson* raw_ = nullptr;

  // A text that is being decoded.
  Text text_ = Text::kNone;
  std::string_view rest_;
  std::string* target_ = nullptr;
  std::string buffer_;
  void* time_ = nullptr;
};

}  // namespace keelson::kube
