#include "keelson/detail/tracing/settings.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::tracing {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr std::int64_t kLongestMs = 3'600'000;

bool is_header_name(std::string_view text) {
  const auto is_token = [](char c) {
    return (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || base::is_digit(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_token);
}

class Variables {
 public:
  Variables(const std::function<const char*(const char*)>& variable, std::vector<std::string>& problems)
      : variable_(variable), problems_(problems) {}

  [[nodiscard]] std::string_view text(const char* name) const {
    const char* value = variable_(name);
    return value == nullptr ? std::string_view() : base::trim(value);
  }

  // OTEL_EXPORTER_OTLP_TRACES_<name>, otherwise OTEL_EXPORTER_OTLP_<name>; `name_` is the one in use.
  std::string_view of_exporter(const std::string& name) {
    name_ = "OTEL_EXPORTER_OTLP_TRACES_" + name;
    const auto own = text(name_.c_str());
    if (!own.empty()) return own;
    name_ = "OTEL_EXPORTER_OTLP_" + name;
    return text(name_.c_str());
  }
  [[nodiscard]] const std::string& name_in_use() const { return name_; }

  std::int64_t whole(const std::string& name, std::string_view value, std::int64_t fallback, std::int64_t most) {
    if (value.empty()) return fallback;
    const auto number = base::parse_number<std::int64_t>(value);
    if (number && *number > 0 && *number <= most) return *number;
    problem(name, "expected a whole number from 1 to " + std::to_string(most) + "; using " + std::to_string(fallback));
    return fallback;
  }
  std::int64_t whole(const char* name, std::int64_t fallback, std::int64_t most) {
    return whole(name, text(name), fallback, most);
  }

  // "key1=value1,key2=value2", percent-encoded.
  Pairs pairs(const std::string& name, std::string_view value) {
    Pairs found;
    while (!value.empty()) {
      const auto comma = value.find(',');
      const auto item = value.substr(0, comma);
      value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
      if (base::trim(item).empty()) continue;
      const auto equals = item.find('=');
      auto key = base::percent_decode(base::trim(item.substr(0, equals)));
      auto decoded =
          equals == std::string_view::npos ? std::nullopt : base::percent_decode(base::trim(item.substr(equals + 1)));
      if (key && !key->empty() && decoded) {
        found.emplace_back(std::move(*key), std::move(*decoded));
      } else {
        problem(name, "expected key=value pairs, percent-encoded and separated by commas; one pair is ignored");
      }
    }
    return found;
  }

  void problem(const std::string& name, const std::string& text) { problems_.push_back(name + ": " + text); }

 private:
  const std::function<const char*(const char*)>& variable_;
  std::vector<std::string>& problems_;
  std::string name_;
};

void replace(ResourceAttributes& resource, std::string key, std::string value) {
  const auto found = std::ranges::find_if(resource, [&](const auto& attribute) { return attribute.first == key; });
  if (found != resource.end()) {
    found->second = std::move(value);
  } else {
    resource.emplace_back(std::move(key), std::move(value));
  }
}

// False: the spans cannot be sent.
bool read_endpoint(Variables& variables, Settings& settings) {
  const auto url = variables.of_exporter("ENDPOINT");
  const auto name = variables.name_in_use();
  const auto begin = url.find("://");
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  auto parsed = net::parse_server_url(url);
  if (!has_scheme || !parsed || url.find_first_of("?#@") != std::string_view::npos) {
    variables.problem(name, "expected a URL such as http://collector:4318; traces are off");
    return false;
  }
  settings.origin = std::move(parsed->origin);
  const auto path = url.find('/', begin + 3);
  settings.target = path == std::string_view::npos ? "/" : url.substr(path);
  if (name == "OTEL_EXPORTER_OTLP_ENDPOINT") {
    settings.target += settings.target.ends_with('/') ? "v1/traces" : "/v1/traces";
  }
  return true;
}

// Every collector that accepts OTLP/HTTP accepts both of its encodings on the same port.
bool read_protocol(Variables& variables) {
  const auto protocol = variables.of_exporter("PROTOCOL");
  const auto name = variables.name_in_use();
  if (protocol == "grpc") {
    variables.problem(name,
                      "grpc is not supported; set http/json and the port of OTLP/HTTP, usually 4318; traces are off");
    return false;
  }
  if (!protocol.empty() && protocol != "http/json") {
    variables.problem(name, "only http/json is supported; using http/json");
  }
  const auto compression = variables.of_exporter("COMPRESSION");
  if (!compression.empty() && compression != "none") {
    variables.problem(variables.name_in_use(), "compression is not supported; spans are sent uncompressed");
  }
  return true;
}

void read_headers(Variables& variables, Settings& settings) {
  const auto value = variables.of_exporter("HEADERS");
  const auto name = variables.name_in_use();
  for (auto& header : variables.pairs(name, value)) {
    if (is_header_name(header.first) && net::is_header_value(header.second)) {
      settings.headers.push_back(std::move(header));
    } else {
      variables.problem(name, "a name or value that is invalid in HTTP is ignored");
    }
  }
}

void read_sampler(Variables& variables, Settings& settings) {
  auto sampler = variables.text("OTEL_TRACES_SAMPLER");
  // A reconcile has no parent, so that the root sampler decides.
  constexpr std::string_view kParentBased = "parentbased_";
  if (sampler.starts_with(kParentBased)) sampler.remove_prefix(kParentBased.size());
  if (sampler.empty() || sampler == "always_on") return;
  if (sampler == "always_off") {
    settings.sampled_fraction = 0;
    return;
  }
  if (sampler != "traceidratio") {
    variables.problem("OTEL_TRACES_SAMPLER", "unknown sampler; using parentbased_always_on");
    return;
  }
  const auto argument = variables.text("OTEL_TRACES_SAMPLER_ARG");
  if (argument.empty()) return;
  const auto fraction = base::parse_number<double>(argument);
  if (fraction && *fraction >= 0 && *fraction <= 1) {
    settings.sampled_fraction = *fraction;
  } else {
    variables.problem("OTEL_TRACES_SAMPLER_ARG", "expected a number from 0 to 1; using 1");
  }
}

void read_sizes(Variables& variables, Settings& settings) {
  const auto timeout = variables.of_exporter("TIMEOUT");
  settings.timeout = std::chrono::milliseconds(variables.whole(variables.name_in_use(), timeout, 10'000, kLongestMs));
  settings.schedule_delay = std::chrono::milliseconds(variables.whole("OTEL_BSP_SCHEDULE_DELAY", 5000, kLongestMs));
  settings.export_timeout = std::chrono::milliseconds(variables.whole("OTEL_BSP_EXPORT_TIMEOUT", 30'000, kLongestMs));
  const auto queue = variables.whole("OTEL_BSP_MAX_QUEUE_SIZE", 2048, limits::kQueuedSpans);
  const auto batch = variables.whole("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, limits::kSpansPerBatch);
  settings.queue_size = static_cast<std::size_t>(queue);
  settings.batch_size = static_cast<std::size_t>(std::min(batch, queue));
}

void read_resource(Variables& variables, Settings& settings) {
  constexpr const char* kAttributes = "OTEL_RESOURCE_ATTRIBUTES";
  for (auto& [key, value] : variables.pairs(kAttributes, variables.text(kAttributes))) {
    replace(settings.resource, std::move(key), std::move(value));
  }
  const auto service = variables.text("OTEL_SERVICE_NAME");
  if (!service.empty()) replace(settings.resource, "service.name", std::string(service));
}

}  // namespace

SettingsFromEnvironment settings_from(const std::function<const char*(const char*)>& variable,
                                      ResourceAttributes resource) {
  SettingsFromEnvironment read;
  Variables variables(variable, read.problems);
  if (variables.of_exporter("ENDPOINT").empty()) return read;
  if (base::to_lower(variables.text("OTEL_SDK_DISABLED")) == "true") return read;
  const auto exporter = variables.text("OTEL_TRACES_EXPORTER");
  if (exporter == "none") return read;
  if (!exporter.empty() && exporter != "otlp") {
    variables.problem("OTEL_TRACES_EXPORTER", "only otlp and none are supported; using otlp");
  }
  Settings settings;
  settings.resource = std::move(resource);
  if (!read_endpoint(variables, settings) || !read_protocol(variables)) return read;
  read_headers(variables, settings);
  settings.certificate_file = variables.of_exporter("CERTIFICATE");
  read_sampler(variables, settings);
  read_sizes(variables, settings);
  read_resource(variables, settings);
  read.settings = std::move(settings);
  return read;
}

}  // namespace keelson::tracing
