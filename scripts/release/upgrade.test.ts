import { execFileSync } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForControl } from "@/scripts/release/control";
import { holdSocket } from "@/scripts/release/held-socket";
import { currentRelease } from "@/scripts/release/home";
import { ReleaseSwitch } from "@/scripts/release/release-switch";
import { upgrade } from "@/scripts/release/upgrade";
import { takeLock } from "@/scripts/supervisor/lock";

const PLATFORM = `${process.platform}-${process.arch}`;
/** A release that serves its version on the socket that it inherits. */
const serving = (version: string) => `
import { createServer } from "node:http";
const server = createServer((_, response) => response.end("${version}"));
server.listen({ fd: 3 }, () => process.send({ kind: "ready" }));
const end = () => process.exit(0);
process.on("SIGTERM", end).on("disconnect", end);
`;
const FAILING = 'process.stderr.write("A table is missing. ".repeat(300) + "\\n", () => process.exit(3));';

let work: string;
let home: string;
let stop: (() => Promise<void>)[];
let printed: string[];

beforeEach(async () => {
  work = await mkdtemp(path.join(tmpdir(), "stablegate-upgrade-"));
  home = path.join(work, "home");
  stop = [];
  printed = [];
  await makeFiles(home, "1.0.0", serving("1.0.0"));
  await symlink("releases/1.0.0", path.join(home, "current"));
});
afterEach(async () => {
  for (const end of stop) await end();
  await rm(work, { recursive: true });
});

/** Writes the files of a package whose release runs a program. */
async function makeFiles(folder: string, version: string, program: string): Promise<void> {
  const release = path.join(folder, "releases", version);
  for (const name of ["bin", ".build", "scripts/supervisor"])
    await mkdir(path.join(release, name), { recursive: true });
  await writeFile(path.join(release, "bin/node"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  await writeFile(path.join(release, "scripts/supervisor/leash.mjs"), "");
  await writeFile(path.join(release, ".build/live.js"), program);
  await writeFile(path.join(release, "release.json"), JSON.stringify({ version, platform: PLATFORM }));
  await writeFile(path.join(folder, "stablegate"), `launcher of ${version}`);
  await writeFile(path.join(folder, ".env.example"), `settings of ${version}`);
}

async function makePackage(version: string, program: string): Promise<string> {
  const files = path.join(work, `files-${version}`);
  await makeFiles(files, version, program);
  return packFolder(files, await readdir(files));
}

function packFolder(folder: string, names: readonly string[]): string {
  const file = `${folder}.tar.gz`;
  execFileSync("tar", ["-czPf", file, "-C", folder, ...names]);
  return file;
}

const settings = () => ({
  STABLEGATE_HOME: home,
  DATABASE_URL: "postgres://127.0.0.1:9/none",
  HOST: "127.0.0.1",
  PORT: "0",
  PATH: process.env["PATH"],
});
const upgradeTo = (file: string) => upgrade([file], settings(), (text) => printed.push(text));

/** Runs the current release as `./stablegate` does. */
async function start() {
  const ends: number[] = [];
  const socket = await holdSocket(settings());
  const releases = new ReleaseSwitch({ home, socket, print: () => {}, onEnd: (code) => ends.push(code) });
  const control = await listenForControl(home, (request) => releases.replace(request));
  stop.push(
    () => releases.stop(),
    () => control.close(),
  );
  await releases.begin(await currentRelease(home)).started;
  const served = async () => (await fetch(socket?.listening?.url ?? "", { headers: { connection: "close" } })).text();
  return { releases, ends, served };
}

const releases = async () => (await readdir(path.join(home, "releases"))).sort();

test("an upgrade replaces the running release, its launcher and the example of settings, and removes what is not needed", async () => {
  await makeFiles(home, "0.9.0", "");
  await makeFiles(home, "1.0.0", serving("1.0.0"));
  await mkdir(path.join(home, "releases", "incoming-1"));
  const { served } = await start();
  expect(await served()).toBe("1.0.0");
  await upgradeTo(await makePackage("1.1.0", serving("1.1.0")));
  expect(await served()).toBe("1.1.0");
  expect(await readlink(path.join(home, "current"))).toBe("releases/1.1.0");
  expect(await releases()).toEqual(["1.0.0", "1.1.0"]);
  expect(await readFile(path.join(home, "stablegate"), "utf8")).toBe("launcher of 1.1.0");
  expect(await readFile(path.join(home, ".env.example"), "utf8")).toBe("settings of 1.1.0");
  expect(await readdir(home)).not.toContain("upgrade.lock.json");
});

test("a release that ends is rolled back with its errors, however long they are", async () => {
  const { served } = await start();
  const file = await makePackage("1.1.0", FAILING);
  await expect(upgradeTo(file)).rejects.toThrow(/^Version 1\.1\.0 ended with code 3[\s\S]*1\.0\.0 is in use again/);
  expect(await served()).toBe("1.0.0");
  expect(await readlink(path.join(home, "current"))).toBe("releases/1.0.0");
  expect(await releases()).toEqual(["1.0.0"]);
  expect(await readFile(path.join(home, "stablegate"), "utf8")).toBe("launcher of 1.0.0");
});

test("a release that cannot be started is rolled back, and settings that cannot be read end the running process", async () => {
  const { releases: running, ends, served } = await start();
  const missing = { release: path.join(home, "releases", "9.9.9"), limitMs: 10_000 };
  expect(await running.replace(missing)).toMatchObject({
    reason: expect.stringContaining("could not be started"),
    isRestored: true,
  });
  expect(await served()).toBe("1.0.0");
  expect(ends).toEqual([]);
  await mkdir(path.join(home, ".env"));
  expect(await running.replace(missing)).toMatchObject({
    reason: expect.stringContaining("EISDIR"),
    isRestored: false,
  });
  await vi.waitUntil(() => ends.length > 0);
  expect(ends).toEqual([1]);
});

test("a healthy release that cannot become the current one is reported with what the next start runs", async () => {
  await mkdir(path.join(home, `current.${process.pid}.new`));
  await expect(upgradeTo(await makePackage("1.1.0", serving("1.1.0")))).rejects.toThrow(
    /^Version 1\.1\.0 is healthy, but .*current could not be changed.*\nThe next start runs version 1\.0\.0\./,
  );
  expect(await readlink(path.join(home, "current"))).toBe("releases/1.0.0");
});

test("an upgrade is refused while another one runs", async () => {
  const lock = await takeLock(path.join(home, "upgrade.lock.json"), () => "");
  const file = await makePackage("1.1.0", serving("1.1.0"));
  await expect(upgradeTo(file)).rejects.toThrow(`Another upgrade is running (process ${process.pid})`);
  await lock.release();
  await upgradeTo(file);
  expect(await releases()).toEqual(["1.0.0", "1.1.0"]);
});

test("a package without launcher or release, with a path outside of it or another checksum, is refused and leaves nothing", async () => {
  const files = path.join(work, "package");
  await makeFiles(files, "1.1.0", serving("1.1.0"));
  await writeFile(path.join(work, "outside"), "");
  await rm(path.join(files, "stablegate"));
  await expect(upgradeTo(packFolder(files, ["releases"]))).rejects.toThrow("it contains no release");
  await writeFile(path.join(files, "stablegate"), "");
  await expect(upgradeTo(packFolder(files, ["../outside", "releases", "stablegate"]))).rejects.toThrow(
    "could not be unpacked",
  );
  await writeFile(path.join(work, "SHA256SUMS"), `${"0".repeat(64)}  package.tar.gz\n`);
  await expect(upgradeTo(packFolder(files, ["releases", "stablegate"]))).rejects.toThrow(/does not match .*SHA256SUMS/);
  await rm(path.join(work, "SHA256SUMS"));
  await rm(path.join(files, "releases/1.1.0/release.json"));
  await expect(upgradeTo(packFolder(files, ["releases", "stablegate"]))).rejects.toThrow("it contains no release");
  expect(await releases()).toEqual(["1.0.0"]);
  await expect(access(path.join(home, "releases/outside"))).rejects.toThrow("ENOENT");
});
