#include "keelson/detail/profiling/endpoints.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/profiling/cpu_profile.hpp"

namespace keelson::profiling {
namespace asio = boost::asio;

namespace {

using Seconds = std::chrono::seconds;

// As in Go's net/http/pprof, if the request names no number.
constexpr Seconds kDefaultTime{30};

constexpr const char* kIndex =
    "Profiles of this process, for pprof. They have addresses without names: name the unstripped program, "
    "too.\n"
    "\n"
    "/debug/pprof/profile?seconds=30  the functions that use the CPU in that time\n"
    "/debug/pprof/heap                the functions whose memory is in use\n"
    "/debug/pprof/allocs              the functions that have allocated memory since the start\n"
    "/debug/pprof/cmdline             the command line\n";

// What the handlers refer to; shared by them, because a handler is a copyable function.
using Parts = std::shared_ptr<const EndpointParts>;

asio::awaitable<net::ServerReply> give(net::Response response) {
  net::ServerReply reply;
  reply.response = std::move(response);
  co_return reply;
}

// pprof prints the text of an error only if it has this header.
net::Response error_response(int status, std::string text) {
  auto response = net::text_response(status, std::move(text) + "\n");
  response.headers.emplace_back("X-Go-Pprof", "1");
  return response;
}

net::Response file_response(const char* name, std::string content) {
  return {200,
          {{"Content-Type", "application/octet-stream"},
           {"X-Content-Type-Options", "nosniff"},
           {"Content-Disposition", std::string("attachment; filename=\"") + name + "\""}},
          std::move(content)};
}

bool is_read(const net::Request& request) { return request.method == "GET" || request.method == "HEAD"; }

// The value of `seconds` in the query; empty if there is none.
std::string_view seconds_of(const net::Request& request) {
  constexpr std::string_view kName = "seconds=";
  std::string_view rest = request.target;
  auto at = rest.find('?');
  while (at != std::string_view::npos) {
    rest.remove_prefix(at + 1);
    if (rest.starts_with(kName)) return rest.substr(kName.size(), rest.find('&') - kName.size());
    at = rest.find('&');
  }
  return {};
}

// nullopt: not a number of seconds from 1 to the limit.
std::optional<Seconds> time_of(const net::Request& request) {
  const auto text = seconds_of(request);
  if (text.empty()) return kDefaultTime;
  const auto number = base::parse_number<Seconds::rep>(text);
  if (!number || *number < 1 || *number > limits::kProfileTime.count()) return std::nullopt;
  return Seconds(*number);
}

// A profile in progress, as the body of its reply. The body, and with it the profile, ends when the client disconnects.
struct Recording {
  async::Clock& clock;
  std::unique_ptr<CpuProfile> profile;
  Seconds time;
};

asio::awaitable<std::optional<std::string>> record(std::shared_ptr<Recording> recording) {
  if (!recording->profile) co_return std::nullopt;
  co_await async::sleep_for(recording->clock, recording->time);
  // The profile ends with its body, not with the connection.
  const auto profile = std::exchange(recording->profile, nullptr);
  co_return profile->finish();
}

asio::awaitable<net::ServerReply> serve_cpu(Parts parts, net::Request request) {
  net::ServerReply reply;
  const auto time = time_of(request);
  if (!is_read(request) || !time) {
    reply.response =
        is_read(request)
            ? error_response(400, "seconds must be a number from 1 to " + std::to_string(limits::kProfileTime.count()))
            : error_response(405, "use GET");
    co_return reply;
  }
  auto profile = CpuProfile::start(parts->clock);
  if (!profile) {
    const int status = profile.error().kind == Error::Kind::kInvalid ? 409 : 501;
    reply.response = error_response(status, "Could not enable CPU profiling: " + profile.error().message());
    co_return reply;
  }
  reply.response = file_response("profile", "");
  // shared_ptr, because the function is copied.
  auto recording = std::make_shared<Recording>(parts->clock, std::move(*profile), *time);
  reply.streaming = net::StreamingBody{.next = [recording] { return record(recording); }};
  co_return reply;
}

net::Response heap_response(const EndpointParts& parts, const net::Request& request, HeapProfile::View view) {
  if (!is_read(request)) return error_response(405, "use GET");
  if (parts.heap == nullptr) return error_response(501, "this program has no heap profile");
  if (!seconds_of(request).empty()) {
    return error_response(400, "heap profiles do not take seconds: compare two profiles with -diff_base");
  }
  return file_response(view == HeapProfile::View::kInUse ? "heap" : "allocs", parts.heap->encode(view));
}

net::Response command_line_response(const EndpointParts& parts, const net::Request& request) {
  if (!is_read(request)) return error_response(405, "use GET");
  std::string text;
  for (const auto& word : parts.command_line) {
    if (!text.empty()) text += '\0';
    text += word;
  }
  return net::text_response(200, std::move(text));
}

}  // namespace

std::vector<Endpoint> endpoints(EndpointParts parts) {
  const auto shared = std::make_shared<const EndpointParts>(std::move(parts));
  using View = HeapProfile::View;
  return {
      {"/debug/pprof/",
       [](net::Request request) {
         return give(is_read(request) ? net::text_response(200, kIndex) : error_response(405, "use GET"));
       }},
      {"/debug/pprof/profile", [shared](net::Request request) { return serve_cpu(shared, std::move(request)); }},
      {"/debug/pprof/heap",
       [shared](net::Request request) { return give(heap_response(*shared, request, View::kInUse)); }},
      {"/debug/pprof/allocs",
       [shared](net::Request request) { return give(heap_response(*shared, request, View::kAllocated)); }},
      {"/debug/pprof/cmdline",
       [shared](net::Request request) { return give(command_line_response(*shared, request)); }},
      // pprof asks here if it finds no file with names.
      {"/debug/pprof/symbol", [](net::Request) { return give(net::text_response(200, "num_symbols: 0\n")); }},
  };
}

}  // namespace keelson::profiling
