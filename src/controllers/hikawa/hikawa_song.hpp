// The song of a Hikawa: what was said, what comes next, and when it is over; plain decisions, no I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/random.hpp"
#include "keelson/base/result.hpp"
#include "keelson/kube/key.hpp"
#include "keelson/kube/object.hpp"
#include "src/controllers/hikawa/hikawa_types.hpp"

namespace keelson::controllers {

inline constexpr std::string_view kZun = "Zun";
inline constexpr std::string_view kDoko = "Doko";
inline constexpr std::string_view kKiyoshi = "Kiyoshi!";

// What counts of the words that were said. Their order is that of the ordinals in their names: times of creation have a
// second's resolution, and words are said each half second.
struct Song {
  std::int64_t count = 0;
  std::int64_t last_ordinal = 0;    // what was deleted in the middle is not said again: the next is one more
  std::vector<std::string> ending;  // the last six words, or all
};
// `zundokos`: all words of this Hikawa, in any order.
[[nodiscard]] Result<Song> hear(std::string_view hikawa, const std::vector<kube::Object>& zundokos);

// "<hikawa>-zundoko-007"
[[nodiscard]] std::string zundoko_name(std::string_view hikawa, std::int64_t ordinal);
// The Hikawa whose word has this name; empty for a name of another form.
[[nodiscard]] std::string hikawa_of(std::string_view zundoko);
// 0 for a name of another form: such a word counts as the oldest.
[[nodiscard]] std::int64_t ordinal_of(std::string_view hikawa, std::string_view zundoko);
[[nodiscard]] std::string kiyoshi_name(std::string_view hikawa);

// It ends with exactly four Zun and a Doko.
[[nodiscard]] bool is_ready_to_kiyoshi(const Song& song);

// Within the schema's bounds, which an object that is older than they are may exceed.
[[nodiscard]] async::Duration interval_of(const HikawaSpec& spec);

enum class HikawaStep {
  kWait,        // for the next word's time, or until the status has the count
  kSing,        // another Zundoko is desired
  kSayKiyoshi,  // the end, that of a song with limits::kZundokos words too
  kGetReady,    // set sayKiyoshi
  kGoOn,        // raise numZundokos
};
// `is_due`: the interval since the last word is over.
[[nodiscard]] HikawaStep next_step(const HikawaSpec& spec, const HikawaStatus& stored, const Song& song, bool is_due);

// Zun or Doko, as likely.
[[nodiscard]] std::string_view choose_word(base::Random& random);
// What --hikawa-seed makes of a word: always the same for the same seed, Hikawa and place in the song.
[[nodiscard]] std::string_view choose_word(std::int64_t seed, const kube::Key& hikawa, std::int64_t ordinal);

}  // namespace keelson::controllers
