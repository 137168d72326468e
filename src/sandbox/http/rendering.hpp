// Answers and watch events in the form that their client asked for.
#pragma once

#include <string>
#include <string_view>

#include "src/sandbox/http/representation.hpp"
#include "src/sandbox/tables/table_cells.hpp"

namespace keelson::sandbox {

class Rendering {
 public:
  // `include_object` is the query parameter of that name. The kind must outlive this.
  Rendering(Representation representation, const ServedKind& kind, std::string include_object);

  // Whatever is neither an object of the kind nor a list of them (a Status, a Scale) stays as it is.
  [[nodiscard]] std::string answer(std::string body, WallTime now) const;
  // Whole lines of a watch. Only the first event of a table has its columns.
  [[nodiscard]] std::string events(std::string lines, WallTime now);
  [[nodiscard]] const char* content_type() const;

 private:
  [[nodiscard]] Tree object(const Tree& json, WallTime now, bool has_definitions) const;

  Representation representation_;
  const ServedKind* kind_;
  std::string include_object_;
  bool has_sent_definitions_ = false;
};

}  // namespace keelson::sandbox
