// The handler of a page: chooses HTML, plain text or JSON by the header Accept, and renders at most once per second.
//
// | reply | when |
// |---|---|
// | 200 | text/html for browsers, text/plain by default (`*/*`, no Accept), application/json |
// | 405 | the method is neither GET nor HEAD |
// | 406 | Accept allows none of the three types |
//
// A flood of requests costs a copy of the last text each: what the page shows is at most a second old. The query
// `refresh=5` lets a browser reload the page every 5 s (1 to 3600).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/net/http_server.hpp"

namespace keelson::limits {

// The header Accept of a request; a browser sends about 150 bytes.
inline constexpr std::size_t kAcceptBytes = 1000;

}  // namespace keelson::limits

namespace keelson::zpages {

enum class Format { kHtml, kText, kJson };

// The format with the highest quality that `accept` allows, text first among equals; nullopt if it allows none. A
// header of more than limits::kAcceptBytes counts as none.
[[nodiscard]] std::optional<Format> choose_format(std::string_view accept);

// `render` must not wait. The clock and everything that `render` refers to must outlive the handler and its requests.
[[nodiscard]] net::Handler make_page_handler(async::Clock& clock, std::function<std::string(Format)> render);

}  // namespace keelson::zpages
