import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { receivingAddresses } from "@/db/schema";
import { listPublicKeys } from "@/lib/callbacks/signing-keys";
import { acceptAppSecret, findSecretProblem } from "@/lib/merchants/check-app-secret";
import { addressVerifier } from "@/lib/merchants/vault";
import { readAppSecret, startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";
import { beginOwnRotation, readOwnSecrets } from "@/scripts/installation/own-secret";
import { useTestDb } from "@/testing/database/clone";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

const testDb = useTestDb();
const now = new Date("2026-03-01T10:00:00Z");
const NEW = "the secret of this installation from now on";
const program = path.resolve(".build", `rotate-app-secret-under-test-${process.pid}.js`);

beforeAll(async () => {
  const entryPoints = [path.resolve("scripts/roles/rotate-app-secret.ts")];
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => rm(program, { force: true }));

interface Run {
  child: ChildProcess;
  /** Returns the program's output so far. */
  output(): string;
  ended: Promise<number | null>;
  /** Resolves when the program's output contains a text. */
  waitForOutput(text: string): Promise<void>;
}

/** Runs the program as an operator does. */
function rotate(settings: Record<string, string>, ...args: string[]): Run {
  const env = { NODE_ENV: "production" as const, ...settings };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      for (const look of watchers) look();
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const waitForOutput = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => void (output.includes(text) && resolve());
      watchers.add(look);
      look();
      ended.then(() => reject(new Error(`it ended without saying "${text}": ${output}`)));
    });
  return { child, output: () => output, ended, waitForOutput };
}

const ofServer = (secrets: Record<string, string>) => rotate({ DATABASE_URL: testDb.url, ...secrets });
const rotating = { APP_SECRET: NEW, APP_SECRET_ALSO: TEST_APP_SECRET };

async function counted() {
  const rows = await testDb.pool.db.select().from(receivingAddresses);
  const [old, made, both] = [TEST_APP_SECRET, NEW, { primary: NEW, secondary: TEST_APP_SECRET }].map(addressVerifier);
  const of = (isVerified = addressVerifier(NEW)) => rows.filter(isVerified).length;
  return { all: rows.length, old: of(old), made: of(made), both: of(both) };
}

test("killed midway, it leaves only values that can be decrypted; a repeat finishes the work and then reports nothing to do", async () => {
  const shop = await seedMerchant(testDb.pool.db, now);
  const seeded = Array.from({ length: 700 }, (_, count) => `0x${count.toString(16).padStart(40, "0")}`);
  for (const address of seeded) await seedAddress(testDb.pool.db, { merchantId: shop.id, address }, now);

  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holder = testDb.pool.db.transaction(async (tx) => {
    await tx.execute(sql`select id from receiving_addresses order by id desc limit 1 for update`);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  // The second batch waits for the locked row; the process is killed at that point.
  const first = ofServer(rotating);
  await first.waitForOutput("… receiving_addresses: 500");
  first.child.kill("SIGKILL");
  await first.ended;
  release.resolve();
  await holder;
  expect(await counted()).toEqual({ all: 700, old: 200, made: 500, both: 700 });

  const second = ofServer(rotating);
  expect(await second.ended).toBe(0);
  expect(second.output()).toContain("receiving_addresses: 700 values, 200 re-encrypted");
  expect(second.output()).toContain(
    "Run this command again after every process has been restarted with the new APP_SECRET",
  );
  expect(await counted()).toEqual({ all: 700, old: 0, made: 700, both: 700 });

  const third = ofServer(rotating);
  expect(await third.ended).toBe(0);
  expect(third.output()).toContain("No values were left to re-encrypt");
}, 240_000);

test("without the other secret nothing changes, and the missing setting is reported", async () => {
  const run = ofServer({ APP_SECRET: NEW });
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain("Nothing was changed. Set APP_SECRET to the new secret");
  expect(run.output()).not.toContain("    at ");
}, 60_000);

test("if neither secret is the installation's, nothing changes until the operator confirms that the previous one is lost", async () => {
  const other = "a secret that this installation never had";
  const refused = ofServer({ APP_SECRET: `${other} 2`, APP_SECRET_ALSO: other });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toMatch(
    /^APP_SECRET is not the secret of this installation: the test value .*previous value is lost/,
  );
  const accepted = rotate({ DATABASE_URL: testDb.url, APP_SECRET: other }, "--previous-is-lost");
  expect(await accepted.ended).toBe(0);
  expect(accepted.output()).toContain("APP_SECRET is now the secret of this installation");
  expect(await findSecretProblem(testDb.pool.db, other)).toBeNull();
  await acceptAppSecret(testDb.pool.db, TEST_APP_SECRET);
}, 60_000);

test("on an embedded database the secret of the file changes; an interrupted rotation continues with its new secret", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "stablegate-live-"));
  const folder = path.join(home, "live");
  const files = ownFiles(folder);
  const isThere = (file: string) =>
    access(file).then(
      () => true,
      () => false,
    );
  try {
    const { text: old } = await readAppSecret({}, folder);
    const own = await startOwnDatabase(folder);
    await migrate(own.url, path.resolve("db"));
    const pool = openDb(own.url, { work: "none", max: 1 });
    const shop = await seedMerchant(pool.db, now);
    await seedAddress(pool.db, { merchantId: shop.id }, now);
    await listPublicKeys(pool.db, old, now);
    const beside = rotate({ STABLEGATE_DATA_DIR: home });
    expect(await beside.ended).toBe(1);
    expect(beside.output()).toContain("Stablegate is already running on the data");
    expect(await isThere(files.appSecretAlso)).toBe(false);
    await pool.close();
    await own.stop();

    // If the process crashes before both files are written, nothing changes. If it crashes later, the next start reads both secrets.
    const started = await beginOwnRotation(folder);
    expect(started).toEqual({ APP_SECRET: expect.not.stringContaining(old), APP_SECRET_ALSO: old });
    expect(await readOwnSecrets({}, folder)).toEqual({ ...started, isNew: false });
    for (const file of [files.appSecret, files.appSecretAlso]) expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await beginOwnRotation(folder)).toEqual(started);

    const run = rotate({ STABLEGATE_DATA_DIR: home });
    expect(await run.ended).toBe(0);
    // The merchant's rows are encrypted under the tests' own secret, which is neither of the two: they stay unchanged and are reported.
    expect(run.output()).toContain("left unchanged, 1 address MACs that neither secret verifies");
    expect(run.output()).toContain("Keep a new copy of that file on another machine");
    expect((await readFile(files.appSecret, "utf8")).trim()).toBe(started.APP_SECRET);
    expect(await isThere(files.appSecretAlso)).toBe(false);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}, 240_000);
