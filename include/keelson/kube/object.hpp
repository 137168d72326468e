// One object of the API as an immutable, shared block of bytes: its JSON and the positions of its metadata.
//
// A cache stores thousands of objects, so an object is one allocation and is parsed only when it is read, with
// `json::Document::parse(object.json())`, Fields (fields.hpp) or decode_object<T>() (typed_object.hpp).
//
// Object is a handle. Copies share the block, which is freed with the last handle. Each string_view that it returns is
// valid while any handle of the block exists. The count of handles is not atomic: use an object in one thread only. A
// moved-from handle can only be assigned or destroyed.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/projection.hpp"

namespace keelson::kube {

// Ordered by namespace, then by name. A value that owns both texts.
struct Key {
  Key() = default;
  Key(std::string_view n, std::string_view object_name) : ns(n), name(object_name) {}

  std::string ns;    // empty for cluster-scoped objects
  std::string name;  // empty in requests for a whole collection

  // "default/web", or "web" for cluster-scoped objects.
  [[nodiscard]] std::string text() const { return ns.empty() ? name : ns + "/" + name; }
  auto operator<=>(const Key&) const = default;
};

}  // namespace keelson::kube

// For unordered containers, with the secret seed of base::TextHash: clients choose names.
template <>
struct std::hash<keelson::kube::Key> {
  std::size_t operator()(const keelson::kube::Key& key) const;
};

namespace keelson::kube {

// An entry of metadata.ownerReferences. The texts refer to the object's block.
struct OwnerReference {
  std::string_view api_version;  // "apps/v1"
  std::string_view kind;         // "ReplicaSet"
  std::string_view name;         // in the namespace of the object, or cluster-scoped
  std::string_view uid;
  bool controller = false;  // at most one owner of an object is its controller
};

class Object {
 public:
  // Copies `json`. Only the metadata is scanned, so the rest may still be malformed. kMalformed for metadata that
  // cannot be read and for more than limits::kObjectBytes (12 MiB). `projection` names the paths to which `json` was
  // reduced, if it was, and must outlive every handle.
  [[nodiscard]] static Result<Object> from_json(std::string_view json, const json::Projection* projection = nullptr);

  Object(const Object& other) noexcept;
  Object(Object&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Object();

  // The stored bytes: the whole object, or the part that the projection has.
  [[nodiscard]] std::string_view json() const;
  // Null: the object is whole.
  [[nodiscard]] const json::Projection* projection() const;

  [[nodiscard]] Key key() const { return {ns(), name()}; }
  [[nodiscard]] std::string_view ns() const;    // empty for cluster-scoped objects
  [[nodiscard]] std::string_view name() const;  // empty for objects without a name, such as reviews
  [[nodiscard]] std::string_view uid() const;
  // 0 if the object has none. Versions are compared as integers, which Kubernetes guarantees for its own storage
  // (etcd).
  [[nodiscard]] std::uint64_t resource_version() const;
  // Increases with each change of the spec; 0 for kinds without generation.
  [[nodiscard]] std::int64_t generation() const;
  // metadata.deletionTimestamp is set: the object is removed as soon as its finalizers are.
  [[nodiscard]] bool deleting() const;
  // The value of a label or annotation, decoded; nullopt if the object does not have it, or the projection drops it.
  // Each call scans the labels.
  [[nodiscard]] std::optional<std::string> label(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> annotation(std::string_view name) const;
  // Calls `visit` with each entry in the order of the JSON. The texts of a label are valid during the call only.
  void for_each_label(const std::function<void(std::string_view name, std::string_view value)>& visit) const;
  void for_each_owner(const std::function<void(const OwnerReference&)>& visit) const;
  // The owner with controller=true, if any: the controller that manages the object.
  [[nodiscard]] std::optional<OwnerReference> controller_owner() const;

  // Bytes of the allocated block, for metrics and limits of caches.
  [[nodiscard]] std::size_t block_bytes() const;
  // Whether both are handles of one block, so that no byte differs. Equal objects may have different blocks.
  [[nodiscard]] bool same_block(const Object& other) const { return record_ == other.record_; }
  // Whether no stored byte differs except those of metadata.resourceVersion: two states of an object between which
  // nothing has changed that its projection stores. False if an order of members differs. Allocates nothing.
  [[nodiscard]] bool same_content(const Object& other) const;
  // The same content with this resourceVersion; nullopt if the object has none, or one that is not a number.
  [[nodiscard]] std::optional<Object> with_resource_version(std::uint64_t version) const;

 private:
  struct Record;
  explicit Object(Record* record) : record_(record) {}
  Record* record_;
};

}  // namespace keelson::kube
