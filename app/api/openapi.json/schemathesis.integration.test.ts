import { beforeAll, expect, test } from "vitest";
import { writeMerchantPrice } from "@/db/queries/rates/rates";
import { FIAT_CODES } from "@/lib/domain/rates/currencies";
import { parseRate } from "@/lib/domain/rates/price";
import { seedAddress } from "@/testing/database/seed";
import { runSchemathesis } from "@/testing/schemathesis";
import { useTestApi } from "@/testing/web";

/** The sandbox has no limits per address, so requests with invalid keys are answered with 401 and not with 429. */
const api = useTestApi({ isSandbox: true });
/** More examples find more: `SCHEMATHESIS_EXAMPLES=100 SCHEMATHESIS_SEED=2 npx vitest run schemathesis`. */
const EXAMPLES = Number(process.env["SCHEMATHESIS_EXAMPLES"] ?? 1);
const SEED = Number(process.env["SCHEMATHESIS_SEED"] ?? 1);
/** Generated customers need a dedicated address each. */
const DEDICATED_ADDRESSES = 40 + 4 * EXAMPLES;

beforeAll(async () => {
  const now = new Date();
  const merchantId = api.merchant.id;
  for (const network of ["ethereum", "bsc"]) {
    await seedAddress(api.pool.db, { merchantId, network }, now);
    for (let count = 0; count < DEDICATED_ADDRESSES; count++)
      await seedAddress(api.pool.db, { merchantId, network, kind: "dedicated" }, now);
  }
  // At this rate every price that the document allows converts to an amount that an order can have.
  for (const fiat of FIAT_CODES) {
    const setting = { mode: "fixed", markUpBasisPoints: 0, fixedRate: parseRate("1000000") } as const;
    await writeMerchantPrice(api.pool.db, { merchantId, fiat, ...setting }, now);
  }
});

test("Schemathesis finds no difference between the API document and the responses", async () => {
  const { origin, merchant } = api;
  const result = await runSchemathesis({ origin, apiKey: merchant.apiKey, examples: EXAMPLES, seed: SEED });
  if (result === null) return;
  expect(result.code, result.output).toBe(0);
  expect(result.output).toMatch(/(\d+) selected \/ \1 total/);
}, 3_600_000);
