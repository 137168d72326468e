// Which paths of an object are kept in a cache, and the cutting of an object's bytes down to them.
//
// A value: built once per informer, merged when several controllers share one. A path is a list of member names;
// arrays on the way are looked through, so {"spec", "containers", "image"} keeps the image of every container.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/scan.hpp"

namespace keelson::json {

class Projection {
 public:
  // All but what nobody reads and costs half the bytes: metadata.managedFields and the annotation
  // kubectl.kubernetes.io/last-applied-configuration.
  [[nodiscard]] static Projection everything();

  // These paths with all below them, and always: apiVersion, kind, and of metadata name, namespace, uid,
  // resourceVersion, generation, labels, ownerReferences, deletionTimestamp, creationTimestamp, finalizers.
  [[nodiscard]] static Projection of(const std::vector<std::vector<std::string>>& paths);

  // The metadata alone, as everything() keeps it: neither apiVersion nor kind.
  [[nodiscard]] static Projection metadata();

  // Of the metadata only the annotations.
  [[nodiscard]] static Projection annotations();

  // Is a read of this path allowed: does an object keep all that stood there (but for what `everything` drops)?
  [[nodiscard]] bool covers(std::initializer_list<std::string_view> path) const;
  [[nodiscard]] bool covers(const std::vector<std::string_view>& path) const;

  // What keeps all that either keeps.
  [[nodiscard]] Projection merged(const Projection& other) const;

  // Appends the projected object to `out` by copying byte ranges, order and duplicates as they came. What is appended
  // is well-formed JSON within limits::kJsonDepth; otherwise kMalformed with the byte offset comes back and `out` is as
  // it was. What is dropped is checked for balanced brackets and closed strings only. A scalar where an object was
  // expected on the way to a path is kept.
  [[nodiscard]] Result<void> apply(std::string_view object, std::string& out, ScanCode code = ScanCode::kFastest) const;

  // A step of the path trie: `keeps` says what becomes of members that `children` does not name.
  struct Node {
    std::string name;
    bool keeps = false;
    std::vector<Node> children;
  };

 private:
  explicit Projection(Node root) : root_(std::move(root)) {}
  Node root_;
};

}  // namespace keelson::json
