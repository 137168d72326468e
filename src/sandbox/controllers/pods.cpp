#include "src/sandbox/controllers/pods.hpp"

#include <algorithm>

#include "keelson/detail/base/fnv.hpp"

namespace keelson::sandbox {

bool is_ready(const Tree& pod) { return has_condition(pod, "Ready"); }

bool is_done(const Tree& pod) {
  auto phase = pod.text_at({"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

Again earlier(Again one, Again other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

std::string hash_of(std::string_view text) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string encoded;
  for (char digit : std::to_string(base::fnv1a_32(text))) {
    encoded += kLetters[static_cast<std::size_t>(digit) % kLetters.size()];
  }
  return encoded;
}

}  // namespace keelson::sandbox
