"""Scripts parse: benchmarks and chaos runs are not part of every test run, so a broken line would stay there unseen."""

import ast
import subprocess

from tree import say


def check(tree):
    for path in tree.paths:
        with (tree.root / path).open("rb") as file:
            first = file.readline(80)
        interpreter = first if first.startswith(b"#!") else b""
        if path.endswith(".py") or b"python" in interpreter:
            yield from judge_python(tree.root, path)
        elif path.endswith(".sh") or b"bash" in interpreter:
            yield from judge_bash(tree.root, path)


def judge_python(root, path):
    try:
        ast.parse((root / path).read_bytes())
    except SyntaxError as error:
        yield say(path, error.lineno or 1, "script", f"Python cannot parse it ({error.msg}): correct the line")


def judge_bash(root, path):
    done = subprocess.run(["bash", "-n", str(root / path)], capture_output=True, text=True)
    if done.returncode != 0:
        # "FILE: line 3: syntax error near …"
        _, _, message = done.stderr.partition(": line ")
        number, _, what = message.partition(": ")
        yield say(path, number if number.isdigit() else 1, "script",
                  f"bash cannot parse it ({what.splitlines()[0] if what else done.stderr.strip()}): correct the line")
