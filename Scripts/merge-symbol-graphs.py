"""Merges the symbol graphs of a folder into the graph of FlowplayerSDK, because DocC reports warnings for one module only.

usage: merge-symbol-graphs.py FOLDER MODULE...
"""

import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
own = sys.argv[2:]
merged = json.loads((folder / "FlowplayerSDK.symbols.json").read_text())
for file in sorted(folder.glob("*.symbols.json")):
    module, _, extended = file.name.removesuffix(".symbols.json").partition("@")
    if extended and extended not in own:
        # An extension of a type of another package. It has a separate page.
        file.rename(folder / f"FlowplayerSDK@{extended}.symbols.json")
        continue
    graph = json.loads(file.read_text())
    file.unlink()
    if file.name == "FlowplayerSDK.symbols.json":
        continue
    # The members of an extension of these modules' types become members of the type.
    targets = {relation["source"]: relation["target"]
               for relation in graph["relationships"] if relation["kind"] == "extensionTo"}
    merged["symbols"] += [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in targets]
    for relation in graph["relationships"]:
        if relation["kind"] != "extensionTo" and relation["source"] not in targets:
            merged["relationships"].append({**relation, "target": targets.get(relation["target"], relation["target"])})
(folder / "FlowplayerSDK.symbols.json").write_text(json.dumps(merged))
