// The cost of receiving 20,000 pods after the socket: splitting the list, then stripping or projecting each, compared
// with RapidJSON on the same bytes. Prints CPU seconds for all, the best of three rounds. The pods come as 200 pages of
// 100, which stay in the processor's cache, as the bytes of a socket's buffer do.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/json/projection.hpp"
#include "keelson/detail/json/scan.hpp"
#include "src/json/rapid.hpp"
#include "test/unit/json/pods.hpp"

namespace {

using keelson::Result;
using namespace keelson::json;

constexpr int kPages = 200;
constexpr int kPodsOfPage = 100;
constexpr int kPods = kPages * kPodsOfPage;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// `work` returns a number that depends on all its results.
template <class Work>
void measure(const char* what, Work work) {
  double best = 1e9;
  std::size_t outcome = 0;
  for (int round = 0; round < 3; ++round) {
    const double before = cpu_seconds();
    for (int page = 0; page < kPages; ++page) outcome = work();
    best = std::min(best, cpu_seconds() - before);
  }
  std::printf("%-40s %7.3f s  %6.2f us a pod  (%zu a page)\n", what, best, best * 1e6 / kPods, outcome);
}

// In chunks as from a socket.
template <class OnItem>
std::size_t split(const std::string& list, ScanCode code, OnItem on_item) {
  ListSplitter splitter(code);
  std::size_t total = 0;
  const OnPiece count = [&](std::string_view item) {
    total += on_item(item);
    return Result<void>();
  };
  for (std::size_t at = 0; at < list.size(); at += keelson::limits::kReadBytes) {
    KEELSON_ASSERT(splitter.feed(std::string_view(list).substr(at, keelson::limits::kReadBytes), count));
  }
  KEELSON_ASSERT(splitter.finish());
  return total;
}

std::size_t split_and_apply(const std::string& list, const Projection& projection, ScanCode code) {
  std::string out;
  return split(list, code, [&](std::string_view item) {
    out.clear();
    KEELSON_ASSERT(projection.apply(item, out, code));
    return out.size();
  });
}

void measure_ours(const std::string& list) {
  const auto everything = Projection::everything();
  const auto some = Projection::of({{"spec", "nodeName"}, {"status", "phase"}});
  std::vector<std::string> stripped;
  split(list, ScanCode::kFastest, [&](std::string_view item) {
    std::string out;
    KEELSON_ASSERT(everything.apply(item, out));
    stripped.push_back(out);
    return out.size();
  });

  for (const ScanCode code : {ScanCode::kFastest, ScanCode::kScalar}) {
    std::printf("%s code\n", code == ScanCode::kFastest ? "fastest" : "scalar");
    measure("  split", [&] { return split(list, code, [](std::string_view item) { return item.size(); }); });
    measure("  split + strip managedFields", [&] { return split_and_apply(list, everything, code); });
    measure("  split + project", [&] { return split_and_apply(list, some, code); });
  }
  measure("  metadata of stripped pods", [&] {
    std::size_t total = 0;
    for (const std::string& pod : stripped) total += scan_metadata(pod)->name.size();
    return total;
  });
}

struct Counter : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Counter> {
  std::size_t count = 0;
  bool Default() {
    ++count;
    return true;
  }
};

void measure_rapidjson(const std::string& list) {
  std::printf("RapidJSON, whole list in memory\n");
  measure("  SAX", [&] {
    rapidjson::MemoryStream stream(list.data(), list.size());
    rapidjson::Reader reader;
    Counter counter;
    reader.Parse(stream, counter);
    return counter.count;
  });
  measure("  DOM", [&] {
    rapidjson::Document document;
    document.Parse(list.data(), list.size());
    return std::size_t{document["items"].Size()};
  });
}

}  // namespace

int main() {
  std::string list = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[)";
  for (int i = 0; i < kPodsOfPage; ++i) {
    if (i > 0) list += ',';
    list += fixtures::make_pod(i);
  }
  list += "]}";
  std::printf("%d pods, %.1f MB\n", kPods, static_cast<double>(list.size()) * kPages / 1e6);
  measure_ours(list);
  measure_rapidjson(list);
}
