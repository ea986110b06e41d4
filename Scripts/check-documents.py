"""Runs the commands that the documents show, and compares what they print.

`Scripts/check-documents --help` describes the options. A document's blocks are handled by their language:

- swift, diff: the tests compare them with compiled sources.
- sh: the block is run as one script, and must exit with 0.
- console: lines after "$ " are commands. The lines below a command are its standard output. "..." stands for any number of
  lines. If the output ends with "...", the command is ended when it has printed the lines before.
- all others, and what document-exceptions.txt lists, are not run.

Decimal fractions, times, UUIDs and the width of columns may differ. The work folder is printed as /home/me. `swift run NAME` starts the built NAME.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path.cwd()
EXCEPTIONS = ROOT / "Scripts/document-exceptions.txt"
TIMEOUT = 120
VARYING = [
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<time>"),
    (re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}"), "<uuid>"),
    (re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])"), "<number>"),
    (re.compile(r'("t"|"position"|"duration"):\d+(?=[,}])'), r"\1:<number>"),
]


class Block:
    def __init__(self, document, line, language):
        self.document, self.line, self.language, self.lines = document, line, language, []

    @property
    def first(self):
        return self.lines[0] if self.lines else ""


def documents():
    folders = ("Docs", "Samples", "Benchmarks", "Sources/FlowplayerSDK/FlowplayerSDK.docc")
    below = [path for folder in folders for path in ROOT.glob(folder + "/**/*.md") if ".build" not in path.parts]
    paths = below + [ROOT / name for name in ("README.md", "KNOWN_ISSUES.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def blocks(document):
    found = []
    inside = False
    for number, line in enumerate((ROOT / document).read_text().split("\n"), 1):
        if line.startswith("```"):
            inside = not inside
            if inside:
                found.append(Block(document, number, line[3:]))
        elif inside:
            found[-1].lines.append(line)
    return found


def read_exceptions():
    """Lines of the forms `path PATH: REASON`, `in PATH "FIRST LINE": REASON` and `numbers PATH "FIRST LINE": REASON`."""
    exceptions = []
    for number, line in enumerate(EXCEPTIONS.read_text().split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r'(?:path (\S+)|(in|numbers) (\S+) "(.*)"): (\S.*)', line)
        if not match:
            sys.exit(f"error: {EXCEPTIONS}:{number}: expected path, in or numbers, and a reason after a colon.")
        path, kind, place, first, reason = match.groups()
        exceptions.append({"kind": kind or "path", "document": path or place, "first": first, "reason": reason, "used": False})
    return exceptions


def exception(exceptions, block):
    for entry in exceptions:
        if entry["document"] == block.document and entry["first"] in (None, block.first):
            entry["used"] = True
            return entry
    return None


def masked(line, numbers):
    for pattern, name in VARYING:
        line = pattern.sub(name, line)
    line = re.sub(" {2,}", "  ", line.rstrip())
    return re.sub(r"\d+", "<number>", line) if numbers else line


def matches(expected, lines):
    """True if the lines are the expected ones, in which "..." is any number of lines."""
    if not expected:
        return not lines
    if expected[0] == "...":
        return any(matches(expected[1:], lines[skipped:]) for skipped in range(len(lines) + 1))
    return bool(lines) and lines[0] == expected[0] and matches(expected[1:], lines[1:])


class Workplace:
    """A folder with the files that the documents name, and the built programs."""

    def __init__(self, folder, programs):
        self.folder = folder
        tools = folder / ".tools"
        tools.mkdir()
        names = [path.name for path in pathlib.Path(programs).iterdir() if path.is_file() and os.access(path, os.X_OK) and "." not in path.name]
        for name in names:
            # Without stdbuf, a program prints into a pipe when it ends.
            self.script(tools / name, f'exec stdbuf -oL {shlex.quote(programs)}/{name} "$@"')
        self.script(tools / "swift", "[ \"$1\" = run ] || exit 64\nshift\n[ \"$1\" != --traits ] || shift 2\nname=$1\nshift\nexec \"$name\" \"$@\"")
        (folder / "Samples").symlink_to(ROOT / "Samples")
        (folder / "clip.mp4").symlink_to(ROOT / "Samples/Media/sample.mp4")
        media = folder / ".media"
        media.mkdir()
        tutorial = blocks("Sources/FlowplayerSDK/FlowplayerSDK.docc/YourFirstPlayer.md")
        make = next(block for block in tutorial if block.language == "sh")
        subprocess.run(["bash", "-ec", "\n".join(make.lines)], cwd=media, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (media / "film.mkv").rename(folder / "film.mkv")
        keep = {name: value for name, value in os.environ.items() if name in ("LANG", "TMPDIR", "USER")}
        self.environment = {
            **keep, "PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"),
            "XDG_RUNTIME_DIR": str(folder), "PULSE_SERVER": "unix:/no/such/socket", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        }

    @staticmethod
    def script(path, text):
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def run(self, command, is_enough=lambda lines: False):
        """The status and the output of a command. The command is ended when it has printed enough."""
        process = subprocess.Popen(
            ["bash", "-ec", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        timer = threading.Timer(TIMEOUT, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        lines = []
        ended = False
        for line in process.stdout:
            lines.append(line.rstrip("\n").replace(str(self.folder), "/home/me"))
            if not ended and is_enough(lines):
                ended = True
                os.killpg(process.pid, signal.SIGTERM)
        status = process.wait()
        timer.cancel()
        return (0 if ended else status), lines


def commands(block):
    """The commands of a console block with their expected output."""
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def problems(workplace, block, numbers):
    if block.language == "sh":
        status, lines = workplace.run("\n".join(block.lines))
        return [f"the status is {status}"] + lines if status else []
    for command, expected in commands(block):
        wanted = [masked(line, numbers) for line in expected]
        endless = bool(wanted) and wanted[-1] == "..."

        def fits(lines, wanted=wanted):
            return matches(wanted, [masked(line, numbers) for line in lines])

        status, lines = workplace.run(command, fits if endless else lambda lines: False)
        if not fits(lines):
            return [f"$ {command}", *(f"- {line}" for line in expected), *(f"+ {line}" for line in lines)]
        if status not in (0, 1) and not endless:
            return [f"$ {command}", f"the status is {status}"]
    return []


def main(arguments):
    programs = arguments.pop(0)
    only_list = "--list" in arguments
    chosen = [os.path.relpath(name, ROOT) for name in arguments if name != "--list"]
    exceptions = read_exceptions()
    failed = listed = 0
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        workplace = None if only_list else Workplace(pathlib.Path(folder).resolve(), programs)
        for document in chosen or documents():
            for block in blocks(document):
                if block.language in ("swift", "diff"):
                    continue
                place = f"{block.document}:{block.line}"
                entry = exception(exceptions, block)
                if entry and entry["kind"] != "numbers":
                    listed += 1
                    if only_list:
                        print(f"{place}: not run: {entry['reason']}")
                elif block.language not in ("sh", "console") or block.language == "console" and not block.first.startswith("$ "):
                    failed += 1
                    print(f"{place}: a block of language {block.language or 'none'} that is not listed: {block.first}")
                elif only_list:
                    print(f"{place}: run")
                else:
                    runs.append((place, block, entry is not None))
        # Most commands wait for playback.
        with concurrent.futures.ThreadPoolExecutor(4) as executor:
            for (place, _, _), found in zip(runs, executor.map(lambda run: problems(workplace, *run[1:]), runs)):
                if found:
                    failed += 1
                    print(f"{place}:", *found, sep="\n    ")
    for entry in exceptions:
        if not chosen and not entry["used"]:
            failed += 1
            print(f"{EXCEPTIONS.relative_to(ROOT)}: there is no such block: {entry['document']} {entry['first'] or ''}")
    print(f"{len(runs)} blocks were run, {listed} are listed as not run, {failed} failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
