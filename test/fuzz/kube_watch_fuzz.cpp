// Lines of a watch, as a server or a proxy may send them: they are split, and the object is read.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/kube/watch.hpp"
#include "keelson/kube/object.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view line(reinterpret_cast<const char*>(data), size);
  auto event = keelson::kube::parse_watch_line(line);
  if (!event) return 0;
  KEELSON_ASSERT(event->object.size() >= 2 && event->object.front() == '{');
  auto object = keelson::kube::Object::from_json(event->object);
  if (!object) return 0;
  KEELSON_ASSERT(object->json() == event->object);
  auto begin = object->json().data();
  auto end = begin + object->block_bytes();
  for (auto text : {object->name(), object->ns(), object->uid()}) {
    KEELSON_ASSERT(text.empty() || (text.data() >= begin && text.data() + text.size() <= end));
  }
  object->for_each_label([](std::string_view, std::string_view) {});
  object->for_each_owner([begin, end](const keelson::kube::OwnerReference& owner) {
    KEELSON_ASSERT(owner.uid.data() >= begin && owner.uid.data() + owner.uid.size() <= end);
  });
  return 0;
}
