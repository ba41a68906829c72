import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseChange, readChanges, releaseChanges } from "./change-files.mjs";

const CHANGELOG = "# Changelog\n\n## Unreleased\n### Added\n- Old entry.\n\n## 0.1.0 (2026-01-01)\n### Fixed\n- Bug.\n";

test("every file in changes/ is a change", () => {
  expect(() => readChanges()).not.toThrow();
});

test("CHANGELOG.md can be released with the change files", () => {
  const changes = [...readChanges(), parseChange("one.md", "type: Added\n\nOne.\n")];
  const released = releaseChanges(readFileSync("CHANGELOG.md", "utf8"), changes, "99.0.0", "2099-01-01");
  expect(released).toContain("## Unreleased\n\n## 99.0.0 (2099-01-01)\n### Added\n");
});

test("a release has the unreleased entries and then the change files, by type", () => {
  const changes = [
    parseChange("one-thing.md", "type: Added\n\nOne thing\nin two lines.\n"),
    parseChange("two.md", "type: Fixed\n\nTwo.\n"),
  ];
  expect(releaseChanges(CHANGELOG, changes, "0.2.0", "2026-11-24")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-24)\n### Added\n- Old entry.\n- One thing\n  in two lines.\n\n" +
      "### Fixed\n- Two.\n\n## 0.1.0 (2026-01-01)\n### Fixed\n- Bug.\n",
  );
});

test("a changelog without unreleased changes, a known version and a malformed version are refused", () => {
  const empty = "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n";
  expect(() => releaseChanges(empty, [], "0.2.0", "2026-11-24")).toThrow("no change to release");
  expect(() => releaseChanges(CHANGELOG, [], "0.1.0", "2026-11-24")).toThrow("already has a release 0.1.0");
  expect(() => releaseChanges(CHANGELOG, [], "next", "2026-11-24")).toThrow("must be like 1.2.0");
});

test("a malformed change file is refused with what would be right", () => {
  expect(() => parseChange("Some_Change.md", "type: Added\n\nX")).toThrow("kebab-case");
  expect(() => parseChange("a.md", "Added: x")).toThrow('must contain "type: Added"');
  expect(() => parseChange("a.md", "type: Feature\n\nX")).toThrow("one of Added, Changed");
  expect(() => parseChange("a.md", "type: Added\n\n")).toThrow("a description of the change for users");
});
