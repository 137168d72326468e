#include <algorithm>
#include <vector>

#include "keelson/detail/json/json_pointer.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {
namespace {

class Differ {
 public:
  std::string run(View before, View after, const std::string& at) {
    writer_.begin_array();
    compare(at, before, after);
    writer_.end_array();
    return std::move(writer_).take();
  }

 private:
  void compare(const std::string& path, View before, View after) {
    if (before.is_object() && after.is_object()) return compare_objects(path, before, after);
    if (before.is_array() && after.is_array()) return compare_arrays(path, before, after);
    if (!equal(before, after)) put("replace", path, after);
  }

  void compare_objects(const std::string& path, View before, View after) {
    const auto old = unique_members(before);
    const auto wanted = unique_members(after);
    auto was = old.begin();
    auto is = wanted.begin();
    while (was != old.end() || is != wanted.end()) {
      const bool is_gone = is == wanted.end() || (was != old.end() && was->name < is->name);
      const bool is_new = !is_gone && (was == old.end() || is->name < was->name);
      if (is_gone) {
        remove(pointer_to(path, (was++)->name));
      } else if (is_new) {
        put("add", pointer_to(path, is->name), is->value);
        ++is;
      } else {
        compare(pointer_to(path, is->name), (was++)->value, is->value);
        ++is;
      }
    }
  }

  // Items are compared by index: removing an item in the middle changes all later ones, which is correct but long.
  void compare_arrays(const std::string& path, View before, View after) {
    const std::size_t common = std::min(before.size(), after.size());
    for (std::size_t i = 0; i < common; ++i) {
      compare(pointer_to(path, std::to_string(i)), before.item(i), after.item(i));
    }
    for (std::size_t i = before.size(); i > common; --i) remove(pointer_to(path, std::to_string(i - 1)));
    for (std::size_t i = common; i < after.size(); ++i) put("add", pointer_to(path, std::to_string(i)), after.item(i));
  }

  void put(const char* op, const std::string& path, View value) {
    writer_.begin_object().field("op", op).field("path", path).field("value", value).end_object();
  }
  void remove(const std::string& path) {
    writer_.begin_object().field("op", "remove").field("path", path).end_object();
  }

  Writer writer_;
};

}  // namespace

std::string diff(View before, View after, const std::string& at) { return Differ().run(before, after, at); }

}  // namespace keelson::json
