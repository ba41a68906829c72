import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { install } from "./machine/install.mjs";
import { Halt, inRoot, main } from "./machine/toolchain.mjs";
import { layOutPackage, layOutSandbox, sizeOf } from "./packaging/lay-out.mjs";
import { megabytes, pack } from "./packaging/pack.mjs";
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
