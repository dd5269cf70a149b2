"""Neo4j Browser 5 as a person works with it: what is clicked, and what is seen."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser import SLOW


@dataclass(frozen=True)
class Screen:
    """One page of Browser."""

    page: Page

    def by(self, name: str) -> Locator:
        """What Browser's own tests find by that name."""
        return self.page.get_by_test_id(name)

    def connected(self) -> None:
        """Wait until Browser says that it is connected and that the parameters are set."""
        expect(self.page.get_by_text("You are connected as user")).to_be_visible(timeout=SLOW)
        expect(self.page.get_by_text("Successfully set your parameters")).to_be_visible(timeout=SLOW)

    def favourites(self) -> None:
        """Open the folder of saved statements."""
        self.by("navigationFavorites").click()
        self.by("expandFolder-graphmem").click()

    def saved(self) -> list[str]:
        """The names of the statements in it."""
        self.page.locator("[data-testid^='scriptTitle-']").first.wait_for()
        return self.page.locator("[data-testid^='scriptTitle-']").all_inner_texts()

    def run(self, name: str) -> Locator:
        """Run a saved statement from the favourites; the frame of its result, which is no error."""
        self.by(f"scriptTitle-{name}").click()
        editor = self.page.locator("[data-testid='activeEditor']")
        expect(editor).to_contain_text(re.compile(r"explore/" + name.lower().replace(" ", "_") + r"\b"), timeout=SLOW)
        self.by("editor-Run").click()
        frame = self.by("frame").first
        expect(frame.get_by_test_id("frameCommand")).to_contain_text(f"// {name} // name", timeout=SLOW)
        seen = frame.locator(
            "table, svg.neod3viz, [data-testid='vizInspector'], [data-testid='cypherFrameErrorMessage']"
        )
        seen.first.wait_for(timeout=SLOW)
        expect(frame.get_by_test_id("cypherFrameErrorMessage")).to_have_count(0)
        return frame

    def rows(self, frame: Locator) -> list[list[str]]:
        """The table of a result, its header first, texts without their quotes."""
        found = frame.locator("table tr")
        return [[cell.strip().strip('"') for cell in row.locator("th, td").all_inner_texts()] for row in found.all()]

    def nodes(self, frame: Locator, number: int) -> dict[str, tuple[str, str]]:
        """The circles of a graph by their caption, once there are so many: their fill, and the caption's colour."""
        circles = frame.locator("g.node")
        expect(circles).to_have_count(number, timeout=SLOW)
        found: dict[str, tuple[str, str]] = {}
        for circle in circles.all():
            lines = circle.locator("text.caption")
            caption = " ".join(" ".join(lines.all_text_contents()).split())
            fill = circle.locator("circle.b-outline").get_attribute("fill") or ""
            found[caption] = (fill.upper(), (lines.first.get_attribute("fill") or "").upper())
        return found

    def drop(self, path: Path) -> None:
        """Drop a file onto the page, as from a file manager."""
        content = base64.b64encode(path.read_bytes()).decode()
        transfer = self.page.evaluate_handle(
            """([name, content]) => {
              const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
              const transfer = new DataTransfer();
              transfer.items.add(new File([bytes], name));
              return transfer;
            }""",
            [path.name, content],
        )
        self.page.get_by_test_id("main").dispatch_event("drop", {"dataTransfer": transfer})

    def shot(self, path: Path) -> None:
        """Keep what is seen."""
        self.page.screenshot(path=path)
