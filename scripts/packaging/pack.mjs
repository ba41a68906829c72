import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Halt, print } from "../machine/toolchain.mjs";
import { sizeOf } from "./lay-out.mjs";

/**
 * Packs the contents of a folder into a compressed tarball that belongs to root, and writes its checksum to FILE.sha256.
 * @param options `level`: that of gzip, from 1 to 9
 * @returns the size of the tarball in bytes
 */
export async function pack(folder, file, { level = 9 } = {}) {
  const isGnu = process.platform === "linux";
  const owner = isGnu ? ["--owner=0", "--group=0", "--numeric-owner", "--sort=name"] : ["--uid", "0", "--gid", "0"];
  // The link comes last, so that a package that was unpacked only in part is not used.
  const isLink = (name) => Number(name === "current");
  const names = (await readdir(folder)).sort((a, b) => isLink(a) - isLink(b) || a.localeCompare(b, "en"));
  const tar = spawn("tar", ["-cf", "-", ...owner, "-C", folder, ...names], {
    stdio: ["ignore", "pipe", "inherit"],
    // Without this setting, tar on macOS adds a file with extended attributes for each file.
    env: { ...process.env, COPYFILE_DISABLE: "1" },
  });
  const ended = new Promise((resolve, reject) => tar.once("error", reject).once("close", resolve));
  await pipeline(tar.stdout, createGzip({ level }), createWriteStream(file));
  if ((await ended) !== 0) {
    await rm(file);
    throw new Halt(`tar could not pack ${folder}; its output is above.`);
  }
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  await writeFile(`${file}.sha256`, `${hash.digest("hex")}  ${path.basename(file)}\n`);
  const { size } = await stat(file);
  print(`${file}: ${megabytes(size)}, ${megabytes(await sizeOf(folder))} unpacked`);
  return size;
}

/** Returns a size for messages. */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
