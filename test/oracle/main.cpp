// test_oracle ask SEED COUNT: prints random questions. test_oracle check QUESTIONS ANSWERS: compares our schedules with
// the answers of robfig/cron v3, and prints each difference (C42).
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "keelson/cron/schedule.hpp"
#include "test/oracle/questions.hpp"

namespace keelson::testing {

namespace {

std::string to_hex(const std::string& text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex.empty() ? "-" : hex;
}

std::string from_hex(const std::string& hex) {
  std::string text;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    text += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return text;
}

int ask(std::uint64_t seed, std::uint64_t count) {
  base::Random random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto question = random_question(random);
    std::cout << to_hex(question.expression) << " " << question.instant << " " << question.count << "\n";
  }
  return 0;
}

// Our answer, in the oracle's form (main.go).
std::string our_answer(const Question& question) {
  const auto schedule = cron::Schedule::parse(question.expression);
  if (!schedule) return "error " + to_hex(schedule.error().text);
  std::string first = "-";
  std::string rest;
  std::chrono::sys_seconds last{std::chrono::seconds(question.instant)};
  for (int i = 0; i < question.count; ++i) {
    const auto next = schedule->next(last);
    if (!next) break;
    // v3 stores no zone for @every.
    if (i == 0) first = format_rfc3339(*next, schedule->is_every() ? cron::Zone::utc() : schedule->zone());
    rest += " " + std::to_string(next->time_since_epoch().count());
    last = *next;
  }
  return "times " + first + rest;
}

// Zones whose clocks were once set forward by half a day or more: v3 may loop forever there.
bool leaps_ahead(const std::string& expression) {
  const auto schedule = cron::Schedule::parse(expression);
  if (!schedule) return false;
  std::chrono::sys_seconds time{std::chrono::seconds(-5'000'000'000)};
  while (time < std::chrono::sys_days(std::chrono::year(2038) / 1 / 1)) {
    const auto period = schedule->zone().period_at(time);
    if (schedule->zone().offset_at(period.end) - period.offset >= std::chrono::hours(12)) return true;
    time = period.end;
  }
  return false;
}

bool agrees(const Question& question, const std::string& ours, const std::string& theirs) {
  if (theirs == "panic") return ours.starts_with("error " + to_hex("invalid schedule format: "));
  if (theirs == "hang") return leaps_ahead(question.expression);
  return ours == theirs;
}

std::string readable(const std::string& answer) {
  return answer.starts_with("error ") ? "error " + from_hex(answer.substr(6)) : answer;
}

int check(const std::string& questions_path, const std::string& answers_path) {
  std::ifstream questions(questions_path);
  std::ifstream answers(answers_path);
  std::map<std::string, std::size_t> kinds;
  std::size_t differences = 0;
  std::string line;
  std::string theirs;
  while (std::getline(questions, line)) {
    Question question;
    std::string hex;
    std::istringstream(line) >> hex >> question.instant >> question.count;
    question.expression = from_hex(hex == "-" ? "" : hex);
    if (!std::getline(answers, theirs)) theirs = "nothing";
    const auto ours = our_answer(question);
    ++kinds[theirs.starts_with("times - ") || theirs == "times -" ? "never" : theirs.substr(0, theirs.find(' '))];
    if (agrees(question, ours, theirs)) continue;
    ++differences;
    std::cout << "'" << question.expression << "' from " << question.instant << ":\n  v3:   " << readable(theirs)
              << "\n  ours: " << readable(ours) << "\n";
  }
  for (const auto& [kind, count] : kinds) std::cout << kind << ": " << count << "\n";
  std::cout << differences << " differences\n";
  // If all questions or no questions were rejected, the test would prove nothing.
  const bool worth_it = kinds["times"] > 10 * kinds["hang"] && kinds["times"] > kinds["error"] && kinds["error"] > 0;
  return differences == 0 && worth_it ? 0 : 1;
}

}  // namespace

}  // namespace keelson::testing

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "ask") {
    return keelson::testing::ask(std::stoull(words[1]), std::stoull(words[2]));
  }
  if (words.size() == 3 && words[0] == "check") return keelson::testing::check(words[1], words[2]);
  std::cerr << "usage: test_oracle ask SEED COUNT | check QUESTIONS ANSWERS\n";
  return 2;
}
