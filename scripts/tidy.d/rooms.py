"""The room table: checks the includes and the libraries of CMake against section 2 of docs/design.md."""

import re

from tree import CannotRun, room_of, say

# A folder of room sandbox that is a library of its own, so that the tests of low rooms can link it: it has a row of its own.
LIBRARY = "sandbox/loop"
NEVER_IN_MANAGER = {"cel", "sandbox", LIBRARY, "sandbox_data", "sandbox_program", "text_packer", "zone_compiler"}
# A tool that writes sources of a room knows their form.
FORMS_OF_TOOLS = {("text_packer", "src/program/packed_text.hpp"), ("zone_compiler", "src/cron/zone_table.hpp")}
# keelson_room(cache SMALL FAST store.cpp DEPENDS kube): the libraries that a room links.
LIBRARIES = re.compile(r"^keelson_room\((\w+)[^)]*?\bDEPENDS ([a-z_ ]+)", re.M)
ROW = re.compile(r"^\|\s*(\d+)\s*\|\s*`([a-z_]+(?:/[a-z_]+)?)(?:/\*)?`\s*\|[^|]*\|\s*([^|]*)\|\s*$")


def read_table(root):
    """Room -> the rooms it may include."""
    rows, layers = {}, {}
    for line in (root / "docs/design.md").read_text(encoding="utf-8").splitlines():
        found = ROW.match(line)
        if found:
            layers[found.group(2)] = int(found.group(1))
            rows[found.group(2)] = found.group(3).split(";")[0].split("(")[0]
    if len(rows) < 10:
        raise CannotRun("docs/design.md has no room table that can be read (rows: | layer | `room` | what | may include |)")
    return {room: expand(room, rows, layers) for room in rows}


def expand(room, rows, layers):
    text = rows[room]
    if "everything below" in text:
        return {r for r in rows if layers[r] < layers[room]} - NEVER_IN_MANAGER
    allowed = {word for word in re.findall(r"[a-z_/]+", text) if word in rows}
    for upper in re.findall(r"([a-z_]+) and below", text):
        allowed |= expand(upper, rows, layers)
    return allowed


def check(tree):
    table = read_table(tree.root)
    findings = []
    for file in tree.files.values():
        for line, _, name in file.includes():
            target = tree.resolve(name)
            if target:
                findings += judge(table, file.path, line, target)
            elif name.startswith(("keelson/", "src/", "test/", "tools/")):
                findings.append(say(file.path, line, "missing-include", f'there is no "{name}" in the tree'))
    return findings + list(check_libraries(table, (tree.root / "CMakeLists.txt").read_text(encoding="utf-8")))


def check_libraries(table, cmake):
    """A room links only rooms that it may include; what it does not link, but needs, is an error of the linker."""
    table = {room.replace("/", "_"): {other.replace("/", "_") for other in rooms} for room, rooms in table.items()}
    for found in LIBRARIES.finditer(cmake):
        room = found.group(1)
        for other in found.group(2).split():
            if other not in table.get(room, {other}):
                yield say("CMakeLists.txt", cmake.count("\n", 0, found.start()) + 1, "room",
                          f"{room} links {other}, which it may not include (docs/design.md, section 2)")


def judge(table, path, line, target):
    mine, theirs = row_of(path), row_of(target)
    if target.startswith("test/"):
        if not path.startswith("test/"):
            yield say(path, line, "room", f"{target} is for tests: move what is needed into a room")
        return
    if mine is None:
        yield from judge_test(path, line, target, room_of(target))
        return
    if mine == theirs:
        if path.startswith("include/") and target.startswith("src/"):
            yield say(path, line, "private-header", f"a public header cannot include {target}: move it to include/")
        return
    if is_entry_of_controller(mine, target) or (mine, target) in FORMS_OF_TOOLS:
        return
    if target.startswith("src/"):
        yield say(path, line, "private-header",
                  f"only room {theirs} may include {target}: use a header of include/keelson/detail/{theirs}, or move it there")
    if table_name(mine) not in table:
        yield say(path, line, "room", f"room {mine} is not in the table of docs/design.md: add it with the rooms that it may include")
    elif table_name(theirs) not in table[table_name(mine)]:
        yield say(path, line, "room",
                  f"{mine} may not include {theirs} (docs/design.md, section 2): reverse the dependency, or move the code")


def row_of(path):
    return LIBRARY if re.match(rf"(?:include/keelson(?:/detail)?|src)/{LIBRARY}/", path) else room_of(path)


def table_name(room):
    """The name of the room in the table: the built-in controllers share a row."""
    return room if room == LIBRARY else room.split("/")[0]


def is_entry_of_controller(mine, target):
    """Programs and the reference pages list the built-in controllers by built_in.hpp, and that by K/K.hpp."""
    parts = target.split("/")
    if target == "src/kinds/built_in.hpp":
        return mine in ("app", "reference")
    return mine == "kinds" and len(parts) > 3 and parts[3] == f"{parts[2]}.hpp"


def judge_test(path, line, target, theirs):
    """Only the unit tests of a room may include its private headers. Tests across rooms (fuzz, bench, sim, ...) may include all."""
    parts = path.split("/")
    # The raw peers of test/support use the TLS transport of room net.
    if parts[1] == "support" and target.startswith("src/") and theirs not in ("net", "sandbox"):
        yield say(path, line, "private-header", f"test/support serves all rooms, so it must not include {target}")
    if parts[1] != "unit" or not target.startswith("src/") or theirs == "sandbox":
        return
    if theirs.split("/")[-1] != parts[2]:
        yield say(path, line, "private-header",
                  f"only room {theirs} and test/unit/{theirs.split('/')[-1]} may include {target}: test it there")
