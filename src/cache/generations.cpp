#include "src/cache/generations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string_view>

#include "keelson/detail/json/metadata.hpp"

namespace keelson::cache {

namespace {

// Parts of an object's JSON; an empty view for a value that the object lacks.
struct Numbers {
  std::string_view version;
  std::string_view generation;
  std::string_view observed_generation;

  [[nodiscard]] std::array<std::string_view, 3> in_order() const {
    std::array<std::string_view, 3> all{version, generation, observed_generation};
    std::ranges::sort(all, std::less<>(), [](std::string_view part) { return part.data(); });
    return all;
  }
};

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// An object that is not well-formed has the numbers before the error.
Numbers numbers_of(const kube::Object& object) {
  Numbers numbers;
  const auto in_metadata = [&numbers](std::string_view name, std::string_view value) {
    if (name == "resourceVersion") numbers.version = value;
    if (name == "generation") numbers.generation = value;
  };
  const auto in_status = [&numbers](std::string_view name, std::string_view value) {
    if (name == "observedGeneration") numbers.observed_generation = integer(value) ? value : std::string_view();
  };
  static_cast<void>(json::for_each_member(object.json(), [&](std::string_view name, std::string_view value) {
    if (name == "metadata") static_cast<void>(json::for_each_member(value, in_metadata));
    if (name == "status") static_cast<void>(json::for_each_member(value, in_status));
  }));
  return numbers;
}

// Removes the text up to the end of `part`, and returns what was before it.
std::string_view cut_before(std::string_view& text, std::string_view part) {
  if (part.empty()) return {};
  const auto before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  text.remove_prefix(before.size() + part.size());
  return before;
}

bool is_same_otherwise(std::string_view a, const Numbers& in_a, std::string_view b, const Numbers& in_b) {
  const auto parts_a = in_a.in_order();
  const auto parts_b = in_b.in_order();
  for (std::size_t i = 0; i < parts_a.size(); ++i) {
    if (cut_before(a, parts_a[i]) != cut_before(b, parts_b[i])) return false;
  }
  return a == b;
}

bool is_observed(const kube::Object& object, const Numbers& numbers) {
  return integer(numbers.observed_generation) == object.generation();
}

}  // namespace

std::optional<kube::Object> quiet_update(const kube::Object& before, const kube::Object& after) {
  const auto from = numbers_of(before);
  if (!is_observed(before, from)) return std::nullopt;
  const auto to = numbers_of(after);
  if (!is_same_otherwise(before.json(), from, after.json(), to)) return std::nullopt;
  return is_observed(after, to) ? after : before.with_resource_version(after.resource_version());
}

bool is_settled(const kube::Object& object) { return is_observed(object, numbers_of(object)); }

bool differ_only_in_generations(const kube::Object& before, const kube::Object& after) {
  return is_same_otherwise(before.json(), numbers_of(before), after.json(), numbers_of(after));
}

}  // namespace keelson::cache
