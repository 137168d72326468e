// One object of the API as an immutable, shared block of bytes: its JSON, and where in it the metadata is.
//
// A handle: copying it shares the block, which goes with the last handle. Not for several threads. Everything
// it hands out as string_view lives as long as the block. Parsed when read (`json::Document::parse(o.json())`).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "keelson/base/result.hpp"
#include "keelson/json/projection.hpp"
#include "keelson/kube/key.hpp"

namespace keelson::kube {

struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

class Object {
 public:
  // `projection`, when given, is what `json` was cut down to; it must outlive every handle.
  [[nodiscard]] static Result<Object> from_json(std::string_view json, const json::Projection* projection = nullptr);

  Object(const Object& other) noexcept;
  Object(Object&& other) noexcept : record_(std::exchange(other.record_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Object();

  [[nodiscard]] std::string_view json() const;
  // Null: the whole object is here.
  [[nodiscard]] const json::Projection* projection() const;

  [[nodiscard]] Key key() const { return {ns(), name()}; }
  [[nodiscard]] std::string_view ns() const;
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::string_view uid() const;
  // 0 when it has none. Compared as integers, as the API server's storage counts them.
  [[nodiscard]] std::uint64_t resource_version() const;
  [[nodiscard]] std::int64_t generation() const;
  // metadata.deletionTimestamp is set.
  [[nodiscard]] bool deleting() const;
  [[nodiscard]] std::optional<std::string> label(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> annotation(std::string_view name) const;
  void for_each_label(const std::function<void(std::string_view name, std::string_view value)>& visit) const;
  void for_each_owner(const std::function<void(const OwnerReference&)>& visit) const;
  // The owner with controller=true, if any. The views live as long as the block.
  [[nodiscard]] std::optional<OwnerReference> controller_owner() const;

  // Bytes of memory behind the handle.
  [[nodiscard]] std::size_t block_bytes() const;
  // Same block: nothing can have changed.
  [[nodiscard]] bool same_block(const Object& other) const { return record_ == other.record_; }

 private:
  struct Record;
  explicit Object(Record* record) : record_(record) {}
  Record* record_;
};

}  // namespace keelson::kube
