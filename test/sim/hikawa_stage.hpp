// A simulated world of Hikawas, and what can be heard of them.
#pragma once

#include <string>
#include <vector>

#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/hikawa/hikawa_song.hpp"
#include "src/controllers/hikawa/hikawa_types.hpp"
#include "test/sim/world.hpp"

namespace keelson::test {

class HikawaStage : public World {
 public:
  explicit HikawaStage(std::uint64_t seed = 1) : World(seed, controllers::hikawa()) {}

  // `spec`: further members, with a comma before them.
  void enter(const std::string& name, const std::string& spec = "", int interval_millis = 500);
  void ask(const std::string& name, const std::string& spec);  // a user's patch of the spec
  void leave(const std::string& name, const std::string& propagation = "Background");

  // The song until now as letters, Z and D, by ordinal.
  [[nodiscard]] std::string song(const std::string& name) const;
  // Names of its Zundokos and Kiyoshi, whoever's they are, sorted.
  [[nodiscard]] std::vector<std::string> children(const std::string& name) const;
  [[nodiscard]] bool has_kiyoshied(const std::string& name);
  // "True Kiyoshied", or "-"
  [[nodiscard]] std::string condition(const std::string& name, const std::string& type);
  [[nodiscard]] std::int64_t field(const std::string& name, std::initializer_list<std::string_view> path);

  [[nodiscard]] std::size_t writes_of_words(int code) const;
  [[nodiscard]] std::size_t errors() const { return sink.count("Reconciler error"); }
};

// What `letters` begins with is a whole song: over at its end, and not before.
[[nodiscard]] bool is_whole_song(const std::string& letters);

// A --hikawa-seed by which `name` sings at most so many words.
[[nodiscard]] std::int64_t seed_of_short_song(const std::string& name, std::size_t words);

}  // namespace keelson::test
