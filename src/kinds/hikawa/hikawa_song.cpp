#include "src/kinds/hikawa/hikawa_song.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/fnv.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/kube/fields.hpp"

namespace keelson::kinds {

namespace {

// Zun, Zun, Zun, Zun, Doko, and the word before, which must not be another Zun.
constexpr std::size_t kEndingWords = 6;
constexpr std::string_view kInfix = "-zundoko-";
// A limit far beyond any song and far below that of the type, because a name can contain any number.
constexpr std::int64_t kLastOrdinal = 1'000'000'000;

}  // namespace

HikawaStep next_step(const HikawaSpec& spec, const HikawaStatus& stored, const Song& song, bool is_due) {
  if (!is_due) return HikawaStep::kWait;
  if (spec.num_zundokos.value_or(0) > song.count) return HikawaStep::kSing;
  if (stored.num_zundokos_said != song.count) return HikawaStep::kWait;
  if (spec.say_kiyoshi.value_or(false) || song.count >= limits::kZundokos) return HikawaStep::kSayKiyoshi;
  return is_ready_to_kiyoshi(song) ? HikawaStep::kGetReady : HikawaStep::kGoOn;
}

bool is_ready_to_kiyoshi(const Song& song) {
  constexpr std::array kEnd{kZun, kZun, kZun, kZun, kDoko};
  const auto& words = song.ending;
  if (words.size() < kEnd.size() || !std::equal(kEnd.rbegin(), kEnd.rend(), words.rbegin())) return false;
  return words.size() == kEnd.size() || *(words.rbegin() + kEnd.size()) != kZun;
}

// Decodes only the last words: a song may be long, and this function runs for each of its words.
Result<Song> hear(std::string_view hikawa, const std::vector<kube::Object>& zundokos) {
  std::vector<std::pair<std::int64_t, const kube::Object*>> words;
  words.reserve(zundokos.size());
  for (const auto& zundoko : zundokos) words.emplace_back(ordinal_of(hikawa, zundoko.name()), &zundoko);
  auto last = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kEndingWords));
  std::partial_sort(words.begin(), last, words.end(), std::greater<>());
  Song song;
  song.count = std::ssize(words);
  if (!words.empty()) song.last_ordinal = words.front().first;
  for (auto word = std::make_reverse_iterator(last); word != words.rend(); ++word) {
    KEELSON_LET(auto fields, kube::Fields::of(*word->second));
    KEELSON_LET(auto say, fields.at({"spec", "say"}));
    song.ending.emplace_back(say.string().value_or(""));
  }
  return song;
}

std::string zundoko_name(std::string_view hikawa, std::int64_t ordinal) {
  auto digits = std::to_string(ordinal);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return std::string(hikawa) + std::string(kInfix) + digits;
}

std::int64_t ordinal_of(std::string_view hikawa, std::string_view zundoko) {
  if (!zundoko.starts_with(hikawa) || !zundoko.substr(hikawa.size()).starts_with(kInfix)) return 0;
  const auto ordinal = base::parse_number<std::int64_t>(zundoko.substr(hikawa.size() + kInfix.size()));
  return ordinal && *ordinal >= 0 && *ordinal <= kLastOrdinal ? *ordinal : 0;
}

std::string kiyoshi_name(std::string_view hikawa) { return std::string(hikawa) + "-kiyoshi"; }

async::Duration interval_of(const HikawaSpec& spec) {
  return std::chrono::milliseconds(std::clamp(spec.interval_millis, kShortestIntervalMillis, kLongestIntervalMillis));
}

std::string_view choose_word(base::Random& random) { return random.between(0, 9) > 4 ? kDoko : kZun; }

// The hash covers all that the word depends on.
std::string_view choose_word(std::int64_t seed, const kube::Key& hikawa, std::int64_t ordinal) {
  base::Random random(base::fnv1a_64(std::to_string(seed) + "/" + hikawa.text() + "/" + std::to_string(ordinal)));
  return choose_word(random);
}

}  // namespace keelson::kinds
