// The protobuf messages of the kinds that Go clients write in protobuf, from fields/data/messages.txt, which
// scripts/generate-protobuf-messages writes.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace keelson::sandbox {

struct ProtobufField {
  enum class Repeats { kOnce, kList, kMap };  // a map has texts as keys
  std::string name;                           // as in JSON
  std::string type;                           // string, integer, …, or the name of a message
  Repeats repeats = Repeats::kOnce;
  bool keeps_zero = false;  // there even when it is 0, false or empty, as a pointer in Go

  // Its fields are those of the message around it.
  [[nodiscard]] bool is_inline() const { return name == "-"; }
};
using ProtobufMessage = std::map<std::uint32_t, ProtobufField>;

// By the name of its definition ("io.k8s.api.apps.v1.Deployment"). Null for a message that is not known.
[[nodiscard]] const ProtobufMessage* protobuf_message(std::string_view name);

}  // namespace keelson::sandbox
