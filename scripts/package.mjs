import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { build } from "./build.mjs";
import { install } from "./machine/install.mjs";
import { Halt, inRoot, main, print } from "./machine/toolchain.mjs";
import { layOutPackage, layOutSandbox, sizeOf } from "./packaging/lay-out.mjs";
import { OWN_PLATFORM, PLATFORMS } from "./packaging/platform.mjs";

/** The limits of a package, in bytes: of the tarball and of its files. */
const MAX_PACKED = 120e6;
const MAX_UNPACKED = 350e6;

/**
 * Makes `stablegate-VERSION-PLATFORM.tar.gz` and `stablegate-sandbox-VERSION-PLATFORM.tar.gz`, each with its checksum, in a folder.
 * @throws Halt if the package is larger than its limits
 */
async function makePackages(folder, platform) {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(path.join(folder, ".package-"));
  try {
    const version = await layOutPackage(path.join(work, "live"), platform);
    const unpacked = await sizeOf(path.join(work, "live"));
    const packed = await pack(path.join(work, "live"), path.join(folder, `stablegate-${version}-${platform}.tar.gz`));
    if (packed > MAX_PACKED || unpacked > MAX_UNPACKED)
      throw new Halt(
        `The package has ${megabytes(packed)}, ${megabytes(unpacked)} unpacked; it may have ${megabytes(MAX_PACKED)} and ${megabytes(MAX_UNPACKED)}.`,
      );
    await layOutSandbox(path.join(work, "sandbox"), platform);
    await pack(path.join(work, "sandbox"), path.join(folder, `stablegate-sandbox-${version}-${platform}.tar.gz`));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Packs the contents of a folder into a compressed tarball that belongs to root, and writes its checksum to FILE.sha256.
 * @param options `level`: that of gzip, from 1 to 9
 * @returns the size of the tarball in bytes
 */
export async function pack(folder, file, { level = 9 } = {}) {
  const isGnu = process.platform === "linux";
  const owner = isGnu ? ["--owner=0", "--group=0", "--numeric-owner", "--sort=name"] : ["--uid", "0", "--gid", "0"];
  const tar = spawn("tar", ["-cf", "-", ...owner, "-C", folder, ...(await readdir(folder)).sort()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve, reject) => tar.once("error", reject).once("close", resolve));
  await pipeline(tar.stdout, createGzip({ level }), createWriteStream(file));
  if ((await ended) !== 0) throw new Halt(`tar could not pack ${folder}; its output is above.`);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  await writeFile(`${file}.sha256`, `${hash.digest("hex")}  ${path.basename(file)}\n`);
  const { size } = await stat(file);
  print(`${file}: ${megabytes(size)}, ${megabytes(await sizeOf(folder))} unpacked`);
  return size;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  // npm run package [-- --platform linux-arm64] [--out FOLDER]
  await main(async () => {
    const options = { platform: { type: "string" }, out: { type: "string" } };
    const { platform = OWN_PLATFORM, out = inRoot("dist") } = parseArgs({ options }).values;
    if (!Object.hasOwn(PLATFORMS, platform))
      throw new Halt(`--platform must be one of ${Object.keys(PLATFORMS).join(", ")}; got ${platform}.`);
    await install();
    await build();
    await makePackages(path.resolve(out), platform);
  });
}
