import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Halt, inRoot, main, print } from "./machine/toolchain.mjs";

/**
 * Returns the software bill of materials as CycloneDX 1.6 (ECMA-424): every package that an installation may load, with version, checksum
 * and license from package-lock.json. npm's own `npm sbom` rejects a tree with an unmet peer dependency.
 */
export async function bill() {
  const { packages } = JSON.parse(await readFile(inRoot("package-lock.json"), "utf8"));
  const { name, version, license } = packages[""];
  const components = Object.entries(packages)
    .filter(([location, { dev }]) => location !== "" && !dev)
    .map(([location, facts]) => componentOf(location, facts));
  const refs = new Map(components.map((one) => [one["bom-ref"], one]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": `${name}@${version}`, name, version, licenses: licensesOf(license) },
    },
    components: [...refs.values()],
  };
}

function componentOf(location, { version, license, integrity, optional, devOptional }) {
  const full = location.slice(location.lastIndexOf("node_modules/") + "node_modules/".length);
  const purl = `pkg:npm/${full.replace("@", "%40")}@${version}`;
  const [algorithm, checksum] = integrity?.split(/-(.*)/s) ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name: full,
    version,
    purl,
    scope: optional || devOptional ? "optional" : "required",
    licenses: licensesOf(license),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(checksum, "base64").toString("hex") }],
    }),
  };
}

/**
 * Returns the licenses of a package in CycloneDX format: one license by its SPDX id, several licenses as an expression, and an unknown
 * license by its name.
 */
function licensesOf(license) {
  if (!license) return [{ license: { name: "unknown" } }];
  if (/ (?:OR|AND|WITH) /.test(license)) return [{ expression: license }];
  return [{ license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(async () => {
    const file = process.argv[2];
    if (!file) throw new Halt("The file name is missing. For example: npm run sbom -- stablegate-sbom.json");
    const made = await bill();
    await writeFile(path.resolve(file), `${JSON.stringify(made, null, 2)}\n`);
    print(`${file}: ${made.components.length} packages.`);
  });
}
