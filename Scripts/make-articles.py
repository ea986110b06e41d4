"""Makes a DocC catalogue from the SDK's catalogue, the guides and the symbol graphs of the other products.

usage: make-articles.py GRAPHS CATALOGUE

Each guide becomes an article, and each other product gets a page with its symbols. Links between documents become links between
articles; links to source files become plain text. Exits with 1 if a document has a link to a file or a heading that does not exist.
"""

import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path.cwd()
SDK = pathlib.Path("Sources/FlowplayerSDK/FlowplayerSDK.docc")
# These have their symbols on the landing page.
CURATED = ("FlowplayerSDK", "Playback", "VLCBackend")
# The landing page takes its topics from this list.
INDEX = pathlib.Path("Docs/README.md")
DECISIONS = pathlib.Path("Docs/Decisions/README.md")
# The cards of the landing page, with their images.
CARDS = {
    "YourFirstPlayer": "screenshot.png", "RecipesGuide": "several-screens.png", "ShowingVideoGuide": "gtk-player.png",
    "CommandLineGuide": "terminal.png", "ArchitectureGuide": "architecture.svg", "BackgroundPlaybackGuide": "background-states.svg",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
FENCE = re.compile(r"^```")


def documents():
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / "Docs").glob("**/*.md"))]
    paths.remove(INDEX)
    return paths + [pathlib.Path(name) for name in (
        "KNOWN_ISSUES.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md", "Samples/README.md")]


def article_name(path):
    """The name of a document's article. It differs from the names of all symbols."""
    if path.parent == SDK:
        return path.stem
    words = [part for part in path.with_suffix("").parts if part not in ("Docs", "README")]
    name = "".join(word[0].upper() + word[1:] for word in re.split(r"[-_/ ]", "-".join(words)) if word)
    return name if path.stem.isupper() or path.parts[1:2] == ("Decisions",) else name + "Guide"


def plain(heading):
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return heading.replace("`", "")


def headings(path):
    """The headings of a document, by their anchors in Markdown."""
    found = {}
    inside = False
    for line in (ROOT / path).read_text().split("\n"):
        inside ^= bool(FENCE.match(line))
        if not inside and (match := re.match(r"#+ (.*)", line)):
            text = plain(match.group(1))
            found[re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")] = text
    return found


def docc_anchor(heading):
    return re.sub(r"[^\w-]", "", re.sub(r"\s+", "-", heading))


class Converter:
    def __init__(self, articles):
        self.articles = articles
        self.headings = {path: headings(path) for path in articles}
        self.images = set()
        self.problems = []

    def link(self, match, source):
        bang, text, address = match.groups()
        if re.match(r"[a-z]+:", address):
            return match.group()
        file, _, anchor = address.partition("#")
        target = (ROOT / source.parent / file).resolve() if file else ROOT / source
        if not target.exists():
            self.problems.append(f"{source}: {address} does not exist")
            return text
        if bang:
            self.images.add(target)
            return f"![{text}]({target.name})"
        path = target.relative_to(ROOT)
        path = path / "README.md" if target.is_dir() else path
        if path not in self.articles:
            return text
        name = self.articles[path]
        if not anchor:
            return f"[{text}](<doc:{name}>)"
        if anchor not in self.headings[path]:
            self.problems.append(f"{source}: {path} has no heading {anchor}")
            return text
        # The first heading is the title of the article.
        if list(self.headings[path])[0] == anchor:
            return f"[{text}](<doc:{name}>)"
        return f"[{text}](<doc:{name}#{docc_anchor(self.headings[path][anchor])}>)"

    def article(self, path):
        lines = []
        inside = False
        for line in (ROOT / path).read_text().split("\n"):
            inside ^= bool(FENCE.match(line))
            if not inside and not FENCE.match(line):
                line = LINK.sub(lambda match: self.link(match, path), line)
                if line.startswith("<!--"):
                    continue
                line = line.replace("<br>", " ")
            lines.append(line)
        return "\n".join(lines)


def groups(articles):
    """The guides by topic, as Docs/README.md lists them: titles with names of articles."""
    found = []
    for line in (ROOT / INDEX).read_text().split("\n"):
        if line.startswith("## "):
            found.append((line[3:], []))
        elif found and (match := re.match(r"- \[[^\]]*\]\(([^)]*)\)", line)):
            path = (ROOT / "Docs" / match.group(1)).resolve()
            path = (path / "README.md" if path.is_dir() else path).relative_to(ROOT)
            found[-1][1].append(articles[path])
    return found


def products(graphs):
    """The names of the products that are not on the landing page, with their descriptions and symbols."""
    found = []
    for line in (ROOT / "Docs/Products.md").read_text().split("\n"):
        match = re.match(r"\| `(\w+)` \| (.*) \|$", line)
        graph = graphs / f"{match.group(1)}.symbols.json" if match else None
        if graph and match.group(1) not in CURATED and graph.exists():
            symbols = json.loads(graph.read_text())["symbols"]
            names = [symbol["pathComponents"][0] for symbol in symbols
                     if len(symbol["pathComponents"]) == 1 and symbol["kind"]["identifier"] != "swift.extension"]
            # A link to an overloaded function would be ambiguous.
            own = sorted(name for name in names if names.count(name) == 1)
            if own:
                found.append((match.group(1), LINK.sub(r"\2", match.group(2)), own))
    return found


def make_landing_page(catalogue, topics):
    """Puts the cards and the topics of the guides in place of the text about guides and of the essentials."""
    for name, image in CARDS.items():
        card = catalogue / f"{name}.md"
        title, rest = card.read_text().split("\n", 1)
        metadata = f'@Metadata {{\n    @PageImage(purpose: card, source: "{image}", alt: "{title[2:]}")\n}}\n'
        card.write_text(f"{title}\n\n{metadata}{rest}")
    landing = catalogue / "FlowplayerSDK.md"
    parts = re.fullmatch(r"(.*)The repository's `Docs` folder.*?\n\n(.*)## Topics\n.*?(### Players\n.*)", landing.read_text(), re.S)
    if not parts:
        sys.exit("error: the landing page has other sections than expected")
    text, note, symbols = parts.groups()
    cards = "".join(f"    - <doc:{name}>\n" for name in CARDS)
    landing.write_text(
        f"{text}{note}### Guides\n\n@Links(visualStyle: detailedGrid) {{\n{cards}}}\n\n## Topics\n\n" + "\n".join(topics) + "\n" + symbols)


def main(graphs, catalogue):
    shutil.rmtree(catalogue, ignore_errors=True)
    shutil.copytree(ROOT / SDK, catalogue)
    own = [path.relative_to(ROOT) for path in (ROOT / SDK).glob("*.md")]
    articles = {path: article_name(path) for path in documents() + own}
    converter = Converter({**articles, INDEX: "FlowplayerSDK"})
    for path in documents():
        text = converter.article(path)
        if path == DECISIONS:
            records = [name for record, name in articles.items() if record.parent == path.parent and record != path]
            text += "\n## Topics\n\n### Records\n\n" + "".join(f"- <doc:{name}>\n" for name in records)
        (catalogue / f"{articles[path]}.md").write_text(text)
    for path in own:
        converter.article(path)
    for image in converter.images:
        shutil.copy(image, catalogue)
    topics = []
    for title, names in groups(articles):
        topics += [f"### {title}", "", *(f"- <doc:{name}>" for name in names), ""]
    named = products(graphs)
    for name, description, symbols in named:
        text = [f"# {name}", "", description[0].upper() + description[1:] + ".", "", "## Overview", "",
                f"Add the product `{name}` to your target, and write `import {name}`.", "", "## Topics", "", "### Symbols", "",
                *(f"- ``{symbol}``" for symbol in symbols), ""]
        (catalogue / f"Product{name}.md").write_text("\n".join(text))
    topics += ["### Other products", "", *(f"- <doc:Product{name}>" for name, _, _ in named), ""]
    make_landing_page(catalogue, topics)
    for problem in converter.problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if converter.problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
