#include "src/scaffold/names.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/kube/limits.hpp"
#include "keelson/schema/literal.hpp"

namespace keelson::scaffold {

namespace {

// Names that a namespace at file scope cannot have, sorted: the keywords of C++, the namespaces of the library and of
// its kinds of Kubernetes, functions of the C library that could be the names of kinds, and names in the generated
// code.
constexpr auto kTakenNames = std::to_array<std::string_view>({
    "abort",
    "abs",
    "accept",
    "access",
    "adjtime",
    "advance",
    "alarm",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "api",
    "apps",
    "asm",
    "async",
    "atoi",
    "atol",
    "auto",
    "autoscaling",
    "base",
    "basename",
    "batch",
    "bind",
    "bitand",
    "bitor",
    "bool",
    "break",
    "bsearch",
    "cache",
    "cacos",
    "calloc",
    "carg",
    "case",
    "catch",
    "ceil",
    "cel",
    "channel",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "chdir",
    "chmod",
    "chown",
    "chroot",
    "class",
    "clock",
    "clone",
    "close",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "conj",
    "connect",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "context",
    "continue",
    "controller",
    "controllers",
    "coordination",
    "core",
    "cos",
    "cron",
    "crypt",
    "daemon",
    "daylight",
    "decltype",
    "default",
    "delete",
    "detail",
    "discovery",
    "div",
    "do",
    "doctor",
    "done",
    "double",
    "dup",
    "dynamic_cast",
    "else",
    "encrypt",
    "enum",
    "environ",
    "erf",
    "err",
    "events",
    "exit",
    "exp",
    "explicit",
    "export",
    "extern",
    "false",
    "fence",
    "ffs",
    "float",
    "floor",
    "fma",
    "for",
    "fork",
    "free",
    "friend",
    "fsync",
    "ftruncate",
    "ftw",
    "gamma",
    "getenv",
    "getpid",
    "glob",
    "goto",
    "group",
    "hostent",
    "hypot",
    "iconv",
    "if",
    "index",
    "inline",
    "insque",
    "install",
    "int",
    "ioctl",
    "j0",
    "j1",
    "jn",
    "json",
    "keelson",
    "key",
    "kill",
    "kind",
    "kube",
    "kubeconfig",
    "leader",
    "limits",
    "link",
    "listen",
    "lock",
    "log",
    "logger",
    "long",
    "lseek",
    "main",
    "malloc",
    "manager",
    "memcpy",
    "meta",
    "metrics",
    "mkdir",
    "modf",
    "mount",
    "mutable",
    "mutate",
    "name",
    "namespace",
    "net",
    "netent",
    "networking",
    "new",
    "nice",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "object",
    "open",
    "operator",
    "options",
    "or",
    "or_eq",
    "outcome",
    "passwd",
    "pause",
    "pipe",
    "plan",
    "policy",
    "poll",
    "pow",
    "printf",
    "private",
    "profil",
    "profiling",
    "program",
    "protected",
    "protoent",
    "public",
    "puts",
    "qsort",
    "queue",
    "raise",
    "rand",
    "random",
    "rbac",
    "read",
    "realloc",
    "reconcile",
    "register",
    "reinterpret_cast",
    "remainder",
    "remove",
    "remque",
    "rename",
    "requeue",
    "requires",
    "return",
    "review",
    "revoke",
    "rewind",
    "rindex",
    "rint",
    "rmdir",
    "round",
    "sandbox",
    "scaffold",
    "scanf",
    "schema",
    "search",
    "select",
    "send",
    "servent",
    "setting",
    "short",
    "shutdown",
    "signal",
    "signed",
    "significand",
    "sin",
    "sizeof",
    "sleep",
    "socket",
    "spec",
    "splice",
    "srand",
    "stat",
    "statfs",
    "static",
    "static_assert",
    "static_cast",
    "status",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "step",
    "strdup",
    "strlen",
    "struct",
    "swab",
    "switch",
    "sync",
    "syslog",
    "system",
    "tan",
    "tee",
    "template",
    "testing",
    "this",
    "thread_local",
    "throw",
    "time",
    "times",
    "timezone",
    "tls",
    "tracing",
    "true",
    "trunc",
    "truncate",
    "try",
    "typedef",
    "typeid",
    "typename",
    "ualarm",
    "umount",
    "union",
    "unlink",
    "unsigned",
    "using",
    "usleep",
    "validate",
    "vfork",
    "virtual",
    "void",
    "volatile",
    "wait",
    "warn",
    "wchar_t",
    "webhook",
    "while",
    "write",
    "xor",
    "xor_eq",
    "y0",
    "y1",
    "yield",
    "yn",
    "zpages",
});
static_assert(std::is_sorted(kTakenNames.begin(), kTakenNames.end()));

Error broken_rule(std::string_view what, std::string_view value, std::string_view rule) {
  return invalid_error("invalid " + std::string(what) + " " + base::quote_go(std::string(value)) + ": " +
                       std::string(rule));
}

bool is_version(std::string_view text) {
  const auto take_number = [&text] {
    std::size_t size = 0;
    while (size < text.size() && size < 2 && base::is_digit(text[size])) ++size;
    const bool is_positive = size > 0 && text.front() != '0';
    text.remove_prefix(size);
    return is_positive;
  };
  if (!text.starts_with('v')) return false;
  text.remove_prefix(1);
  if (!take_number()) return false;
  if (text.empty()) return true;
  const std::string_view stage = text.starts_with("alpha") ? "alpha" : "beta";
  if (!text.starts_with(stage)) return false;
  text.remove_prefix(stage.size());
  return take_number() && text.empty();
}

}  // namespace

Result<void> check_domain(std::string_view domain) {
  if (kube::detail::is_subdomain(domain)) return {};
  return broken_rule("domain", domain,
                     "use a DNS name in lower case, such as \"example.com\": letters, digits, dashes and dots");
}

Result<void> check_project_name(std::string_view name) {
  if (kube::detail::is_label(name) && name.size() <= limits::kOperatorNameBytes) return {};
  return broken_rule("name", name,
                     "use at most " + std::to_string(limits::kOperatorNameBytes) +
                         " lower-case letters, digits and dashes, with a letter first and no dash last, such as "
                         "\"website-operator\"");
}

Result<void> check_group(std::string_view group) {
  if (kube::detail::is_subdomain(group)) return {};
  return broken_rule(
      "group", group,
      "use a DNS name in lower case, such as \"web\": letters, digits, dashes and dots. The domain of the "
      "project is appended");
}

Result<void> check_version(std::string_view version) {
  if (is_version(version)) return {};
  return broken_rule("version", version, "use v1, v2alpha1 or v1beta2: a number, or a number after alpha or beta");
}

Result<void> check_external_version(std::string_view version) {
  if (kube::detail::is_label(version)) return {};
  return broken_rule("version", version, "use lower-case letters, digits and dashes, with a letter first");
}

Result<void> check_plural(std::string_view plural) {
  if (kube::detail::is_label(plural)) return {};
  return broken_rule("plural", plural, "use one word in lower case, such as \"websites\"");
}

Result<void> check_kind(std::string_view kind) {
  if (!kube::detail::is_kind_name(kind)) {
    return broken_rule("kind", kind,
                       "use one word in CamelCase, such as \"Website\": letters and digits, a capital first");
  }
  // Generated code uses these names of the library without their namespace.
  constexpr std::array<std::string_view, 5> kUsedNames{"Error", "Finalizer", "Pass", "Reconciled", "Result"};
  if (std::find(kUsedNames.begin(), kUsedNames.end(), kind) == kUsedNames.end()) return {};
  return broken_rule("kind", kind, "the library has a class of this name; use a more specific one");
}

std::string project_name_of_folder(std::string_view folder) {
  std::string name;
  for (const char c : base::to_lower(folder)) name += c == '_' || c == ' ' || c == '.' ? '-' : c;
  return name;
}

bool is_free_name(std::string_view name) { return !std::binary_search(kTakenNames.begin(), kTakenNames.end(), name); }

std::string first_label(std::string_view group) {
  std::string label(group.substr(0, group.find('.')));
  std::replace(label.begin(), label.end(), '-', '_');
  return label;
}

}  // namespace keelson::scaffold
