// The protobuf messages of the kinds that Go clients write in protobuf, from generated.proto of k8s.io/api.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace keelson::sandbox {

struct ProtobufField {
  enum class Repeats { kOnce, kList, kMap };  // a map has texts as keys
  std::string name;                           // as in JSON
  std::string type;                           // string, integer, boolean, bytes, or the name of a message
  Repeats repeats = Repeats::kOnce;
  bool keeps_zero = false;  // a pointer in Go: there even when it is 0, false or empty
};
using ProtobufMessage = std::map<std::uint32_t, ProtobufField>;

// Null for a message that is not known.
[[nodiscard]] const ProtobufMessage* protobuf_message(std::string_view name);

}  // namespace keelson::sandbox
