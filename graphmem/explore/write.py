"""The saved statements and the style as files, for any Neo4j Browser."""

from __future__ import annotations

import zipfile
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.explore.saved import FOLDER, command, statements, style
from graphmem.scope import Scope

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file knows: equal content, equal file


def write(folder: Path, scope: Scope) -> tuple[Path, ...]:
    """Write the statements, all of them in one ``graphmem.zip`` too, ``style.grass``, and the parameters of a scope.

    What is there of the same name is replaced. Returns the files. Raises InvalidInput where they cannot be written.
    """
    saved = {f"{one.name}.cypher": one.text for one in statements()}
    others = {"parameters.txt": f"{command(scope)}\n", "style.grass": style()}
    bundle = folder / f"{FOLDER}.zip"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in {**saved, **others}.items():
            (folder / name).write_text(text, "utf-8")
        with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in saved.items():
                archive.writestr(zipfile.ZipInfo(f"{FOLDER}/{name}", EPOCH), text)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be written ({error.strerror}); name another folder") from error
    return (*(folder / name for name in {**saved, **others}), bundle)
