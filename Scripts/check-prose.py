"""Checks comments, Markdown and messages for words and sentence forms that the style does not allow.

`Scripts/check-prose --help` describes the options. A file is read in three steps:

1. An extractor (Swift, Markdown or script) finds the prose of the file, as paragraphs with line numbers.
2. `Prose` joins the paragraphs to one text. Code in backticks, addresses and interpolations are masked.
3. Each rule searches that text. An exception from prose-exceptions.txt can excuse a finding.
"""

import bisect
import collections
import os
import re
import sys
import tempfile

DEFAULT_PATHS = [
    "Package.swift", "Sources", "Plugins", "Samples", "Tests", "Benchmarks", "Docs", "README.md", "KNOWN_ISSUES.md",
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Scripts",
]
EXCEPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prose-exceptions.txt")

# Separates paragraphs in the searched text. No rule matches it, so no finding spans two paragraphs.
BREAK = "\n\0\n"
MASK = "\u00a7"

SENTENCE_START = r"(?:(?<=\x00\n)|(?<=[.!?]\s)|(?<=[.!?][)\"'*_]\s))"

Rule = collections.namedtuple("Rule", "pattern replacement bad good")

# Words. The pattern is matched as whole words, in any case; a space matches any white space.
# Each rule carries a text that it must find, and a text that it must accept.
WORD_RULES = [
    Rule(r"tells?|told|telling|untold", "send, report, call, print",
         "The delegate is told\nof the end.", "The player reports the end to the delegate."),
    Rule(r"hears|(?:hear|heard|hearing) (?:of|from|about|nothing)", "receive; audio is audible or plays",
         "The view hears of it.", "The view receives the event. The last frame is heard."),
    Rule(r"learnt|learns?(?: of| that)|learned (?:of|that)", "receive, detect, read",
         "The player learns of that from the log.", "The player reads that from the log. Learn how to seek."),
    Rule(r"stands?|stood|stands? still", "pause, stall, be; \"is in the file\"",
         "The playhead stands.", "The playhead stalls. This is a standard, standalone build."),
    Rule(r"(?:go|goes|going|gone|went) on", "continue, resume", "Playback goes on.", "Playback resumes."),
    Rule(r"plays? on(?=\s*[.,;:])", "continue, keep playing", "It plays on.", "It keeps playing on the main display."),
    Rule(r"(?:takes?|took|taken|taking) (?:it |them )?up again", "resume, retry",
         "The reader takes up again at the byte.", "The reader resumes at the byte."),
    Rule(r"(?:comes?|came|coming) back", "return", "The host comes back.", "The host returns."),
    Rule(r"(?:comes?|came|coming) to nothing", "fail", "The request came to nothing.", "The request failed."),
    Rule(r"anew", "again", "The item is opened anew.", "The item is opened again."),
    Rule(r"mediums?(?! (?:size|quality|priority|resolution))", "item, stream, file",
         "The medium is open.", "The item is open, in medium quality."),
    Rule(r"what(?:ever)? (?:is (?:being )?played|plays)", "the item, the stream, the file",
         "Stops what is played.", "Stops the item."),
    Rule(r"pictures?", "video (the stream), frame (one image), view (on screen)",
         "The picture is there.", "The video is visible. Picture in picture works."),
    Rule(r"sounds?", "audio, audio track", "The sounds are listed.", "The audio tracks are listed by the audio server."),
    Rule(r"texts|text (?:tracks?|streams?)", "subtitles, subtitle tracks; for strings: lines, strings, messages",
         "Shows the texts.", "Shows the subtitles as plain text."),
    Rule(r"lanes?|entrances?", "HLS proxy session, playlist rewriter", "The lane opens it.", "The HLS proxy session opens it."),
    Rule(r"gateways?", "HLS proxy", "The gateway answers.", "The HLS proxy answers 502 Bad Gateway."),
    Rule(r"decks?|keepers?", "player, track selection", "Each deck plays one file.", "Each player plays one file."),
    Rule(r"interpreters?", "state machine", "The interpreter decides.", "The state machine decides."),
    Rule(r"supervisors?", "watchdog", "The supervisor waits.", "The watchdog waits."),
    Rule(r"workers?", "executor, serial queue", "The worker runs it.", "The executor runs it. A worker thread waits."),
    Rule(r"joints?", "gapless transition", "The joint is exact.", "The gapless transition is exact, also in joint stereo."),
    Rule(r"voices?(?! (?:calls?|chat|messages?))", "mixer input", "Each voice has a gain.", "Each mixer input has a gain."),
    Rule(r"foretold", "failed preload", "The failure is foretold.", "The preload failed."),
    Rule(r"patience", "timeout, read timeout, stall timeout", "Its patience ends.", "The read timeout expires."),
    Rule(r"longest silence", "timeout; for audio: longest gap", "The longest silence is 9 s.", "The stall timeout is 9 s."),
    Rule(r"troubles?", "error, problem, failure", "There is trouble.", "There is a problem. See Troubleshooting."),
    Rule(r"landmarks?", "scripted event", "At each landmark it seeks.", "At each scripted event it seeks."),
    Rule(r"trials?(?! and error)", "contract context, run, attempt", "Each trial is new.", "Each contract context is new."),
    Rule(r"(?:a|the|this|every|another|last) take(?=\s*(?:[.,;:]|is|was|has))", "recording",
         "Reads the take.", "Reads the recording. These take a while."),
    Rule(r"turns? of the main|(?:by|in (?:its|their)) turns?", "main actor iteration; \"alternately\", \"in order\"",
         "Once a turn of the main actor.", "Once per main actor iteration. It turns by 90 degrees, then in turn."),
    Rule(r"by (?:itself|themselves)", "automatically, alone", "It pauses by itself.", "It pauses automatically."),
    Rule(r"of (?:its|their|our|your|his|her|my|one's) own", "its own", "A thread of its own.", "Its own thread."),
    Rule(r"for so long", "until then, as long as", "It waits for so long.", "It waits until then."),
    Rule(r"but for", "except", "All but for one.", "All except one."),
    Rule(r"somebody|anybody", "the user, the host, a program", "Somebody has paused it.", "The user has paused it."),
    Rule(r"all the same", "anyway; or drop it", "It plays all the same.", "It plays anyway. The rates are all equal."),
    Rule(r"(?:goes|gone|went) away", "is released, ends", "The player goes away.", "The player is released."),
    Rule(r"(?:is|are|was|were) held to", "is clamped to", "It is held to 1.", "It is clamped to 1."),
    Rule(r"but by", "except by; \"Only X does it.\"", "Never undone but by play.", "Only play resumes it."),
    Rule(r"what (?:is|was) (?:loaded|open|opened|prepared|due|shown|heard|missing)", "the item, the opening, the frame",
         "Replaces what is loaded.", "Replaces the loaded item."),
    Rule(r"(?:the|another|a) text that is shown|another text", "the subtitle track", "The text that is shown.",
         "The selected subtitle track. A text file."),
    Rule(r"is nobody's|nobody (?:listens|looks|hears)|who(?:ever)? (?:listens|looks)", "name the listener, or \"nothing\"",
         "Those who listens get it.", "Every observer gets it."),
]

# Starts of sentences: the capital letter is part of the rule. A question is accepted.
START_RULES = [
    Rule(r"What(?:ever)? (?!if\b)", "start with the thing: the player, the queue, your delegate, you",
         "It ends.\nWhat failed is reported.", "It ends. The player reports the failure. What is a stall?"),
    Rule(r"Who(?:ever|se)? ", "start with the thing: the host, the user", "Who asks gets it.", "A host that asks gets it."),
    Rule(r"Whether ", "`true if ...`, or a plain statement", "Whether it plays.", "`true` if it plays."),
    Rule(r"Of (?!course\b)", "subject, verb, object", "Of two players one wins.", "One of two players wins."),
    Rule(r"In (?:milli|micro|nano)?(?:seconds|bytes|bits|pixels|frames|samples|hertz|percent|points)[:,] ",
         "put the unit at the end: \"The position, in seconds.\"", "In seconds: the position.", "The position, in seconds."),
]

# A clause as the subject after a doc comment's or a field's beginning, where the letter may be small.
FIELD_RULES = [
    Rule(r"(?:what(?:ever)?|who(?:ever)?|whether) (?!if\b)", "name the thing; for a Bool: `true if ...`",
         "- Returns: whether it plays.", "- Returns: `true` if it plays."),
]

# Private inventions in prose, backticks included, and in Swift declarations.
NAMES = {
    "VLCDeck": "a player", "VLCInterpreter": "a state machine", "VLCSupervisor": "a watchdog", "VLCWorker": "an executor",
    "VLCTrackKeeper": "a track selection", "VLCJoint": "a gapless transition", "VLCAlignment": "a clock sync",
    "SoundVoice": "a mixer input", "SoundSource": "an input queue", "SoundMixer": "an audio mixer", "SoundTake": "a recording",
    "HLSLane": "an HLS proxy session", "HLSEntrance": "a playlist rewriter", "HLSGateway": "an HLS proxy",
    "BackendTrial": "a contract context",
}
DECLARED_PARTS = (
    "Sound|Deck|Keeper|Lane|Entrance|Gateway|Voice|Joint|Trial|Landmark|Interpreter|Supervisor|Worker|Alignment|Medium"
)
DECLARATION = re.compile(
    r"\b(?:class|struct|enum|actor|protocol|typealias)\s+"
    r"(?P<type>\w*?(?:(?:" + DECLARED_PARTS + r")(?=[A-Z0-9]|s?\b)\w*)|(?:Take|Turn|Site)\b)"
    r"|\b(?:func|var|let|case)\s+(?P<member>\w*(?:[fF]oretold|[pP]atience|[tT]rouble(?!sh))\w*|(?:medium|sounds?|tells?)\b)"
)
NAME = re.compile(r"\b(?:" + "|".join(NAMES) + r")\b")


def compiled(rules, prefix, flags):
    """One pattern with a group for each rule: a text is searched once, not once a rule."""
    space = r"\s+(?=[^\s\x00\x01])"
    groups = "|".join(f"(?P<r{number}>{rule.pattern})" for number, rule in enumerate(rules))
    return re.compile(prefix + "(?:" + groups.replace(" ", space) + ")", flags)


WORDS = compiled([rule._replace(pattern=rf"(?:{rule.pattern})(?![\w-]|\.\w)") for rule in WORD_RULES], r"(?<![\w.-])", re.I)
STARTS = compiled(START_RULES, SENTENCE_START, 0)
FIELDS = compiled(FIELD_RULES, r"(?<=\x01\n)", re.I)


class Prose:
    """The prose of one file as one text, from which a position leads back to a line."""

    def __init__(self):
        self.parts = [BREAK]
        self.length = len(BREAK)
        self.offsets = [0]
        self.lines = [1]

    def add(self, line, text, paragraph=False):
        """Adds a line of text. `paragraph` begins a new paragraph with it."""
        if paragraph:
            self.append(BREAK)
        self.offsets.append(self.length)
        self.lines.append(line)
        self.append(text + "\n")

    def append(self, text):
        self.parts.append(text)
        self.length += len(text)

    def text(self):
        return "".join(self.parts) + BREAK

    def line(self, offset):
        return self.lines[bisect.bisect_right(self.offsets, offset) - 1]


def masked(text):
    """The text with code, addresses and link targets replaced by as many mask characters."""
    def hide(match):
        return MASK * len(match.group())

    text = re.sub(r"(`+)[^`\n]+\1", hide, text)
    text = re.sub(r"\]\([^)\s]*\)", lambda match: "]" + MASK * (len(match.group()) - 1), text)
    return re.sub(r"\w+://[^\s)\"'>]+|<!--.*?-->", hide, text)


FIELD = re.compile(r"^- (?:Returns|Throws|Parameter \w+|\w+):\s+", re.I)


class Markdown:
    """Adds Markdown, line by line: paragraphs, list items, table cells. Fenced code is skipped, unless it is Swift."""

    def __init__(self, prose, documentation=False):
        self.prose = prose
        self.documentation = documentation
        self.fence = None
        self.swift = []
        self.begins = True

    def add(self, line, text):
        stripped = text.strip()
        opening = re.match(r"(```+|~~~+)\s*(\w*)", stripped)
        if self.fence:
            if opening and stripped.startswith(self.fence):
                self.end_fence()
            else:
                self.swift.append((line, text))
            return
        if opening:
            self.fence = opening.group(1)
            self.is_swift = opening.group(2) == "swift"
            self.begins = True
            return
        if not stripped:
            self.begins = True
        elif stripped.startswith("|"):
            for cell in stripped.strip("|").split("|"):
                self.prose.add(line, cell.strip(), paragraph=True)
            self.begins = True
        else:
            item = re.match(r"(?:#+|[-*+]|\d+\.|>|\[[ x]\])\s+", stripped)
            field = FIELD.match(stripped) if self.documentation else None
            if field:
                self.prose.append("\n\1\n")
                self.prose.add(line, stripped[field.end():])
            elif self.documentation and self.begins and stripped[0].islower():
                self.prose.append(BREAK + "\1\n")
                self.prose.add(line, stripped)
            else:
                self.prose.add(line, stripped[item.end():] if item else stripped, paragraph=self.begins or bool(item))
            self.begins = stripped.startswith("#")

    def end_fence(self):
        if self.is_swift and not self.documentation and self.swift:
            extract_swift("\n".join(text for _, text in self.swift), self.prose, self.swift[0][0])
        self.fence, self.swift = None, []


def extract_markdown(source, prose):
    markdown = Markdown(prose)
    for number, text in enumerate(source.split("\n"), 1):
        markdown.add(number, text)


def extract_script(source, prose):
    """Shell and Python: comments and code alike, since no rule matches code."""
    previous = None
    for number, text in enumerate(source.split("\n"), 1):
        stripped = text.strip()
        kind = "comment" if stripped.startswith("#") else "code" if stripped else None
        if kind:
            prose.add(number, stripped.lstrip("# "), paragraph=kind != previous)
        previous = kind


TOKEN = re.compile(r"//|/\*|#*\"\"\"|#*\"")


def string_end(source, start, pounds, multiline):
    """The end of a string literal's content, and the content with its interpolations masked."""
    close = ('"""' if multiline else '"') + "#" * pounds
    escape = "\\" + "#" * pounds
    content = []
    index = start
    while index < len(source):
        if source.startswith(close, index):
            return index + len(close), "".join(content)
        if source[index] == "\n" and not multiline:
            break
        if source.startswith(escape + "(", index):
            end = interpolation_end(source, index + len(escape) + 1)
            content.append(re.sub(r"[^\n]", MASK, source[index:end]))
            index = end
        elif source.startswith(escape, index):
            escaped = source[index + len(escape):index + len(escape) + 1]
            content.append("\n" + "\0" * (len(escape) - 1) + "\1" if escaped == "n" and not multiline else MASK * (len(escape) + 1))
            index += len(escape) + 1
        else:
            content.append(source[index])
            index += 1
    return index, "".join(content)


def interpolation_end(source, index):
    depth = 1
    while index < len(source) and depth:
        character = source[index]
        if character == '"':
            multiline = source.startswith('"""', index)
            index, _ = string_end(source, index + (3 if multiline else 1), 0, multiline)
            continue
        if character == "\n":
            break
        depth += {"(": 1, ")": -1}.get(character, 0)
        index += 1
    return index


def extract_swift(source, prose, first_line=1, code=None):
    """Comments and those string literals that have a space. `code` receives the rest, with the same lines."""
    starts = [0] + [match.end() for match in re.finditer("\n", source)]
    comment = None
    comment_line = 0
    position = 0
    index = 0

    def line_of(offset):
        return bisect.bisect_right(starts, offset)

    while True:
        token = TOKEN.search(source, index)
        if not token:
            break
        start, text = token.start(), token.group()
        if code is not None:
            code.append(source[position:start])
        line = line_of(start)
        if text == "//":
            end = source.find("\n", start)
            end = len(source) if end < 0 else end
            # Lines of comment that follow each other are one comment, unless one is behind code.
            alone = not source[starts[line - 1]:start].strip()
            kind = "///" if source.startswith("///", start) else "//"
            if not (comment and alone and comment_line == line - 1 and comment[0] == kind):
                comment = (kind, Markdown(prose, documentation=kind == "///"))
            comment[1].add(first_line + line - 1, source[start + len(kind):end])
            comment_line = line if alone else -1
        elif text == "/*":
            end = source.find("*/", start)
            end = len(source) if end < 0 else end + 2
            markdown = Markdown(prose, documentation=source.startswith("/**", start))
            for number, row in enumerate(source[start:end].strip("/").split("\n")):
                markdown.add(first_line + line - 1 + number, row.strip().strip("*"))
        else:
            pounds = text.count("#")
            multiline = text.endswith('"""')
            end, content = string_end(source, token.end(), pounds, multiline)
            if " " in content.strip():
                begins = True
                for number, row in enumerate(content.split("\n")):
                    if row.strip().startswith("#EXT"):  # A playlist, not prose.
                        continue
                    if multiline:
                        prose.add(first_line + line - 1 + number, row.strip(), paragraph=begins or not row.strip())
                        begins = not row.strip()
                    else:
                        prose.add(first_line + line - 1, row.lstrip("\0\1"), paragraph=True)
        if code is not None:
            code.append("\n" * source.count("\n", start, end))
        position = index = end
    if code is not None:
        code.append(source[position:])


Exception_ = collections.namedtuple("Exception_", "path phrase")


def read_exceptions(path, root="."):
    """Lines of the forms `path PATH: REASON`, `phrase "PHRASE": REASON` and `in PATH "PHRASE": REASON`."""
    exceptions = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = re.fullmatch(r'(?:path (\S+)|phrase "([^"]+)"|in (\S+) "([^"]+)"):\s+(\S.*)', line)
            if not match:
                sys.exit(f"error: {path}:{number}: expected path, phrase or in, and a reason after a colon.")
            place = match.group(1) or match.group(3)
            if place and not os.path.exists(os.path.join(root, place)):
                sys.exit(f"error: {path}:{number}: {place} does not exist. Remove the exception.")
            phrase = match.group(2) or match.group(4)
            pattern = phrase and re.compile(r"\s+".join(re.escape(word) for word in phrase.split()), re.I)
            exceptions.append(Exception_(place, pattern))
    return exceptions


def covers(exception, path):
    place = exception.path
    return not place or path == place or path.startswith(place.rstrip("/") + "/")


def findings_in(path, source, exceptions):
    """The findings of one file, as (line, phrase, replacement)."""
    here = [exception for exception in exceptions if covers(exception, path)]
    if any(exception.phrase is None for exception in here):
        return []
    prose = Prose()
    code = []
    stem, suffix = os.path.splitext(os.path.basename(path))
    if suffix in (".swift", ".c", ".h"):
        extract_swift(source, prose, code=code)
    elif suffix == ".md":
        extract_markdown(source, prose)
    else:
        extract_script(source, prose)
    found = []

    def search(pattern, rules, text, line_of):
        excused = [span.span() for exception in here for span in exception.phrase.finditer(text)]
        for match in pattern.finditer(text):
            if any(start <= match.start() and match.end() <= end for start, end in excused):
                continue
            if rules is START_RULES:
                sentence_end = re.search(r"[.!?](?=\s|[)\"*_])|\0", text[match.end():])
                if sentence_end and sentence_end.group() == "?":
                    continue
            rule = rules[int(match.lastgroup[1:])] if rules else None
            replacement = rule.replacement if rule else "name " + NAMES[match.group()]
            phrase = " ".join(match.group().split())
            found.append((line_of(match.start()), phrase + (" ..." if rule in START_RULES else ""), replacement))

    raw = prose.text()
    text = masked(raw)
    search(WORDS, WORD_RULES, text, prose.line)
    search(STARTS, START_RULES, text, prose.line)
    search(FIELDS, FIELD_RULES, text, prose.line)
    search(NAME, None, raw, prose.line)
    # The file's name, as words.
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_+.]", " ", stem)
    search(WORDS, WORD_RULES, BREAK + words + BREAK, lambda _: 1)
    for number, row in enumerate("".join(code).split("\n"), 1):
        for match in DECLARATION.finditer(row):
            name = match.group("type") or match.group("member")
            if any(exception.phrase.fullmatch(name) for exception in here):
                continue
            found.append((number, match.group(), "a name from the style's glossary"))
    return sorted(set(found))


def is_script(path):
    if path.endswith((".sh", ".py")):
        return True
    if "." in os.path.basename(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def files_below(paths):
    for path in paths:
        if os.path.isfile(path):
            yield os.path.normpath(path)
        elif os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                for name in sorted(names):
                    file = os.path.normpath(os.path.join(folder, name))
                    if name.endswith((".swift", ".md", ".c", ".h")) or is_script(file):
                        yield file
        else:
            sys.exit(f"error: {path} does not exist.")


def group(path):
    parts = path.split("/")
    depth = 2 if parts[0] in ("Sources", "Plugins", "Samples", "Tests", "Docs") and len(parts) > 2 else 1
    return "/".join(parts[:depth])


def check(paths, exceptions, only_counts):
    counts = collections.Counter()
    for path in files_below(paths):
        with open(path, encoding="utf-8", errors="replace") as file:
            found = findings_in(path, file.read(), exceptions)
        counts[group(path)] += len(found)
        if not only_counts:
            for line, phrase, replacement in found:
                print(f"{path}:{line}: {phrase} → {replacement}")
    total = sum(counts.values())
    if only_counts:
        for folder, count in sorted(counts.items()):
            print(f"{count:6}  {folder}")
    print(f"{total} findings" if total != 1 else "1 finding")
    return 1 if total else 0


def self_test():
    failures = []

    def expect(count, path, source, note, exceptions=()):
        found = findings_in(path, source, list(exceptions))
        if len(found) != count:
            failures.append(f"{note}: expected {count} findings in {source!r}, got {found}")

    exceptions = read_exceptions(EXCEPTIONS)
    for rule in WORD_RULES + START_RULES + FIELD_RULES:
        documentation = rule in FIELD_RULES
        as_comment = "/// " + "\n/// ".join(f"Good.\n{rule.bad}".split("\n"))
        expect(1, "a.swift", as_comment, f"{rule.pattern}, in a comment", exceptions)
        good = "/// " + "\n/// ".join(f"Good.\n{rule.good}".split("\n"))
        expect(0, "a.swift", good, f"{rule.pattern}, good text in a comment", exceptions)
        if not documentation:
            expect(1, "a.md", rule.bad, f"{rule.pattern}, in Markdown", exceptions)
            expect(0, "a.md", rule.good, f"{rule.pattern}, good text in Markdown", exceptions)
            expect(1, "a.swift", 'print("' + rule.bad.replace("\n", " ") + '")', f"{rule.pattern}, in a message", exceptions)
    for name in NAMES:
        expect(1, "a.md", f"The type `{name}Type` is gone, `{name}` stays.", name)
    expect(1, "a.swift", "final class VLCDeck {}", "a declared type")
    expect(1, "a.swift", "struct Take {}", "a declared type")
    expect(0, "a.swift", "struct CallSite {}; let taken = Turned()", "an accepted declaration")
    expect(1, "a.swift", "    let patience: Duration", "a declared member")
    expect(0, "a.swift", "let told = tell(sound)", "code")
    expect(1, "a.swift", "/* The host\n * is told. */", "a block comment")
    expect(1, "a.swift", "let a = 1 // told", "a comment behind code")
    expect(0, "a.swift", 'let a = "told" + "see http://a/the/sound"', "a word alone, an address")
    expect(1, "a.swift", 'let a = #"the "sound" is \\#(x("a b")) on"#', "a raw string")
    expect(0, "a.swift", 'let a = """\n#EXT-X-MEDIA:NAME="the sound"\nsound.m3u8 or\n"""', "a playlist")
    expect(1, "a.swift", 'let a = """\n  Good text\n  is told\n  """', "a string of several lines")
    expect(0, "a.swift", 'let a = "\\(told("the sound")) is good"', "an interpolation")
    expect(1, "a.swift", 'let a = "One.\\nWhat fails is bad."', "an escaped line break")
    expect(0, "a.swift", "/// Calls `tell()` and ``Sound``.", "code in backticks")
    expect(1, "a.md", "| a | What fails is bad |\n|---|---|", "a table cell")
    expect(0, "a.md", "```\nthe sound\n```", "fenced output")
    expect(1, "a.md", "```swift\nplay() // the sound\n```", "fenced Swift")
    expect(1, "sound-of-a-queue.md", "Good.", "a file name")
    expect(1, "run.sh", "# Prints what\n# is told.", "a script")
    phrase = Exception_(None, re.compile(r"is\s+told"))
    expect(0, "a.md", "It is\ntold.", "an excused phrase", [phrase])
    expect(1, "a.md", "It was told.", "another phrase", [phrase])
    expect(0, "b/a.md", "It is told.", "an excused folder", [Exception_("b", None)])
    expect(1, "bc/a.md", "It is told.", "another folder", [Exception_("b", None)])
    lines = [line for line, _, _ in findings_in("a.swift", "\n/// Good\n/// it is\n/// told.\n", [])]
    if lines != [4]:
        failures.append(f"the line of a finding: expected 4, got {lines}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text, status in (("bad", "It is told.", 1), ("good", "The player reports it.", 0)):
            with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as file:
                file.write(text)
            sys.stdout = open(os.devnull, "w", encoding="utf-8")
            result = check([os.path.join(folder, name + ".md")], [], False)
            sys.stdout = sys.__stdout__
            if result != status:
                failures.append(f"the exit status of {name} text: expected {status}, got {result}")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    print("The self-test failed." if failures else f"The self-test passed: {len(WORD_RULES + START_RULES + FIELD_RULES)} rules.")
    return 1 if failures else 0


def main(arguments):
    if "--self-test" in arguments:
        return self_test()
    paths = [argument for argument in arguments if not argument.startswith("--")]
    return check(paths or DEFAULT_PATHS, read_exceptions(EXCEPTIONS), "--count" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
