// The protobuf messages of the kinds that Go clients send as protobuf, from fields/data/messages.txt, which
// scripts/generate-protobuf-messages writes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::sandbox {

struct ProtobufField {
  enum class Repeats { kOnce, kList, kMap };  // the keys of a map are strings
  std::string name;                           // as in JSON
  std::string type;                           // string, integer, …, or the name of a message
  Repeats repeats = Repeats::kOnce;
  std::string named_type = {};  // of a string in Go: "v1.Protocol"
  bool keeps_zero = false;      // present even if it is 0, false or empty, like a pointer in Go

  // Its fields belong to the enclosing message.
  [[nodiscard]] bool is_inline() const { return name == "-"; }
};
using ProtobufMessage = std::map<std::uint32_t, ProtobufField>;

// The message of the schemas in a CRD.
inline constexpr const char* kSchemaMessage =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

// The message with the name of a definition ("io.k8s.api.apps.v1.Deployment"). Null for an unknown message.
[[nodiscard]] const ProtobufMessage* protobuf_message(std::string_view name);

// The same fields in the order of the Go struct. Empty for an unknown message.
[[nodiscard]] std::vector<ProtobufField> protobuf_fields(std::string_view name);

// The name of the message of a kind, whether or not it exists.
[[nodiscard]] std::string protobuf_message_name(const std::string& api_version, const std::string& kind);

}  // namespace keelson::sandbox
