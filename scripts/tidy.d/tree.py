"""The files that rules check, each read once: text, includes, and code without comments and strings."""

import hashlib
import re
import subprocess

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Comments, strings and characters, in one pass, so that a quote in a comment opens nothing.
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.S)


class CannotRun(Exception):
    """A tool or a part of the source tree is missing or invalid; the text has the fix."""


def say(path, line, rule, what):
    return f"{path}:{line}: {rule}: {what}"


class File:
    def __init__(self, root, path):
        self.path = path
        self.text = (root / path).read_text(encoding="utf-8")
        self.lines = self.text.split("\n")
        self._code = None

    @property
    def code(self):
        """The text with comments and strings blanked; all other characters stay at their offsets."""
        if self._code is None:
            self._code = NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), self.text)
        return self._code

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def includes(self):
        """(line number, "<" or a quote, name) of each include."""
        for number, line in enumerate(self.lines, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1), found.group(2)


class Tree:
    def __init__(self, root):
        self.root = root
        listed = self._git("ls-files", "-co", "--exclude-standard") or self._walk()
        self.paths = sorted({p for p in listed if (root / p).is_file()})
        self.files = {p: File(root, p) for p in self.paths if is_cpp(p)}
        self._closures = {}

    def headers(self):
        return [f for f in self.files.values() if f.path.endswith(".hpp")]

    def sources(self):
        return [f for f in self.files.values() if f.path.endswith(".cpp")]

    def changed(self, base):
        """Paths that differ from `base`, including uncommitted ones; None if there is no history."""
        if not base:
            recent = (self._git("rev-list", "--max-count=21", "HEAD") or [])[20:]
            ahead = self._git("merge-base", "origin/main", "HEAD") or []
            if ahead == (self._git("rev-parse", "HEAD") or []):
                ahead = []
            base = (ahead or recent or [None])[0]
        if not base:
            return None
        differing = self._git("diff", "--name-only", base) or []
        return set(differing) | set(self._git("ls-files", "-o", "--exclude-standard") or [])

    def resolve(self, name):
        """The path of an include in this tree, or None."""
        for candidate in (name, f"include/{name}"):
            if candidate in self.files:
                return candidate
        return None

    def closure(self, path):
        """The file and all files of this tree that it includes, directly or indirectly."""
        if path not in self._closures:
            seen, todo = set(), [path]
            while todo:
                current = todo.pop()
                if current in seen:
                    continue
                seen.add(current)
                todo += [r for _, _, name in self.files[current].includes() if (r := self.resolve(name))]
            self._closures[path] = sorted(seen)
        return self._closures[path]

    def digest(self, path, *more):
        """The digest of all files that the result for `path` depends on."""
        digest = hashlib.sha256("\0".join(more).encode())
        for part in self.closure(path):
            digest.update(f"\0{part}\0{self.files[part].text}".encode())
        return digest.hexdigest()

    def _git(self, *arguments):
        try:
            done = subprocess.run(["git", "-C", str(self.root), *arguments], capture_output=True, text=True)
        except FileNotFoundError:
            return None
        return done.stdout.splitlines() if done.returncode == 0 else None

    def _walk(self):
        tops = ("include", "src", "test", "tools", "cmake", "scripts")
        return [str(p.relative_to(self.root)) for top in tops for p in (self.root / top).rglob("*") if p.is_file()]


def is_cpp(path):
    return path.endswith((".hpp", ".cpp")) and path.split("/")[0] in ("include", "src", "test", "tools")


def is_outside(path):
    """Programs of authors, as if outside of this tree: they include their own headers by relative names."""
    return path.startswith("test/install/")


def room_of(path):
    """The room that a file belongs to ("kinds/memcached" for a built-in kind), or None for tests."""
    parts = path.split("/")
    if parts[0] == "include":
        parts = parts[1:] if parts[2] == "detail" else parts
        return parts[2] if len(parts) > 3 else None
    if parts[0] == "tools":
        return parts[1]
    if parts[0] == "src":
        return "/".join(parts[1:3]) if parts[1] == "kinds" and len(parts) > 3 else parts[1]
    return None
