"""Compares the public API with the lists of its names, and finds symbols without a comment. See Scripts/check-api.

usage: check-api.py [--self-test] MIRRORED ADDITIONS EXPORTS GRAPHS

  MIRRORED    the names of the mirrored interface
  ADDITIONS   the names that the SDK adds
  EXPORTS     the source file with the names that `import FlowplayerSDK` exports from other modules
  GRAPHS      a folder with the symbol graphs of all libraries
"""

import copy
import json
import pathlib
import re
import sys

ABSENT = "# UIKit, which Linux does not have"

# A host sees at most this number of types. Names inside a type do not count, and Apple's names do not clash with the host's.
MAXIMUM_TYPES = 80

# Symbol graphs contain the nested type, programs use an alias.
ALIASES = {"NSNotification.Name": "Notification.Name"}

# One conformance that consists of two.
COMPOSED = {"Codable": {"Decodable", "Encodable"}}

# The standard library documents these members with their protocol.
EXPLAINED = {
    "Clock": {"now", "minimumResolution", "sleep(until:tolerance:)"},
    "InstantProtocol": {"advanced(by:)", "duration(to:)"},
}


def split_list(text):
    """Splits a text at commas, except commas in brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def in_parentheses(text):
    """Returns the content of the first pair of parentheses, or an empty string."""
    depth, inside = 0, ""
    for character in text:
        depth -= character == ")"
        if depth > 0:
            inside += character
        elif inside or character == ")":
            break
        depth += character == "("
    return inside


def split_path(path):
    """Splits a path into the type and its member. Types may contain dots, labels may not."""
    base, parenthesis, labels = path.partition("(")
    owner, _, name = base.rpartition(".")
    return owner, name + parenthesis + labels


class Parameter:
    """A declared parameter: `at time: Int = 0`."""

    def __init__(self, text):
        declaration, equals, _ = text.partition(" = ")
        names, _, self.type = declaration.partition(": ")
        self.label = names.split()[0] if self.type else "_"
        self.type = self.type or declaration
        self.has_default = bool(equals)


class Symbol:
    """A public symbol of a symbol graph."""

    def __init__(self, description):
        self.id = description["identifier"]["precise"]
        self.kind = description["kind"]["identifier"]
        self.is_documented = "docComment" in description
        self.is_synthesized = "::SYNTHESIZED::" in self.id
        self.path = ".".join(description["pathComponents"])
        for original, alias in ALIASES.items():
            if self.path.startswith(original + "."):
                self.path = alias + self.path[len(original):]
        self.owner, self.name = split_path(self.path)
        location = description.get("location", {})
        self.file = location.get("uri", "").rpartition("/")[2]
        position = location.get("position", {})
        self.line, self.column = position.get("line", 0), position.get("character", 0)

        fragments = description["declarationFragments"]
        named = [index for index, fragment in enumerate(fragments)
                 if fragment["kind"] == "identifier" or fragment["spelling"] in ("init", "subscript")][0]
        spellings = [fragment["spelling"] for fragment in fragments]
        self.words = "".join(spellings[:named]).split()
        declared, _, accessors = "".join(spellings[named + 1:]).partition(" {")
        self.declared = declared
        self.is_settable = "var" in self.words and "get }" not in accessors
        self.parameters = [Parameter(text) for text in split_list(in_parentheses(declared))]

    def takes(self, labels):
        """Returns true if a call with these labels matches this function. Parameters with a default are optional."""
        rest = list(labels)
        for parameter in self.parameters:
            if rest and rest[0] == parameter.label:
                rest.pop(0)
            elif not parameter.has_default:
                return False
        return not rest

    def __str__(self):
        return f"{self.path} ({self.file}:{self.line + 1})" if self.file else self.path


class API:
    """All symbols of a folder of symbol graphs, with their relations."""

    def __init__(self, graphs):
        self.symbols = [Symbol(description) for graph in graphs for description in graph["symbols"]]
        self.by_path = {}
        for symbol in self.symbols:
            self.by_path.setdefault(symbol.path, []).append(symbol)
        paths = {symbol.id: symbol.path for symbol in self.symbols}
        self.supertypes = {}
        relations = [relation for graph in graphs for relation in graph["relationships"]]
        # Inherited members come before protocol requirements.
        for kind in ("inheritsFrom", "conformsTo"):
            for relation in (relation for relation in relations if relation["kind"] == kind):
                name = paths.get(relation["target"]) or relation.get("targetFallback", "").partition(".")[2]
                self.supertypes.setdefault(paths.get(relation["source"]), []).append(name)
        self.with_default = {
            relation["target"] for relation in relations if relation["kind"] == "defaultImplementationOf"}

    def lineage(self, path):
        """Returns a type, followed by its superclasses and protocols."""
        found = [path]
        for name in found:
            found += [supertype for supertype in self.supertypes.get(name, []) if supertype not in found]
        return found

    def find(self, path):
        """Returns the symbols that a path can refer to."""
        owner, name = split_path(path)
        base, parenthesis, labels = name.partition("(")
        labels = labels.rstrip(")").split(":")[:-1]
        for type_name in self.lineage(owner) if owner else [""]:
            members = [symbol for symbol in self.symbols if symbol.owner == type_name]
            found = [symbol for symbol in members if symbol.name == name] or [
                symbol for symbol in members
                if parenthesis and symbol.name.startswith(base + "(") and symbol.takes(labels)]
            if found:
                return found
        return []

    def cases(self, path):
        """Returns the cases of an enumeration in declaration order."""
        cases = [symbol for symbol in self.symbols if symbol.kind == "swift.enum.case" and symbol.owner == path]
        return [symbol.path for symbol in sorted(cases, key=lambda symbol: (symbol.line, symbol.column))]

    def without_alias(self, type_name):
        """Returns a type with its aliases resolved."""
        def original(match):
            symbols = self.by_path.get(match.group(), [])
            aliased = [symbol.declared[3:] for symbol in symbols if symbol.kind == "swift.typealias"]
            return aliased[0] if aliased else match.group()
        return re.sub(r"[\w.]+", original, type_name)


class Entry:
    """A line of the list of names."""

    FORM = re.compile(
        r"(?P<words>(?:@?\w+ )*)(?P<path>[\w.]+(?:\([\w:]*\))?)"
        r"(?: = (?P<alias>.+)|: (?P<type>.+?)| -> (?P<result>.+))?(?P<settable> \{ get set \})?"
        r"(?: with (?P<parameters>.+))?")

    def __init__(self, line):
        match = self.FORM.fullmatch(line)
        if not match:
            raise SystemExit(f"error: invalid name: {line}")
        self.line = line
        self.path = match["path"]
        self.words = match["words"].split()
        self.alias, self.type, self.result = match["alias"], match["type"], match["result"]
        self.is_settable = bool(match["settable"])
        self.parameters = split_list(match["parameters"] or "")

    def differences(self, symbol, api):
        """Yields the differences between the API and this line."""
        def unlike(wanted, actual):
            return wanted is not None and api.without_alias(wanted) not in map(api.without_alias, actual)

        if unlike(self.alias, [symbol.declared.removeprefix(" = ")]):
            yield f"is an alias of{symbol.declared.removeprefix(' =')}, not of {self.alias}"
        if unlike(self.result, [symbol.declared.rpartition(" -> ")[2].partition(" where ")[0]]):
            yield f"does not return {self.result}, but is declared as {symbol.declared}"
        if self.type and symbol.kind in ("swift.struct", "swift.class", "swift.enum", "swift.protocol"):
            supertypes = set(api.lineage(symbol.path))
            supertypes |= {init.parameters[0].type for init in api.by_path.get(symbol.path + ".init(rawValue:)", [])}
            for name in COMPOSED.get(self.type, {self.type}) - supertypes:
                yield f"does not inherit from or conform to {name}"
        elif unlike(self.type, [symbol.declared.removeprefix(": ")]):
            yield f"is declared as {symbol.declared.removeprefix(': ')}, not {self.type}"
        if self.is_settable and not symbol.is_settable:
            yield "cannot be set"
        for name in self.parameters:
            if unlike(name, [parameter.type for parameter in symbol.parameters]):
                yield f"has no parameter {name}"
        for word in self.words:
            if word == "optional":
                if symbol.id not in api.with_default:
                    yield "has no default"
            elif word not in symbol.words:
                yield f"is not {word}"


def read_names(text):
    """Returns the lines for existing names, and those for names that need UIKit."""
    there, _, absent = text.partition(ABSENT)
    return [[Entry(line) for line in part.splitlines() if line and not line.startswith("#")] for part in (there, absent)]


def check_names(api, text):
    """Yields the differences between the API and a list of names."""
    there, absent = read_names(text)
    lines = [entry.line for entry in there + absent]
    for line in sorted({line for line in lines if lines.count(line) > 1}):
        yield f"listed twice: {line}"
    for entry in there:
        found = api.find(entry.path)
        if not found:
            yield f"missing: {entry.path}"
            continue
        # If several symbols have the name, one match is enough.
        differences = min((list(entry.differences(symbol, api)) for symbol in found), key=len)
        for difference in differences:
            yield f"different: {entry.path} {difference}"
    for path in dict.fromkeys(split_path(entry.path)[0] for entry in there):
        listed = [entry.path for entry in there if split_path(entry.path)[0] == path]
        cases = api.cases(path)
        if set(listed) & set(cases) and [name for name in listed if name in cases] != cases:
            yield f"different: the cases of {path} are {', '.join(split_path(case)[1] for case in cases)}"
    for entry in absent:
        if any(symbol.path == entry.path for symbol in api.symbols):
            yield f"exists, but is listed under \"{ABSENT[2:]}\": {entry.path}"


def check_events(api, text):
    """Yields the delegate methods and notifications that no list has."""
    listed = {entry.path for entry in read_names(text)[0]}
    event = re.compile(r"Flowplayer\w*Delegate\..+|Notification\.Name\.flowplayer\w+")
    for path in sorted({symbol.path for symbol in api.symbols if event.fullmatch(symbol.path)} - listed):
        yield f"not listed: {path}"


def visible(graphs, exports):
    """Returns the graphs of the SDK and of the names that it exports."""
    exported = set(re.findall(r"^@_exported import \w+ (\w+)\.(\w+)$", exports, re.MULTILINE))
    modules = {module for module, _ in exported}
    names = {name for _, name in exported}
    hidden = tuple(f"s:{len(module)}{module}" for module in modules)

    def is_visible(symbol):
        return symbol["pathComponents"][0] in names or not symbol["identifier"]["precise"].startswith(hidden)

    return [
        {**graph, "symbols": list(filter(is_visible, graph["symbols"]))}
        for graph in graphs if graph["module"]["name"] in modules | {"FlowplayerSDK"}]


def host_types(api):
    """Returns the names of the types that a host sees, without Apple's."""
    kinds = {f"swift.{kind}" for kind in ("class", "enum", "protocol", "struct")}
    own = re.compile(r"(?!(AV|CM|NS)[A-Z])\w+")
    return sorted({symbol.path for symbol in api.symbols if symbol.kind in kinds and own.fullmatch(symbol.path)})


def check_modules(graphs):
    """Yields the modules that contain a type of the same name. A name in such a module cannot be qualified."""
    types = {(graph["module"]["name"], *symbol["pathComponents"]) for graph in graphs for symbol in graph["symbols"]}
    for module in sorted({graph["module"]["name"] for graph in graphs}):
        if (module, module) in types:
            yield f"module that contains a type of its name: {module}"


def check_comments(api):
    """Yields the symbols without a comment."""
    for symbol in api.symbols:
        explained = {name for protocol in api.lineage(symbol.owner) for name in EXPLAINED.get(protocol, ())}
        if not (symbol.is_documented or symbol.is_synthesized or symbol.name in explained):
            yield f"no comment: {symbol}"


def load(folder):
    files = sorted(pathlib.Path(folder).glob("*.symbols.json"))
    if not files:
        raise SystemExit(f"error: no symbol graphs in {folder}")
    return [json.loads(file.read_text()) for file in files]


def self_test(names, graphs):
    """Introduces one error after another. Each must be the only one that is found."""

    def symbol(graphs, path):
        return [(graph["symbols"], description) for graph in graphs for description in graph["symbols"]
                if ".".join(description["pathComponents"]) == path][0]

    def remove(path):
        def change(graphs):
            symbols, description = symbol(graphs, path)
            symbols.remove(description)
        return change

    def swap(first, second):
        def change(graphs):
            (_, a), (_, b) = symbol(graphs, first), symbol(graphs, second)
            a["location"], b["location"] = b["location"], a["location"]
        return change

    def drop_default(path):
        def change(graphs):
            wanted = symbol(graphs, path)[1]["identifier"]["precise"]
            for graph in graphs:
                graph["relationships"] = [relation for relation in graph["relationships"]
                                          if (relation["kind"], relation["target"]) != ("defaultImplementationOf", wanted)]
        return change

    def silence(path):
        def change(graphs):
            del symbol(graphs, path)[1]["docComment"]
        return change

    def expect(findings, *parts):
        findings = list(findings)
        if len(findings) != 1 or not all(part in findings[0] for part in parts):
            raise SystemExit(f"error: self-test: expected {' '.join(parts)}, found: {findings}")

    def broken(graphs, change):
        graphs = copy.deepcopy(graphs)
        change(graphs)
        return API(graphs)

    for change, *parts in [
        (remove("FlowplayerAPI.seek(_:)"), "missing: FlowplayerAPI.seek(_:)"),
        (remove("Orientation.portrait"), "missing: Orientation.portrait"),
        (swap("PlayerState.play", "PlayerState.pause"), "the cases of PlayerState", "ready, pause, play"),
        (drop_default("FlowplayerDelegate.player(_:didChangeSeek:to:)"), "didChangeSeek:to:) has no default"),
    ]:
        expect(check_names(broken(graphs, change), names), *parts)

    api = API(graphs)
    for old, new, *parts in [
        ("FlowplayerAPI.play()\n", "FlowplayerAPI.play()\nFlowplayerAPI.playBackwards()\n", "missing", "playBackwards()"),
        ("AudioTrack.id: Int\n", "AudioTrack.id: String\n", "AudioTrack.id is declared as Int"),
        ("PlayerState: Int\n", "PlayerState: String\n", "PlayerState does not inherit from or conform to String"),
        ("OVPConfig: Codable\n", "OVPConfig: Identifiable\n", "OVPConfig does not inherit from or conform to Identifiable"),
        ("AVPlayer = MediaPlayer\n", "AVPlayer = PlayerItem\n", "AVPlayer is an alias of MediaPlayer"),
        ("reload() -> Bool\n", "reload() -> Int\n", "FlowplayerAPI.reload() does not return Int"),
        ("FlowplayerAPI.isReady: Bool\n", "FlowplayerAPI.isReady: Bool { get set }\n", "isReady cannot be set"),
        ("with [AudioTrack]\n", "with [VideoTrack]\n", "loadedTracks:) has no parameter [VideoTrack]"),
        ("weak FlowplayerView.adDelegate\n", "static FlowplayerView.adDelegate\n", "adDelegate is not static"),
        ("AdType.unknown\n", "", "the cases of AdType are preRoll, midRoll, postRoll, unknown"),
        ("PlayerEvent\n", "PlayerEvent\nPlayerEvent\n", "listed twice: PlayerEvent"),
    ]:
        if old not in names:
            raise SystemExit(f"error: self-test: the list of names has no line {old}")
        expect(check_names(api, names.replace(old, new, 1)), *parts)
    expect(check_names(api, f"{names}\nFlowplayerView\n"), "exists, but is listed", "FlowplayerView")
    for name in ["Notification.Name.flowplayerAdDidFail", "FlowplayerViewDelegate.viewWasDestroyed(playerID:)"]:
        unlisted = "\n".join(line for line in names.splitlines() if name not in line)
        expect(check_events(api, unlisted), "not listed: " + name)

    renamed = copy.deepcopy(graphs)
    for graph in renamed:
        if graph["module"]["name"] == "VLCBackend":
            graph["module"]["name"] = "LibVLCBackend"
    expect(check_modules(renamed), "module that contains a type of its name: LibVLCBackend")

    for path in ["FlowplayerAPI.play()", "PlayerState.play", "EventLogger", "LibVLCBackend", "ManualClock.advance(by:)"]:
        expect(check_comments(broken(graphs, silence(path))), "no comment: " + path)
    print("The self-test found all errors.")


def main():
    *options, mirrored, additions, exports, graphs = sys.argv[1:]
    mirrored, additions, exports = (pathlib.Path(file).read_text() for file in (mirrored, additions, exports))
    graphs = load(graphs)
    seen, all_symbols = API(visible(graphs, exports)), API(graphs)
    missing = list(check_names(seen, mirrored))
    types = host_types(seen)
    findings = [*missing, *check_names(all_symbols, additions), *check_events(seen, f"{additions}\n{mirrored}"),
                *check_comments(all_symbols), *check_modules(graphs)]
    if len(types) > MAXIMUM_TYPES:
        findings.append(f"{len(types)} types instead of at most {MAXIMUM_TYPES}: {', '.join(types)}")
    for line in findings:
        print(line, file=sys.stderr)
    names, absent = read_names(mirrored)
    there = len(names) - sum(line.startswith("missing: ") for line in missing)
    print(f"Mirrored interface: {there} of {len(names)} names ({100 * there // len(names)} %), "
          f"without {len(absent)} names that need UIKit.")
    if findings:
        raise SystemExit(1)
    if options:
        self_test(f"{additions}\n{mirrored}", graphs)
    documented = sum(not symbol.is_synthesized for symbol in all_symbols.symbols)
    print(f"{len(read_names(additions)[0])} names are added. Hosts see {len(types)} types. "
          f"All {documented} public symbols have a comment.")


main()
