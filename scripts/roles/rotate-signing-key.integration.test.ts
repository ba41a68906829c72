import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signingKeys } from "@/db/schema";
import { TEST_APP_SECRET } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();
const program = path.resolve(".build", `rotate-signing-key-under-test-${process.pid}.js`);

beforeAll(async () => {
  const entryPoints = [path.resolve("scripts/roles/rotate-signing-key.ts")];
  const target = { platform: "node", format: "esm", target: "node24" } as const;
  await build({ entryPoints, outfile: program, bundle: true, packages: "external", ...target });
});
afterAll(() => rm(program, { force: true }));

/** Runs the program as an operator does beside a running installation. */
async function rotate({ appSecret = TEST_APP_SECRET, args = [] }: { appSecret?: string; args?: string[] } = {}) {
  const env = { NODE_ENV: "production" as const, DATABASE_URL: api.url, APP_SECRET: appSecret };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

const shown = async (): Promise<string[]> => {
  const answer = await fetch(`${api.origin}/api/v1/pay/public/webhook-jwks`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};
const signing = async () =>
  (await api.pool.db.select().from(signingKeys)).filter(({ state }) => state === "current").map(({ id }) => id);
const letADayPass = () =>
  api.pool.db.update(signingKeys).set({ createdAt: sql`${signingKeys.createdAt} - interval '25 hours'` });

test("the next key is published before it signs, and the previous one stays published; every run reports its result", async () => {
  const before = await shown();
  const [old] = await signing();
  await letADayPass();
  const foreign = await rotate({ appSecret: "another secret than the installation runs with" });
  expect(foreign).toMatchObject({
    code: 1,
    output: expect.stringContaining("cannot be decrypted with this APP_SECRET"),
  });
  expect(foreign.output).not.toContain("    at ");

  const done = await rotate();
  const [current] = await signing();
  expect(done).toEqual({
    code: 0,
    output: `Within a minute, callbacks are signed with the key ${current}; the key after it is already published.\n`,
  });
  expect(current).not.toBe(old);
  expect(before).toEqual(expect.arrayContaining([old, current]));
  const after = await shown();
  expect(after).toHaveLength(3);
  expect(after).toEqual(expect.arrayContaining(before));

  const early = await rotate();
  expect(early.code).toBe(1);
  expect(early.output).toMatch(/^Nothing was changed\. The next key was published at .+; it can sign from .+\.\n$/);
  expect(await signing()).toEqual([current]);
}, 240_000);

test("with --replace-all, under another APP_SECRET, no key of before is shown", async () => {
  const before = await shown();
  const { code, output } = await rotate({ appSecret: "the secret that this runs with now", args: ["--replace-all"] });
  expect(code).toBe(0);
  const after = await shown();
  expect(after).toHaveLength(2);
  expect(after.filter((kid) => before.includes(kid))).toEqual([]);
  expect(output).toContain((await signing())[0]);
});

test("a missing or invalid setting is reported", async () => {
  const { code, output } = await rotate({ appSecret: "short" });
  expect(code).toBe(1);
  expect(output).toContain("APP_SECRET is too short");
  expect(output).not.toContain("    at ");
});
