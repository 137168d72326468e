// Writes objects, lists and watch events in application/vnd.kubernetes.protobuf, from their JSON.
//
// A field that the messages do not have is omitted, as in the real server, whose objects are Go structs. The order of
// the fields is that of their numbers.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// Whether there is a message for the kind, which a custom kind never has.
[[nodiscard]] bool has_protobuf(const std::string& api_version, const std::string& kind);

// An object or a list with its apiVersion and kind. The kind, or the kind of the items, must have a message.
[[nodiscard]] std::string protobuf_of(const Tree& object);

// A list whose items are written one by one: `metadata` is its ListMeta.
class ProtobufList {
 public:
  ProtobufList(std::string api_version, std::string list_kind, const Tree& metadata);
  void add(const Tree& item);
  [[nodiscard]] std::string take() &&;

 private:
  std::string api_version_;
  std::string kind_;
  std::string item_message_;
  std::string raw_;
};

// An event of a watch with its length before it. `type` is ADDED, MODIFIED, …
[[nodiscard]] std::string protobuf_event(std::string_view type, const Tree& object);

}  // namespace keelson::sandbox
