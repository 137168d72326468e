// The kinds Hikawa (a song), Zundoko (a word of the song) and Kiyoshi (its end).
//
// Decision: docs/decisions/0006-zundoko-and-kiyoshi-have-no-status.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::limits {

// Zundokos of a Hikawa. Each ends the sequence with a probability of 1/64, so only a bug reaches 10,000.
inline constexpr std::int64_t kZundokos = 10'000;

}  // namespace keelson::limits

namespace keelson::kinds {

struct HikawaSpec {
  std::int64_t interval_millis = 0;
  std::optional<std::int64_t> num_zundokos;
  std::optional<bool> say_kiyoshi;
  bool operator==(const HikawaSpec&) const = default;
};

// A word needs three writes, so a shorter interval is not achievable.
inline constexpr std::int64_t kShortestIntervalMillis = 10;
// A day. A longer interval is probably in the wrong unit, and 2^63 nanoseconds are far away.
inline constexpr std::int64_t kLongestIntervalMillis = 86'400'000;

struct HikawaStatus {
  std::int64_t num_zundokos_said = 0;
  bool kiyoshied = false;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // Ready; Reconciling and Stalled while they hold
  bool operator==(const HikawaStatus&) const = default;
};

// No controller observes a word after its creation, so its status is empty.
struct ZundokoSpec {
  std::string say;
};
struct ZundokoStatus {};
struct KiyoshiSpec {
  std::string say;
};
struct KiyoshiStatus {};

void describe(kube::Description& d, HikawaSpec& spec);
void describe(kube::Description& d, HikawaStatus& status);
void describe(kube::Description& d, ZundokoSpec& spec);
void describe(kube::Description& d, ZundokoStatus& status);
void describe(kube::Description& d, KiyoshiSpec& spec);
void describe(kube::Description& d, KiyoshiStatus& status);

struct Hikawa : CustomResource<HikawaSpec, HikawaStatus> {
  static constexpr kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Hikawa"};
  static void describe_kind(kube::Kind& kind);
};
struct Zundoko : CustomResource<ZundokoSpec, ZundokoStatus> {
  static constexpr kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Zundoko"};
  static void describe_kind(kube::Kind& kind);
};
struct Kiyoshi : CustomResource<KiyoshiSpec, KiyoshiStatus> {
  static constexpr kube::Identity kIdentity{"zundokokiyoshi.kaitoy.github.com", "v1beta1", "Kiyoshi"};
  static void describe_kind(kube::Kind& kind);
};

// The Hikawa controller: a paced sequence of Zundokos that ends with Zun, Zun, Zun, Zun, Doko, and then a Kiyoshi.
[[nodiscard]] controller::Definition hikawa();

}  // namespace keelson::kinds
