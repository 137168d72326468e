#include "src/controller/settled_children.hpp"

#include "keelson/detail/base/fnv.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "src/controller/child.hpp"

namespace keelson::controller {

namespace {

class Hash {
 public:
  // The sum depends on the order and on where a text ends.
  void add(std::string_view text) { value_ = (value_ ^ base::fnv1a_64(text)) * 0x9e3779b97f4a7c15ULL; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

void add_metadata(Hash& hash, std::string_view metadata, bool with_annotations) {
  const auto add = [&](std::string_view name, std::string_view value) {
    if (name == "resourceVersion" || name == "generation" || (name == "annotations" && !with_annotations)) return;
    hash.add(name);
    hash.add(value);
  };
  // The metadata of a stored object is well-formed.
  static_cast<void>(json::for_each_member(metadata, add));
}

std::uint64_t key_of(const kube::Object& child) { return base::fnv1a_64(child.uid()); }

}  // namespace

std::uint64_t SettledChildren::state_of(const kube::Object& owner, const kube::Object& child, std::string_view desired,
                                        const kube::OperatorName& name) {
  const auto wanted = json::scan_metadata(desired);
  const bool with_annotations = !wanted || !wanted->annotations.empty();
  Hash hash;
  hash.add(owner.uid());
  hash.add(desired);
  // plan_child() reads this annotation of the child even if the desired state has none.
  if (!with_annotations) hash.add(child.annotation(name.annotation(kHashKey)).value_or(std::string()));
  const auto add = [&](std::string_view member, std::string_view value) {
    if (member == "status") return;
    hash.add(member);
    if (member == "metadata") {
      add_metadata(hash, value, with_annotations);
    } else {
      hash.add(value);
    }
  };
  static_cast<void>(json::for_each_member(child.json(), add));
  return hash.value();
}

bool SettledChildren::contains(const kube::Object& child, std::uint64_t state) const {
  if (entries_.empty()) return false;
  const auto key = key_of(child);
  const auto& entry = entries_[key % kEntries];
  return entry.child == key && entry.state == state;
}

void SettledChildren::add(const kube::Object& child, std::uint64_t state) {
  if (entries_.empty()) entries_.resize(kEntries);
  const auto key = key_of(child);
  entries_[key % kEntries] = {key, state};
}

}  // namespace keelson::controller
