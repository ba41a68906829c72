import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEmbedded } from "@/db/embedded";

const UNUSED_ADDRESS = 65_534;
const isRoot = process.getuid?.() === 0;
const run = promisify(execFile);
const program = path.resolve(".build", `live-under-test-${process.pid}.js`);
let home: string;

beforeAll(async () => {
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  const entryPoints = [path.resolve("scripts/roles/live.ts")];
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => rm(program, { force: true }));
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "stablegate-folder-"));
  await chmod(home, 0o755);
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Starts live mode on a data folder. @returns its exit code and its stderr output */
async function startOn(folder: string, options: { uid?: number; before?: string[] } = {}) {
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env["PATH"],
    PUBLIC_URL: "http://localhost:3000",
    BSC_RPC_URLS: "http://127.0.0.1:9",
    STABLEGATE_DATA_DIR: folder,
    LOG_FORMAT: "pretty",
  };
  const [file = "", ...args] = [...(options.before ?? []), process.execPath, program];
  const identity = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  return run(file, args, { env, ...identity }).then(
    () => ({ code: 0, err: "" }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, err: stderr.trim() }),
  );
}

test("a data folder below a file is reported with the setting that moves it", async () => {
  await writeFile(path.join(home, "file"), "");
  const { code, err } = await startOn(path.join(home, "file"));
  expect(err).toMatch(
    /^The data folder is .*\/file\/live; the user ".*" cannot write there, because part of this path/,
  );
  expect(err).toMatch(/Set STABLEGATE_DATA_DIR to a folder that this user can write to\.$/);
  expect(code).toBe(1);
});

test.runIf(isRoot)(
  "a data folder of another user is reported with the owner, the setting and the command",
  async () => {
    const folder = path.join(home, "live");
    await mkdir(folder);
    const { code, err } = await startOn(home, { uid: UNUSED_ADDRESS });
    expect(err).toBe(
      `The data folder is ${folder}, which belongs to user id 0; the user "nobody" cannot write there. Set STABLEGATE_DATA_DIR to a folder that this user can write to, or run: sudo chown -R ${UNUSED_ADDRESS} ${folder}.`,
    );
    expect(code).toBe(1);
  },
);

test.runIf(isRoot)(
  "a data folder that is missing in a folder of another user is reported without advice to take that folder",
  async () => {
    const { code, err } = await startOn(home, { uid: UNUSED_ADDRESS });
    expect(err).toMatch(/or run: sudo install -d -o 65534 .*\/live\.$/);
    expect(err).not.toContain("chown");
    expect(code).toBe(1);
  },
);

test.runIf(isRoot)("a data folder on a read-only file system is reported as that", async () => {
  await mkdir(path.join(home, "live"));
  const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
  const { code, err } = await startOn(home, { before: ["unshare", "--mount", "sh", "-c", mount, "sh", home] });
  expect(err).toMatch(/because its file system is read-only\. Set STABLEGATE_DATA_DIR to a folder that this user can/);
  expect(err).not.toContain("    at ");
  expect(code).toBe(1);
});

test.runIf(isRoot)(
  "data that another user started PostgreSQL on are left alone, with the owner and the command",
  async () => {
    const dataDir = path.join(home, "postgres");
    const options = { dataDir, port: 0, password: "a password of the test", isPersistent: true };
    await (await startEmbedded(options)).stop();
    const wanted = (await stat(dataDir)).uid;
    await chown(dataDir, UNUSED_ADDRESS, UNUSED_ADDRESS);
    await expect(startEmbedded(options)).rejects.toThrow(
      `The data in ${dataDir} belongs to user id ${UNUSED_ADDRESS}, and PostgreSQL refuses to run on it as user id ${wanted}`,
    );
    await expect(startEmbedded(options)).rejects.toThrow(/sudo chown -R \d+ .*STABLEGATE_DATA_DIR/);
  },
);
