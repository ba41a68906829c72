import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { expectShopSells } from "@/testing/recipes/expect-shop-sells";
import { openMerchant } from "@/testing/recipes/paid-orders";
import { writeRecipe } from "@/testing/recipes/recipe";
import { type ShopCommand, type ShopProcess, startShop } from "@/testing/recipes/shop-process";
import { useTestApi } from "@/testing/web";

const api = useTestApi({ callbackAllowCidrs: ["127.0.0.0/8"], viewsPerMinute: 100_000 });
const run = promisify(execFile);
/** The time for a test, which may first install a framework. */
const INSTALL_AND_RUN_MS = 400_000;

beforeAll(() => openMerchant(api));

/** Starts a recipe, checks it, and removes its folder. */
async function runShop(shop: ShopCommand, check: (shop: ShopProcess) => Promise<void>): Promise<void> {
  const started = await startShop(api, shop);
  try {
    await check(started);
  } finally {
    await started.close();
    await rm(shop.cwd, { recursive: true, force: true });
  }
}

/** Returns true if a program runs here; otherwise prints that the test is skipped. */
async function canRun(program: string, ...rest: string[]): Promise<boolean> {
  const runs = await run(program, rest).then(
    () => true,
    () => false,
  );
  if (!runs) console.log(`${program} cannot be run here, so the test is skipped`);
  return runs;
}

test(
  "Go: a server that uses only the standard library sells",
  async () => {
    if (!(await canRun("go", "version"))) return;
    const cwd = await writeRecipe("go");
    expect((await run("gofmt", ["-l", "."], { cwd })).stdout).toBe("");
    await run("go", ["mod", "init", "example.com/shop"], { cwd });
    await run("go", ["vet", "."], { cwd });
    await mkdir(path.join(cwd, "paid"));
    await runShop({ command: ["go", "run", "."], cwd }, (shop) => expectShopSells(api, shop));
  },
  INSTALL_AND_RUN_MS,
);
