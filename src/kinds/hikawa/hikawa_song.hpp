// The song of a Hikawa: its words, its next step and its end. Decisions without I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/kube/object.hpp"
#include "src/kinds/hikawa/hikawa.hpp"

namespace keelson::kinds {

inline constexpr std::string_view kZun = "Zun";
inline constexpr std::string_view kDoko = "Doko";
inline constexpr std::string_view kKiyoshi = "Kiyoshi!";

// A summary of the words so far. They are ordered by the ordinals in their names, because creation timestamps have a
// resolution of a second, and words may be half a second apart.
struct Song {
  std::int64_t count = 0;
  std::int64_t last_ordinal = 0;    // the next word has the ordinal after it; deleted words are not replaced
  std::vector<std::string> ending;  // the last six words, or all
};
// Summarizes `zundokos`, all words of this Hikawa in any order.
[[nodiscard]] Result<Song> hear(std::string_view hikawa, const std::vector<kube::Object>& zundokos);

// "<hikawa>-zundoko-007"
[[nodiscard]] std::string zundoko_name(std::string_view hikawa, std::int64_t ordinal);
// 0 for a name of another form: such a word counts as the oldest.
[[nodiscard]] std::int64_t ordinal_of(std::string_view hikawa, std::string_view zundoko);
[[nodiscard]] std::string kiyoshi_name(std::string_view hikawa);

// True if the song ends with exactly four Zun and a Doko.
[[nodiscard]] bool is_ready_to_kiyoshi(const Song& song);

// The interval within the schema's bounds, which an object older than them may exceed.
[[nodiscard]] async::Duration interval_of(const HikawaSpec& spec);

enum class HikawaStep {
  kWait,        // wait until the next word is due, or until the status has the count
  kSing,        // create a Zundoko
  kSayKiyoshi,  // create the Kiyoshi: the end, also of a song with limits::kZundokos words
  kGetReady,    // set sayKiyoshi in the spec
  kGoOn,        // increase numZundokos in the spec
};
// `is_due`: the interval since the last word has passed.
[[nodiscard]] HikawaStep next_step(const HikawaSpec& spec, const HikawaStatus& stored, const Song& song, bool is_due);

// Zun or Doko with equal probability.
[[nodiscard]] std::string_view choose_word(base::Random& random);
// The word with --hikawa-seed: always the same for the same seed, Hikawa and ordinal.
[[nodiscard]] std::string_view choose_word(std::int64_t seed, const kube::Key& hikawa, std::int64_t ordinal);

}  // namespace keelson::kinds
