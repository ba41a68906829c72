import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { useTestApi } from "@/testing/web";

const api = useTestApi();

test("200: a key returns its own merchant, and nothing else", async () => {
  const { status, body } = await api.post("/merchant/detail", {});
  expect(status).toBe(200);
  const { id } = api.merchant;
  expect(body.data).toEqual({ merchant_id: id, mch_id: id, name: "Test shop", status: 1 });
});

test("401: a key that was revoked since it was last seen learns nothing", async () => {
  await api.pool.db
    .update(apiKeys)
    .set({ endsAt: new Date(0) })
    .where(eq(apiKeys.id, api.merchant.keyId));
  expect((await api.post("/merchant/detail", {})).status).toBe(401);
});

test("401: nor does a request without a key", async () => {
  expect((await api.post("/merchant/detail", {}, { "x-api-key": null })).status).toBe(401);
});
