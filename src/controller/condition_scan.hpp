// ConditionScan: the status of each declared condition in the JSON of an object. Without I/O.
//
// The cache calls it for every event of a kind, so it reads the stored bytes without a tree and without an allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/json/projection.hpp"

namespace keelson::controller {

// kMissing: the object does not have the condition. A status that is neither True nor False is kUnknown.
enum class ConditionStatus : std::uint8_t { kTrue, kFalse, kUnknown, kMissing };
inline constexpr std::array<std::string_view, 4> kConditionStatuses{"True", "False", "Unknown", "Missing"};

class ConditionScan {
 public:
  explicit ConditionScan(std::vector<std::string> types);

  // Sets `out` to the statuses in the order of `types`. All are kMissing if the object has no readable conditions.
  // Equal bytes have equal statuses.
  void read(std::string_view object, std::vector<ConditionStatus>& out);

  [[nodiscard]] const std::vector<std::string>& types() const { return types_; }

 private:
  // The condition whose members are being read.
  struct Current {
    std::size_t type = kOther;
    ConditionStatus status = ConditionStatus::kUnknown;
  };
  static constexpr std::size_t kOther = static_cast<std::size_t>(-1);

  void set(Current& current, std::string_view member, std::string_view value) const;

  std::vector<std::string> types_;
  json::Projection projection_;  // skips the spec and the messages faster than a reader
  std::string projected_;
};

}  // namespace keelson::controller
