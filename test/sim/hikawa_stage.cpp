#include "test/sim/hikawa_stage.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/kube/client.hpp"
#include "test/support/conditions.hpp"

namespace keelson::testing {

namespace {

using namespace kinds;

char letter_of(std::string_view say) { return say == kZun ? 'Z' : say == kDoko ? 'D' : '?'; }

bool is_over(std::string_view letters) {
  Song song;
  for (char letter : letters.substr(letters.size() - std::min<std::size_t>(letters.size(), 6))) {
    song.ending.emplace_back(letter == 'Z' ? kZun : kDoko);
  }
  return is_ready_to_kiyoshi(song);
}

}  // namespace

void HikawaStage::enter(const std::string& name, const std::string& spec, int interval_millis) {
  create(kube::resource_of<Hikawa>(), "default",
         R"({"apiVersion":"zundokokiyoshi.kaitoy.github.com/v1beta1","kind":"Hikawa","metadata":{"name":")" + name +
             R"(","namespace":"default"},"spec":{"intervalMillis":)" + std::to_string(interval_millis) + spec + "}}");
}

void HikawaStage::ask(const std::string& name, const std::string& spec) {
  patch(kube::resource_of<Hikawa>(), {"default", name}, R"({"spec":{)" + spec + "}}");
}

void HikawaStage::leave(const std::string& name, const std::string& propagation) {
  loop.run([&]() -> boost::asio::awaitable<void> {
    kube::DeleteOptions options;
    options.propagation = propagation;
    auto removed =
        co_await kube::remove(server.client("user"), kube::resource_of<Hikawa>(), {"default", name}, options);
    REQUIRE(removed.has_value());
  });
}

std::string HikawaStage::song(const std::string& name) const {
  std::vector<std::pair<std::int64_t, char>> words;
  for (const auto& zundoko : server.objects(kube::resource_of<Zundoko>())) {
    auto ordinal = ordinal_of(name, zundoko.name());
    if (ordinal == 0) continue;
    auto document = json::Document::parse(zundoko.json());
    words.emplace_back(ordinal, letter_of(document->root().at({"spec", "say"}).string().value_or("")));
  }
  std::ranges::sort(words);
  std::string letters;
  for (const auto& [ordinal, letter] : words) letters += letter;
  return letters;
}

std::vector<std::string> HikawaStage::children(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& resource : {kube::resource_of<Zundoko>(), kube::resource_of<Kiyoshi>()}) {
    for (const auto& object : server.objects(resource)) {
      if (object.name().starts_with(name + "-")) names.emplace_back(object.name());
    }
  }
  std::ranges::sort(names);
  return names;
}

bool HikawaStage::has_kiyoshied(const std::string& name) {
  auto document = get(kube::resource_of<Hikawa>(), {"default", name});
  return document.root().at({"status", "kiyoshied"}).boolean().value_or(false);
}

std::string HikawaStage::condition(const std::string& name, const std::string& type) {
  auto document = get(kube::resource_of<Hikawa>(), {"default", name});
  return condition_text(document.root(), type);
}

std::int64_t HikawaStage::field(const std::string& name, std::initializer_list<std::string_view> path) {
  auto document = get(kube::resource_of<Hikawa>(), {"default", name});
  return document.root().at(path).integer().value_or(-1);
}

std::size_t HikawaStage::writes_of_words(int code) const { return writes(kube::resource_of<Zundoko>(), "", code); }

bool is_whole_song(const std::string& letters) {
  for (std::size_t length = 0; length < letters.size(); ++length) {
    if (is_over(std::string_view(letters).substr(0, length))) return false;
  }
  return is_over(letters);
}

std::int64_t seed_of_short_song(const std::string& name, std::size_t words) {
  for (std::int64_t seed = 0;; ++seed) {
    std::string letters;
    while (letters.size() < words) {
      letters += letter_of(choose_word(seed, {"default", name}, std::ssize(letters) + 1));
      if (is_whole_song(letters)) return seed;
    }
  }
}

}  // namespace keelson::testing
