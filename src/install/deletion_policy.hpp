// Decisions about the objects that are deleted before their CRD: what an object waits for, and whether there is
// progress.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::install {

// What uninstall needs to know about one object.
struct ObjectState {
  bool is_deleting = false;
  std::vector<std::string> own;     // finalizers of the program that the object has
  std::vector<std::string> others;  // the other ones
  bool is_paused = false;
};

// `object` is a whole object or its metadata. `finalizers` are those that the program adds to this kind.
[[nodiscard]] ObjectState state_of(const kube::Object& object, const std::vector<std::string>& finalizers,
                                   const kube::OperatorName& name, async::WallTime now);

// Why the object is still there: "has the finalizer example.com/hold of another controller".
[[nodiscard]] std::string reason_of(const ObjectState& state);

// Counts of the objects of a kind.
struct Tally {
  std::size_t objects = 0;
  std::size_t namespaces = 0;
  std::size_t with_own_finalizer = 0;

  void add(const kube::Object& object, const ObjectState& state);

 private:
  std::string last_ns_;  // lists are sorted by namespace
};

// "3 objects in 2 namespaces", "1 object", "no objects".
[[nodiscard]] std::string describe(const Tally& tally);
[[nodiscard]] std::string count_of_objects(std::size_t count);

// The pauses between rounds over the objects: the first one, doubled up to the longest.
inline constexpr std::chrono::milliseconds kShortestPause{250};
inline constexpr std::chrono::seconds kLongestPause{2};

// Measures the time without progress: since the number of objects was last lower than ever before.
class Progress {
 public:
  Progress(async::TimePoint now, async::Duration timeout) : since_(now), timeout_(timeout) {}

  // Returns true if the number of objects is new, so that it is printed.
  [[nodiscard]] bool update(std::size_t remaining, async::TimePoint now);
  [[nodiscard]] bool has_ended(async::TimePoint now) const { return now - since_ >= timeout_; }

 private:
  async::TimePoint since_;
  async::Duration timeout_;
  std::size_t lowest_ = static_cast<std::size_t>(-1);
  std::size_t last_ = static_cast<std::size_t>(-1);
};

}  // namespace keelson::install
