"""Only one room may include each third-party header; public headers may include almost none."""

import re

from tree import is_outside, say

# Header prefix, the files that may include it, and the replacement for other files.
QUARTERS = [
    (r"spdlog/|fmt/", r"src/base/log\w*\.cpp", "keelson/base/log.hpp"),
    (r"zlib\.h", r"src/(sandbox/fields/definitions|program/commands/tar_gz|sandbox_data/total)\.cpp",
     "definitions.hpp, tar_gz.hpp or total.hpp"),
    (r"yaml-cpp/", r"src/json/yaml\w*\.(cpp|hpp)", "keelson/detail/json/yaml.hpp"),
    (r"rapidjson/", r"src/json/.*|test/(unit/json|fuzz|bench)/.*", "keelson/json"),
    (r"prometheus/", r"src/metrics/.*|test/(unit/metrics|bench)/.*", "keelson/metrics"),
    (r"boost/beast|boost/asio/ssl|openssl/",
     r"src/(net|tls)/.*|test/support/(certificate|peer)\w*\.(cpp|hpp)|test/(unit/net|unit/tls|loopback|fuzz|bench)/.*", "keelson/net"),
    (r"sqlite3", r"src/sandbox_data/.*|test/unit/sandbox_data/.*", "keelson/sandbox_data"),
    (r"re2/", r"src/cel/pattern\.cpp", "keelson/detail/cel/pattern.hpp"),
    (r"catch2/", r"test/.*", "nothing: Catch2 is for tests"),
    (r"boost/asio/experimental/awaitable_operators", r"src/async/timeout\.cpp", "async::with_timeout or finish_within"),
]
# Any file may include these, except public headers.
FREE = re.compile(r"boost/(asio|system)/.*|boost/asio\.hpp|"
                  r"(sys|netinet|arpa|linux)/\w+\.h|[a-z_0-9]+(\.h)?")
IN_PUBLIC = re.compile(r"[a-z_0-9]+|boost/asio/(awaitable|any_io_executor)\.hpp|boost/system/\w+\.hpp")


def check(tree):
    findings = []
    for file in tree.files.values():
        for line, bracket, name in file.includes():
            if bracket == "<":
                findings += judge(file.path, line, name)
            elif not name.startswith(("keelson/", "src/", "test/", "tools/")) and not is_outside(file.path):
                findings.append(say(file.path, line, "include-style",
                                    f'write "{name}" from the root (keelson/, src/ or test/), others in <>'))
    return findings


def judge(path, line, name):
    if name.startswith(("keelson/", "src/", "test/", "tools/")):
        yield say(path, line, "include-style", f'include our headers in quotes: "{name}"')
        return
    matching = [q for q in QUARTERS if re.match(q[0], name)]
    for prefix, allowed, instead in matching:
        if not re.fullmatch(allowed, path):
            yield say(path, line, "quarter", f"<{name}> is not allowed here: use {instead}")
    if not matching and not FREE.fullmatch(name):
        yield say(path, line, "quarter", f"<{name}> belongs to an unknown library: assign it to a room in scripts/tidy.d/thirdparty.py")
    if path.startswith("include/") and not IN_PUBLIC.fullmatch(name):
        yield say(path, line, "public-header",
                  f"<{name}> in a public header: use a forward declaration, and include it in src/")
