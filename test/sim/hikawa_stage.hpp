// A simulated cluster with Hikawas, and their songs.
#pragma once

#include <string>
#include <vector>

#include "src/kinds/hikawa/hikawa.hpp"
#include "src/kinds/hikawa/hikawa_song.hpp"
#include "test/sim/cluster_with_user.hpp"

namespace keelson::testing {

class HikawaStage : public ClusterWithUser {
 public:
  explicit HikawaStage(std::uint64_t seed = 1) : ClusterWithUser(seed, kinds::hikawa()) {}

  // `spec`: further members, with a comma before them.
  void enter(const std::string& name, const std::string& spec = "", int interval_millis = 500);
  void ask(const std::string& name, const std::string& spec);  // a user's patch of the spec
  void leave(const std::string& name, const std::string& propagation = "Background");

  // The song until now as letters, Z and D, by ordinal.
  [[nodiscard]] std::string song(const std::string& name) const;
  // The sorted names of the Zundokos and the Kiyoshi of this name, also of those that another object owns.
  [[nodiscard]] std::vector<std::string> children(const std::string& name) const;
  [[nodiscard]] bool has_kiyoshied(const std::string& name);
  // "True Kiyoshied", or "-"
  [[nodiscard]] std::string condition(const std::string& name, const std::string& type);
  [[nodiscard]] std::int64_t field(const std::string& name, std::initializer_list<std::string_view> path);

  [[nodiscard]] std::size_t writes_of_words(int code) const;
  [[nodiscard]] std::size_t errors() const { return sink.count("Reconciler error"); }
};

// The letters are a complete song: it is over after the last one and not before.
[[nodiscard]] bool is_whole_song(const std::string& letters);

// A --hikawa-seed with which the song of `name` has at most this number of words.
[[nodiscard]] std::int64_t seed_of_short_song(const std::string& name, std::size_t words);

}  // namespace keelson::testing
