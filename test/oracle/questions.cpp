#include "test/oracle/questions.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "keelson/detail/cron/zone.hpp"

namespace keelson::testing {

namespace {

constexpr std::int64_t kDay = 86400;

struct FieldKind {
  int min;
  int max;
  std::vector<std::string> names;
};
const std::array kFields = {
    FieldKind{0, 59, {}},
    FieldKind{0, 23, {}},
    FieldKind{1, 31, {}},
    FieldKind{1, 12, {"jan", "FEB", "Mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
    FieldKind{0, 6, {"sun", "MON", "Tue", "wed", "thu", "fri", "FR\u0130", "sat"}},
};

template <class Choices>
auto pick(base::Random& random, const Choices& choices) {
  const auto last = static_cast<std::int64_t>(choices.size()) - 1;
  return *(choices.begin() + random.between(0, last));
}

bool chance(base::Random& random, double probability) { return random.unit() < probability; }

std::string value(base::Random& random, const FieldKind& kind) {
  if (!kind.names.empty() && chance(random, 0.3)) return pick(random, kind.names);
  // Sometimes a step beyond the bounds.
  const int slack = chance(random, 0.01) ? 1 : 0;
  auto text = std::to_string(random.between(kind.min - slack, kind.max + slack));
  if (chance(random, 0.02)) text.insert(0, pick(random, std::array{"0", "+", "00"}));
  return text;
}

std::string item(base::Random& random, const FieldKind& kind) {
  std::string text = value(random, kind);
  if (chance(random, 0.25)) {
    text = chance(random, 0.8) ? "*" : "?";
  } else if (chance(random, 0.3)) {
    const auto low = random.between(kind.min, kind.max);
    text = std::to_string(low) + "-" + std::to_string(random.between(low, kind.max));
  } else if (!kind.names.empty() && chance(random, 0.1)) {
    text += "-" + value(random, kind);
  }
  if (chance(random, 0.25)) text += "/" + std::to_string(random.between(chance(random, 0.02) ? 0 : 1, kind.max + 1));
  return text;
}

std::string field(base::Random& random, const FieldKind& kind, double stars) {
  if (chance(random, stars)) return "*";
  auto text = item(random, kind);
  while (chance(random, 0.2)) text += "," + item(random, kind);
  if (chance(random, 0.01)) text += ",";
  return text;
}

std::string fields(base::Random& random) {
  const double stars = random.unit();
  std::string text;
  for (const auto& kind : kFields) {
    if (!text.empty()) text += chance(random, 0.01) ? pick(random, std::array{"  ", "\t", "\u00a0", "\u3000"}) : " ";
    text += field(random, kind, stars);
  }
  return text;
}

std::string descriptor(base::Random& random) {
  constexpr std::array kNames = {"@yearly",   "@annually", "@monthly", "@weekly", "@daily",
                                 "@midnight", "@hourly",   "@reboot",  "@Daily",  "@daily "};
  if (chance(random, 0.5)) return pick(random, kNames);
  constexpr std::array kUnits = {"ns", "us", "ms", "s", "m", "h", "d", "", "\u00b5s"};
  std::string text = chance(random, 0.95) ? "@every " : "@every";
  if (chance(random, 0.05)) text += "-";
  do {
    text += std::to_string(random.between(0, 5000));
    if (chance(random, 0.2)) text += "." + std::to_string(random.between(0, 999));
    text += chance(random, 0.9) ? pick(random, std::array{"s", "m", "h"}) : pick(random, kUnits);
  } while (chance(random, 0.3));
  return text;
}

// A character more, less, or another.
void damage(base::Random& random, std::string& text) {
  constexpr std::string_view kLetters = "0123456789*?,-/ @jJmMonTZ=#LW.\t\x80\xff";
  do {
    const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size())));
    const char letter = pick(random, kLetters);
    switch (random.between(0, 2)) {
      case 0:
        text.insert(at, 1, letter);
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.replace(at, 1, 1, letter);
    }
  } while (chance(random, 0.3));
}

std::string random_zone(base::Random& random) {
  // Midnights that do not exist, half hours, odd seconds, and daylight saving in winter.
  constexpr std::array kOdd = {"America/Sao_Paulo", "America/Asuncion",  "America/Santiago", "America/Havana",
                               "Asia/Beirut",       "Asia/Amman",        "Africa/Cairo",     "Australia/Lord_Howe",
                               "Africa/Monrovia",   "Africa/Casablanca", "Asia/Gaza",        "America/Scoresbysund",
                               "Antarctica/Troll",  "Europe/Dublin",     "Asia/Tehran",      "Pacific/Chatham",
                               "America/Vancouver", "America/New_York",  "Europe/London",    "Europe/Amsterdam",
                               "Asia/Kathmandu",    "America/Nuuk",      "Pacific/Apia",     "Etc/GMT+12"};
  if (chance(random, 0.5)) return pick(random, kOdd);
  return std::string(pick(random, cron::zone_names()));
}

std::string zone_prefix(base::Random& random, const std::string& zone) {
  if (chance(random, 0.03)) {
    return pick(random, std::array{"TZ=Mars/Base ", "TZ= ", "TZ=europe/berlin ", "CRON_TZ=/UTC ", "TZ=../UTC ",
                                   "TZ=UTC", "tz=UTC ", "TZ=\\UTC ", "TZ=Local ", " TZ=UTC ", "TZ=UTC\t",
                                   "TZ=UTC \u2003", "TZ=UTC/ ", "TZ=Europe ", "TZ=Europe//Berlin ", "TZ=./UTC "});
  }
  return (chance(random, 0.9) ? "TZ=" : "CRON_TZ=") + zone + " ";
}

// Near a change of the clocks of `zone`, or anywhere in two centuries.
std::int64_t random_instant(base::Random& random, const std::string& zone) {
  const std::chrono::sys_seconds anywhere{std::chrono::seconds(random.between(-25'000 * kDay, 48'000 * kDay))};
  const auto seconds = anywhere.time_since_epoch().count();
  const auto known = cron::Zone::find(zone);
  if (!known || chance(random, 0.3)) return seconds;
  const auto change = known->period_at(anywhere).end.time_since_epoch().count();
  if (std::abs(change) > 60'000 * kDay) return seconds;
  const auto near = random.between(-2 * kDay, 2 * kDay);
  return change + (chance(random, 0.5) ? near : near / 900 * 900);
}

}  // namespace

Question random_question(base::Random& random) {
  Question question;
  const auto zone = chance(random, 0.1) ? std::string("UTC") : random_zone(random);
  question.expression = chance(random, 0.07) ? descriptor(random) : fields(random);
  if (chance(random, 0.08)) damage(random, question.expression);
  if (chance(random, 0.9)) question.expression.insert(0, zone_prefix(random, zone));
  question.instant = random_instant(random, zone);
  question.count = static_cast<int>(random.between(1, 4));
  return question;
}

}  // namespace keelson::testing
