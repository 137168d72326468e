#include "src/schema/field_path.hpp"

#include "keelson/detail/schema/short_text.hpp"

namespace keelson::kube {

std::string FieldPath::text() const {
  std::string out;
  append_to(out);
  return out.empty() ? "<root>" : out;
}

void FieldPath::append_to(std::string& out) const {
  if (parent_ != nullptr) parent_->append_to(out);
  switch (step_) {
    case Step::kMember:
      if (!out.empty() && !name_.empty()) out += '.';
      out += name_;
      break;
    case Step::kIndex:
      out += '[' + std::to_string(index_) + ']';
      break;
    case Step::kKey:
      out += '[';
      out += short_text(name_);
      out += ']';
      break;
  }
}

}  // namespace keelson::kube
