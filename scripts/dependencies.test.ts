import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bill } from "@/scripts/sbom.mjs";

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const direct = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
/** The dependencies of `@solana/web3.js` whose package.json files name no license. Their license files contain MIT and Unlicense. */
const UNSAID = ["eyes", "text-encoding-utf-8"];
const rows = [...readFileSync("docs/dependencies.md", "utf8").matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(
  ([, name = "", rest = ""]) => ({ name, cells: rest.split("|").map((cell) => cell.trim()) }),
);

test("every direct dependency has one row in docs/dependencies.md, and every row is of one", () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(direct.map(([name]) => name).sort());
});

test("each row has the reason, the license, the maintainer and the replacement", () => {
  for (const { name, cells } of rows) {
    expect(cells, name).toHaveLength(4);
    for (const cell of cells) expect(cell, name).not.toBe("");
    expect([name, cells[1]]).toEqual([name, packages[`node_modules/${name}`].license]);
  }
});

test("versions are exact", () => {
  for (const [name, version] of direct) expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
});

test("the bill of materials lists every production package with checksum and license, and no development tool", async () => {
  const { components } = await bill();
  const names = new Set(components.map(({ name }) => name));
  for (const name of Object.keys(dependencies)) expect([...names]).toContain(name);
  for (const name of ["vitest", "knip", "@biomejs/biome"]) expect([...names]).not.toContain(name);
  expect(new Set(components.map((one) => one["bom-ref"])).size).toBe(components.length);
  for (const one of components) {
    expect(one.purl).toMatch(/^pkg:npm\/(?:%40[^@/]+\/)?[^@/]+@\d/);
    // Optional packages are programs for other platforms. npm reports only the version of packages that it did not install.
    if (one.scope === "optional") continue;
    const isUnsaid = one.licenses.some((entry) => "license" in entry && entry.license.name === "unknown");
    expect(isUnsaid && !UNSAID.includes(one.name), one.name).toBe(false);
    expect(one.hashes?.[0]?.content, one.name).toMatch(/^[0-9a-f]{128}$/);
  }
});
