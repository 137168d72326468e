// The song as a table: its end, the names of its words, its next step.
#include "src/kinds/hikawa/hikawa_song.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

namespace keelson::kinds {
namespace {

using namespace std::chrono_literals;

kube::Object zundoko(const std::string& name, std::string_view say) {
  auto object = kube::Object::from_json(R"({"apiVersion":"v1","kind":"Zundoko","metadata":{"name":")" + name +
                                        R"(","namespace":"default"},"spec":{"say":")" + std::string(say) + "\"}}");
  REQUIRE(object.has_value());
  return *object;
}

// "ZZD": Zun, Zun, Doko, the last word first.
Song song_of(std::string_view letters) {
  std::vector<kube::Object> words;
  for (auto place = letters.size(); place-- > 0;) {
    words.push_back(
        zundoko(zundoko_name("h", static_cast<std::int64_t>(place) + 1), letters[place] == 'Z' ? kZun : kDoko));
  }
  auto song = hear("h", words);
  REQUIRE(song.has_value());
  return *song;
}

HikawaSpec wants(std::optional<std::int64_t> zundokos, std::optional<bool> kiyoshi = std::nullopt) {
  HikawaSpec spec;
  spec.num_zundokos = zundokos;
  spec.say_kiyoshi = kiyoshi;
  return spec;
}

HikawaStatus has_said(std::int64_t count) {
  HikawaStatus status;
  status.num_zundokos_said = count;
  return status;
}

TEST_CASE("H6: the song ends after exactly four Zun and a Doko") {
  struct Row {
    const char* letters;
    bool is_over;
  };
  for (const auto& row : {Row{"", false}, Row{"ZZZD", false}, Row{"ZZZZD", true}, Row{"DZZZZD", true},
                          Row{"ZZZZZD", false}, Row{"ZDZZZZD", true}, Row{"ZZZZDZ", false}, Row{"DDDDD", false},
                          Row{"ZZZZDD", false}, Row{"ZZZZZ", false}, Row{"DZZZD", false}}) {
    INFO(row.letters);
    CHECK(is_ready_to_kiyoshi(song_of(row.letters)) == row.is_over);
  }
}

TEST_CASE("H6: a word other than Zun and Doko does not end the song and does not count as a fifth Zun") {
  auto song = song_of("DZZZZD");
  song.ending.front() = "zun";
  CHECK(is_ready_to_kiyoshi(song));
  song.ending.back() = "doko";
  CHECK_FALSE(is_ready_to_kiyoshi(song));
}

TEST_CASE("H12: words are sorted by their ordinals, the thousandth after the 999th") {
  auto song = hear("h", {zundoko("h-zundoko-999", "b"), zundoko("h-zundoko-1000", "c"), zundoko("of-a-user", "x"),
                         zundoko("h-zundoko-998", "a")});

  REQUIRE(song.has_value());
  CHECK(song->ending == std::vector<std::string>{"x", "a", "b", "c"});
}

TEST_CASE("H13: the next ordinal follows the last one, even if words in between are deleted") {
  auto song = hear("h", {zundoko("h-zundoko-007", "Doko"), zundoko("h-zundoko-001", "Zun")});

  REQUIRE(song.has_value());
  CHECK(song->count == 2);
  CHECK(song->last_ordinal == 7);
  CHECK(hear("h", {})->last_ordinal == 0);
}

TEST_CASE("the name of a word has the name of its Hikawa and at least three digits") {
  CHECK(zundoko_name("h", 1) == "h-zundoko-001");
  CHECK(zundoko_name("h", 999) == "h-zundoko-999");
  CHECK(zundoko_name("h", 1000) == "h-zundoko-1000");
  CHECK(kiyoshi_name("h") == "h-kiyoshi");
}

TEST_CASE("the ordinal is parsed from the name of a word, and other names have none") {
  CHECK(ordinal_of("h", "h-zundoko-007") == 7);
  CHECK(ordinal_of("a-zundoko-1", "a-zundoko-1-zundoko-1000") == 1000);
  for (const char* name : {"h", "h-zundoko-", "h-zundoko-x", "h-zundoko-1x", "h-zundoko--1", "x-zundoko-001",
                           "h-zundoko-9223372036854775807", "h-zundoko-99999999999999999999", "h-zundoko- 1"}) {
    INFO(name);
    CHECK(ordinal_of("h", name) == 0);
  }
}

TEST_CASE("H18: an interval never causes a busy loop and never overflows") {
  auto interval = [](std::int64_t millis) {
    HikawaSpec spec;
    spec.interval_millis = millis;
    return interval_of(spec);
  };
  CHECK(interval(500) == 500ms);
  CHECK(interval(0) == 10ms);
  CHECK(interval(-1) == 10ms);
  CHECK(interval(std::numeric_limits<std::int64_t>::min()) == 10ms);
  CHECK(interval(std::numeric_limits<std::int64_t>::max()) == 24h);
}

TEST_CASE("H5: the song takes its steps in order") {
  struct Row {
    const char* what;
    HikawaSpec spec;
    std::int64_t told;
    const char* letters;
    HikawaStep step;
  };
  for (const auto& row : {
           Row{"a: more are wanted", wants(2), 1, "Z", HikawaStep::kSing},
           Row{"a comes before b", wants(3), 0, "ZZ", HikawaStep::kSing},
           Row{"a comes before c", wants(3, true), 1, "Z", HikawaStep::kSing},
           Row{"b: the status is behind", wants(2), 1, "ZZ", HikawaStep::kWait},
           Row{"b comes before c", wants(1, true), 0, "Z", HikawaStep::kWait},
           Row{"b: fewer than were said", wants(1), 2, "Z", HikawaStep::kWait},
           Row{"c: Kiyoshi without a word", wants({}, true), 0, "", HikawaStep::kSayKiyoshi},
           Row{"c: Kiyoshi in the middle", wants(1, true), 2, "ZD", HikawaStep::kSayKiyoshi},
           Row{"d: the end of the song", wants(5), 5, "ZZZZD", HikawaStep::kGetReady},
           Row{"d comes before e", wants({}, false), 5, "ZZZZD", HikawaStep::kGetReady},
           Row{"e: the first word", wants({}), 0, "", HikawaStep::kGoOn},
           Row{"e: the next word", wants(2), 2, "ZD", HikawaStep::kGoOn},
       }) {
    INFO(row.what);
    CHECK(next_step(row.spec, has_said(row.told), song_of(row.letters), true) == row.step);
  }
}

TEST_CASE("H19: a song of the maximum length ends, whatever its last words are") {
  auto song = song_of("ZD");
  auto step = [&](std::int64_t count) {
    song.count = count;
    return next_step(wants(count), has_said(count), song, true);
  };
  CHECK(step(limits::kZundokos - 1) == HikawaStep::kGoOn);
  CHECK(step(limits::kZundokos) == HikawaStep::kSayKiyoshi);
  CHECK(step(limits::kZundokos + 1) == HikawaStep::kSayKiyoshi);
}

TEST_CASE("a word is created and a field is changed only after the interval has passed") {
  for (const auto& spec : {wants({}), wants(9), wants(1, true)}) {
    CHECK(next_step(spec, has_said(0), song_of("Z"), false) == HikawaStep::kWait);
    CHECK(next_step(spec, has_said(1), song_of("Z"), false) == HikawaStep::kWait);
  }
}

TEST_CASE("H3: Zun and Doko are equally likely") {
  base::Random random(1);
  int dokos = 0;
  for (int toss = 0; toss < 10'000; ++toss) dokos += choose_word(random) == kDoko ? 1 : 0;

  CHECK(dokos > 4'800);
  CHECK(dokos < 5'200);
}

TEST_CASE("a seed gives each Hikawa its own song, and half of the words are Doko") {
  auto song = [](std::int64_t seed, const char* name) {
    std::string letters;
    for (int ordinal = 1; ordinal <= 2'000; ++ordinal) {
      letters += choose_word(seed, kube::Key("default", name), ordinal) == kZun ? 'Z' : 'D';
    }
    return letters;
  };
  const auto first = song(1, "a");
  const auto dokos = std::ranges::count(first, 'D');

  CHECK(song(1, "a") == first);
  CHECK(song(1, "b") != first);
  CHECK(song(2, "a") != first);
  CHECK(dokos > 900);
  CHECK(dokos < 1'100);
}

}  // namespace
}  // namespace keelson::kinds
