// Renders responses and watch events in the form that the client requested.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/http/protobuf_encoding.hpp"
#include "src/sandbox/http/representation.hpp"
#include "src/sandbox/tables/table_columns.hpp"
#include "src/sandbox/verbs/listing.hpp"

namespace keelson::sandbox {

class Rendering {
 public:
  // `include_object` is the query parameter of this name. The kind must outlive this object.
  Rendering(Representation representation, const ServedKind& kind, std::string include_object);

  // Bodies that are neither an object of the kind nor a list of them (a Status, a Scale) stay unchanged.
  [[nodiscard]] std::string answer(std::string body, WallTime now) const;
  // Complete lines of a watch, or its frames in protobuf. Only the first event of a table has its columns.
  [[nodiscard]] std::string events(std::string lines, WallTime now);
  [[nodiscard]] const char* content_type() const;
  [[nodiscard]] const char* content_type_of_events() const;

  // The parts of a list in JSON: the front, and an item without a comma. kListBack follows the items.
  [[nodiscard]] std::string list_front(const Listing& listing) const;
  [[nodiscard]] std::string list_item(const kube::Object& object, WallTime now) const;
  // Encodes the JSON of a whole list in the requested format.
  [[nodiscard]] std::string encoded(std::string json) const;
  [[nodiscard]] bool is_yaml() const { return representation_.format == Representation::Format::kYaml; }

  // A list in protobuf, and an item of it.
  [[nodiscard]] bool is_protobuf() const { return representation_.format == Representation::Format::kProtobuf; }
  [[nodiscard]] ProtobufList protobuf_list(const Listing& listing) const;
  [[nodiscard]] Tree protobuf_item(const kube::Object& object) const;

 private:
  [[nodiscard]] std::string event(Tree event, WallTime now);
  [[nodiscard]] Tree object(const Tree& json, WallTime now, bool has_definitions) const;

  Representation representation_;
  const ServedKind* kind_;
  std::string include_object_;
  Columns columns_;  // of a table
  bool has_sent_definitions_ = false;
};

// A body in JSON, in another format; a body without a message in protobuf stays unchanged.
[[nodiscard]] std::string in_format(Representation::Format format, std::string json);
[[nodiscard]] const char* content_type_of(Representation::Format format);

}  // namespace keelson::sandbox
