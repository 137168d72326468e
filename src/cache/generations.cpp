#include "src/cache/generations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "keelson/json/metadata.hpp"

namespace keelson::cache {

namespace {

enum Number : std::size_t { kVersion, kGeneration, kObserved, kNumbers };

// What precedes each number in the JSON of the API server.
constexpr std::array<std::string_view, kNumbers> kNames{R"("resourceVersion":")", R"("generation":)",
                                                        R"("observedGeneration":)"};

// The numbers of which one occurrence each differs.
using Differing = std::array<bool, kNumbers>;

bool is_digit(char c) { return '0' <= c && c <= '9'; }

std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// nullopt if another byte differs, or the same number a second time.
std::optional<Differing> differing_numbers(std::string_view a, std::string_view b) {
  Differing found{};
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  for (;;) {
    const auto same = static_cast<std::size_t>(std::ranges::mismatch(a.substr(in_a), b.substr(in_b)).in1 - a.begin());
    in_b += same - in_a;
    in_a = same;
    if (in_a == a.size() && in_b == b.size()) return found;
    auto begin = in_a;
    while (begin > 0 && is_digit(a[begin - 1])) --begin;
    const auto before = a.substr(0, begin);
    const auto number =
        std::ranges::find_if(kNames, [before](std::string_view name) { return before.ends_with(name); }) -
        kNames.begin();
    if (number == kNumbers || std::exchange(found.at(static_cast<std::size_t>(number)), true)) return std::nullopt;
    in_a = end_of_number(a, in_a);
    in_b = end_of_number(b, in_b);
  }
}

std::optional<std::int64_t> observed_generation(const kube::Object& object) {
  std::string_view status;
  std::string_view text;
  static_cast<void>(json::for_each_member(object.json(), [&status](std::string_view name, std::string_view value) {
    if (name == "status") status = value;
  }));
  static_cast<void>(json::for_each_member(status, [&text](std::string_view name, std::string_view value) {
    if (name == "observedGeneration") text = value;
  }));
  std::int64_t observed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), observed);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return observed;
}

}  // namespace

std::optional<kube::Object> quiet_update(const kube::Object& before, const kube::Object& after) {
  if (!is_settled(before) || !differ_only_in_generations(before, after)) return std::nullopt;
  return is_settled(after) ? after : before.with_resource_version(after.resource_version());
}

bool is_settled(const kube::Object& object) { return observed_generation(object) == object.generation(); }

// Another member may have the name of one of the numbers, for example spec.generation. If the number itself differs,
// it is the one occurrence that was found.
bool differ_only_in_generations(const kube::Object& before, const kube::Object& after) {
  const auto differing = differing_numbers(before.json(), after.json());
  return differing && (*differing)[kVersion] == (before.resource_version() != after.resource_version()) &&
         (*differing)[kGeneration] == (before.generation() != after.generation()) &&
         (*differing)[kObserved] == (observed_generation(before) != observed_generation(after));
}

}  // namespace keelson::cache
