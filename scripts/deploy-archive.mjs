import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Halt, inRoot, main, print } from "./machine/toolchain.mjs";
import { pack } from "./packaging/pack.mjs";

const PLACEHOLDER = "registry.example.com/stablegate";
const DIGEST = /^([\w./-]+):([\w.-]+@sha256:[0-9a-f]{64})$/;

/**
 * Replaces the image of a file of deploy/ by a released one.
 * @param {string} text @param {string} image with tag and digest: "ghcr.io/owner/stablegate:1.0.0@sha256:…"
 * @throws Halt if the image has no tag or no digest
 */
export function nameImage(text, image) {
  const [, name, tag] = DIGEST.exec(image) ?? [];
  if (!name) throw new Halt(`The image must have a tag and a digest (NAME:TAG@sha256:…); got ${image}`);
  return text
    .replaceAll(new RegExp(`${PLACEHOLDER}:[\\w.-]+`, "g"), `${name}:${tag}`)
    .replaceAll(new RegExp(`(newName: )${PLACEHOLDER}(\\n\\s+newTag: )[\\w.-]+`, "g"), `$1${name}$2${tag}`);
}

/**
 * Writes the archive of a release: `deploy/` with the released image, and `.env.example`. Its files belong to root, because root unpacks and
 * runs them.
 * @param {string} file @param {string} image @returns {Promise<void>} @throws Halt
 */
export async function writeDeployArchive(file, image) {
  const { version } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  const name = `stablegate-deploy-${version}`;
  const home = await mkdtemp(path.join(tmpdir(), "stablegate-deploy-"));
  try {
    const isSecret = (source) => path.relative(inRoot(), source) === path.join("deploy", "secrets");
    await cp(inRoot("deploy"), path.join(home, name, "deploy"), {
      recursive: true,
      filter: (source) => !isSecret(source),
    });
    for (const one of [".env.example", "LICENSE"]) await cp(inRoot(one), path.join(home, name, one));
    for (const one of ["compose.yaml", "kubernetes/base/kustomization.yaml", "kubernetes/backup/kustomization.yaml"]) {
      const target = path.join(home, name, "deploy", one);
      await writeFile(target, nameImage(await readFile(target, "utf8"), image));
    }
    await pack(home, path.resolve(file));
  } finally {
    await rm(home, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(async () => {
    const [file, image] = process.argv.slice(2);
    if (!file || !image)
      throw new Halt("usage: node scripts/deploy-archive.mjs FILE.tar.gz ghcr.io/OWNER/NAME:TAG@sha256:DIGEST");
    await writeDeployArchive(file, image);
    print(`${file} contains deploy/ with the image ${image}.`);
  });
}
