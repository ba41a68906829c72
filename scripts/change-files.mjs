import { readdirSync, readFileSync } from "node:fs";
import { Halt, inRoot } from "./machine/toolchain.mjs";

/** The headings of a release in CHANGELOG.md, in order. */
export const CHANGE_TYPES = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

const UNRELEASED = "## Unreleased\n";

/** @typedef {{ name: string, type: string, text: string }} Change */

/** Returns the changes of the folder `changes/`, ordered by file name. @returns {Change[]} @throws Halt for a malformed file */
export function readChanges() {
  return readdirSync(inRoot("changes"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted()
    .map((name) => parseChange(name, readFileSync(inRoot("changes", name), "utf8")));
}

/** Parses a change file: `type: Added`, an empty line, and what changes for users. @returns {Change} @throws Halt */
export function parseChange(name, content) {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.test(name)) throw new Halt(`changes/${name} must be named in kebab-case`);
  const [, type, text] = /^type: (\w+)\n\n([\s\S]+)$/.exec(content) ?? [];
  if (!type || !text?.trim())
    throw new Halt(
      `changes/${name} must contain "type: ${CHANGE_TYPES[0]}", an empty line, and a description of the change for users`,
    );
  if (!CHANGE_TYPES.includes(type))
    throw new Halt(`changes/${name}: the type must be one of ${CHANGE_TYPES.join(", ")}; got ${type}`);
  return { name, type, text: text.trim() };
}

/**
 * Returns a changelog in which the unreleased entries and the change files are those of a release.
 * @param {string} changelog @param {Change[]} changes @param {string} version @param {string} date "2026-11-24" @throws Halt
 */
export function releaseChanges(changelog, changes, version, date) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Halt(`The version must be like 1.2.0; got "${version}"`);
  if (changelog.includes(`\n## ${version} `)) throw new Halt(`CHANGELOG.md already has a release ${version}`);
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new Halt(`CHANGELOG.md has no line "${UNRELEASED.trim()}"`);
  const after = start + UNRELEASED.length;
  const next = changelog.indexOf("\n## ", after);
  const end = next === -1 ? changelog.length : next + 1;
  const release = mergeSections(changelog.slice(after, end), changes);
  if (release === "") throw new Halt("There is no change to release");
  return `${changelog.slice(0, after)}\n## ${version} (${date})\n${release}\n${changelog.slice(end)}`
    .trimEnd()
    .concat("\n");
}

/** Returns the sections of a release, with the change files after the existing entries. */
function mergeSections(unreleased, changes) {
  const present = new Map(
    unreleased
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf("\n")), section.slice(section.indexOf("\n") + 1).trim()]),
  );
  return CHANGE_TYPES.flatMap((type) => {
    const own = changes.filter((change) => change.type === type).map(({ text }) => toItem(text));
    const entries = [present.get(type) ?? "", ...own].filter(Boolean);
    return entries.length === 0 ? [] : [`### ${type}\n${entries.join("\n")}\n`];
  }).join("\n");
}

function toItem(text) {
  return `- ${text.replaceAll("\n", "\n  ")}`;
}
