// Projection: the paths of an object that an informer stores, and the reduction of an object's JSON to them.
//
// A value, created once per informer; the projections of controllers that share an informer are merged. A path is a
// list of member names that passes through arrays, so {"spec", "containers", "image"} retains the image of each
// container. Reading a path that is not retained is an error (kube/fields.hpp), never an absent value.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::json {

enum class ScanCode;  // scan.hpp

class Projection {
 public:
  // Everything except metadata.managedFields and the annotation kubectl.kubernetes.io/last-applied-configuration, which
  // controllers do not read and which are half of the bytes of an object.
  [[nodiscard]] static Projection everything();

  // These paths with everything below them, and in any case apiVersion, kind, and in metadata: name, namespace, uid,
  // resourceVersion, generation, labels, ownerReferences, deletionTimestamp, creationTimestamp, finalizers.
  [[nodiscard]] static Projection of(const std::vector<std::vector<std::string>>& paths);

  // Only the metadata, as in everything(): without apiVersion and kind.
  [[nodiscard]] static Projection metadata();

  // Only the annotations, without the one that everything() drops.
  [[nodiscard]] static Projection annotations();

  // True if the path may be read: a projected object retains everything at this path, except what everything() drops.
  [[nodiscard]] bool covers(std::initializer_list<std::string_view> path) const;
  [[nodiscard]] bool covers(const std::vector<std::string_view>& path) const;

  // The projection that retains what either of the two retains.
  [[nodiscard]] Projection merged(const Projection& other) const;

  // Appends the projected object to `out` by copying byte ranges, in their order and with duplicates. The appended text
  // is well-formed JSON within limits::kJsonDepth; otherwise this returns kMalformed with the byte offset and leaves
  // `out` unchanged. Dropped parts are checked only for balanced brackets and closed strings. A scalar in place of an
  // object on the way to a path is retained.
  [[nodiscard]] Result<void> apply(std::string_view object, std::string& out) const;
  [[nodiscard]] Result<void> apply(std::string_view object, std::string& out, ScanCode code) const;

  // A node of the tree of paths. `keeps`: members that are not in `children` are retained.
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
