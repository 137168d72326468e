#include "keelson/kube/object.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/json/limits.hpp"
#include "keelson/detail/json/metadata.hpp"

std::size_t std::hash<keelson::kube::Key>::operator()(const keelson::kube::Key& key) const {
  const keelson::base::TextHash hash;
  // boost::hash_combine, so that ("a", "b") and ("b", "a") differ.
  const auto first = hash(key.ns);
  return first ^ (hash(key.name) + 0x9e3779b97f4a7c15ULL + (first << 6) + (first >> 2));
}

namespace keelson::kube {

// One malloc block: this header, the JSON, then texts that the JSON holds only in escaped form. Nothing else is
// allocated for an object, because small blocks in between keep freed large ones from being reused.
struct Object::Record {
  // A part of the bytes after the header.
  struct Slice {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };

  std::uint32_t handles = 1;
  std::uint32_t is_deleting : 1 = 0;
  std::uint32_t json_size : 31 = 0;
  std::uint32_t version_size : 8 = 0;
  std::uint32_t decoded_size : 24 = 0;
  Slice name, ns, uid, labels, annotations, owners;
  std::uint32_t decoded_owners = 0;  // where the decoded texts of owners begin, in the order of texts_of()
  // The text of resourceVersion in the JSON; size 0 if there is none, or it is not a plain number.
  std::uint32_t version_offset = 0;
  std::uint64_t resource_version = 0;
  std::int64_t generation = 0;
  const json::Projection* projection = nullptr;

  [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view at(Slice slice) { return {bytes() + slice.offset, slice.size}; }
  [[nodiscard]] std::string_view json() { return {bytes(), json_size}; }
  // The JSON before the text of resourceVersion, and after it.
  [[nodiscard]] std::string_view before_version() { return json().substr(0, version_offset); }
  [[nodiscard]] std::string_view after_version() { return json().substr(version_offset + version_size); }
};

namespace {

constexpr std::uint32_t kVersionText = 0xff;  // the longest text that Record::version_size can count

// Collects the decoded copies of texts that are escaped in the JSON.
class Decoded {
 public:
  explicit Decoded(std::string_view json) : json_(json) {}

  // The position of `view` in the future block.
  std::pair<std::size_t, std::size_t> place(std::string_view view) {
    if (view.empty()) return {0, 0};
    if (json::is_part_of(view, json_)) {
      return {static_cast<std::size_t>(view.data() - json_.data()), view.size()};
    }
    auto offset = end();
    text_ += view;
    return {offset, view.size()};
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  // The position of the next copy in the future block.
  [[nodiscard]] std::size_t end() const { return json_.size() + text_.size(); }

 private:
  std::string_view json_;
  std::string text_;
};

// The texts of an owner in the order in which their decoded copies are stored.
std::array<std::string_view, 4> texts_of(const json::OwnerReferenceView& owner) {
  return {owner.api_version, owner.kind, owner.name, owner.uid};
}

// Owners are read from the JSON; only their escaped texts need a decoded copy.
Result<void> place_owners(std::string_view owner_references, Decoded& decoded) {
  return json::for_each_owner(owner_references, [&decoded](const json::OwnerReferenceView& owner) {
    for (const auto text : texts_of(owner)) decoded.place(text);
  });
}

}  // namespace

Result<Object> Object::from_json(std::string_view json, const json::Projection* projection) {
  if (json.size() > limits::kObjectBytes) {
    return malformed_error("object of " + std::to_string(json.size()) + " bytes exceeds the limit");
  }
  KEELSON_LET(auto metadata, json::scan_metadata(json));
  Decoded decoded(json);
  auto slice = [&decoded](std::string_view view) {
    auto [offset, size] = decoded.place(view);
    return Record::Slice{static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size)};
  };
  Record header;
  header.name = slice(metadata.name);
  header.ns = slice(metadata.namespace_);
  header.uid = slice(metadata.uid);
  header.labels = slice(metadata.labels);
  header.annotations = slice(metadata.annotations);
  header.owners = slice(metadata.owner_references);
  header.is_deleting = metadata.is_deleting() ? 1 : 0;
  header.resource_version = metadata.resource_version_number.value_or(0);
  const auto version = slice(metadata.resource_version);
  if (metadata.resource_version_number && version.offset + version.size <= json.size() &&
      version.size <= kVersionText) {
    header.version_offset = version.offset;
    header.version_size = version.size & kVersionText;
  }
  header.generation = metadata.generation;
  header.projection = projection;
  header.decoded_owners = static_cast<std::uint32_t>(decoded.end());
  KEELSON_TRY(place_owners(metadata.owner_references, decoded));

  header.json_size = static_cast<std::uint32_t>(json.size()) & 0x7fffffffU;
  header.decoded_size = static_cast<std::uint32_t>(decoded.text().size()) & 0xffffffU;
  void* block = std::malloc(sizeof(Record) + json.size() + decoded.text().size());
  if (block == nullptr) throw std::bad_alloc();
  auto* record = ::new (block) Record(header);
  std::memcpy(record->bytes(), json.data(), json.size());
  decoded.text().copy(record->bytes() + json.size(), decoded.text().size());
  return Object(record);
}

Object::Object(const Object& other) noexcept : record_(other.record_) {
  if (record_ != nullptr) ++record_->handles;
}

Object::~Object() {
  if (record_ != nullptr && --record_->handles == 0) std::free(record_);
}

std::string_view Object::json() const { return record_->json(); }
const json::Projection* Object::projection() const { return record_->projection; }
std::string_view Object::ns() const { return record_->at(record_->ns); }
std::string_view Object::name() const { return record_->at(record_->name); }
std::string_view Object::uid() const { return record_->at(record_->uid); }
std::uint64_t Object::resource_version() const { return record_->resource_version; }
std::int64_t Object::generation() const { return record_->generation; }
bool Object::deleting() const { return record_->is_deleting != 0; }

bool Object::same_content(const Object& other) const {
  return record_->before_version() == other.record_->before_version() &&
         record_->after_version() == other.record_->after_version();
}

std::optional<Object> Object::with_resource_version(std::uint64_t version) const {
  if (record_->version_size == 0) return std::nullopt;
  std::string text(record_->before_version());
  text.append(std::to_string(version)).append(record_->after_version());
  auto object = from_json(text, record_->projection);
  return object ? std::optional(std::move(*object)) : std::nullopt;
}

std::optional<std::string> Object::label(std::string_view name) const {
  return json::scan_member(record_->at(record_->labels), name);
}

std::optional<std::string> Object::annotation(std::string_view name) const {
  return json::scan_member(record_->at(record_->annotations), name);
}

void Object::for_each_label(const std::function<void(std::string_view name, std::string_view value)>& visit) const {
  auto labels = record_->at(record_->labels);
  // Labels after a syntax error are ignored, as label() does.
  if (!labels.empty()) static_cast<void>(json::for_each_string(labels, visit));
}

void Object::for_each_owner(const std::function<void(const OwnerReference&)>& visit) const {
  const auto owners = record_->at(record_->owners);
  const char* decoded = record_->bytes() + record_->decoded_owners;
  // from_json() has stored the decoded texts in the order in which they are read here.
  const auto lasting = [owners, &decoded](std::string_view text) {
    if (text.empty() || json::is_part_of(text, owners)) return text;
    return std::string_view(std::exchange(decoded, decoded + text.size()), text.size());
  };
  auto read = json::for_each_owner(owners, [&](const json::OwnerReferenceView& owner) {
    auto [api_version, kind, name, uid] = texts_of(owner);
    for (auto* text : {&api_version, &kind, &name, &uid}) *text = lasting(*text);
    visit({api_version, kind, name, uid, owner.controller});
  });
  KEELSON_ASSERT(read);  // from_json() has read them
}

std::optional<OwnerReference> Object::controller_owner() const {
  std::optional<OwnerReference> controller;
  for_each_owner([&controller](const OwnerReference& owner) {
    if (owner.controller && !controller) controller = owner;
  });
  return controller;
}

std::size_t Object::block_bytes() const {
  return sizeof(Record) + record_->json_size + std::size_t{record_->decoded_size};
}

}  // namespace keelson::kube
