import { afterAll, beforeAll, expect, test } from "vitest";
import { createContext } from "@/app/context";
import { GET, POST } from "@/app/unsubscribe/[token]/route";
import { insertChannel } from "@/db/queries/notifications/channels";
import { notificationChoices } from "@/db/schema";
import { newId } from "@/lib/domain/id";
import { unsubscribeUrl } from "@/lib/notifications/unsubscribe";
import { useTestDb } from "@/testing/database/clone";
import { seedMerchant, seedPerson } from "@/testing/database/seed";
import { TEST_ENV } from "@/testing/web";

const database = useTestDb();
const db = () => database.pool.db;
const now = new Date();
let token = "";

beforeAll(async () => {
  globalThis.stablegateContext = createContext({ ...TEST_ENV, databaseUrl: database.url });
  const { id: merchantId } = await seedMerchant(db(), now);
  const userId = await seedPerson(db(), { merchantId, email: "ann@example.com" }, now);
  const channelId = newId(now);
  const report = { language: "en", timeZone: "UTC", reportHour: 8, codeHash: null, codeExpiresAt: null };
  const row = { id: channelId, merchantId, userId, way: "email", shown: "ann@example.com", targetCipher: "" } as const;
  await insertChannel(db(), { ...row, ...report }, now);
  for (const kind of ["orderPaid", "signedIn"] as const)
    await db().insert(notificationChoices).values({ merchantId, channelId, kind, since: now });
  token = unsubscribeUrl(TEST_ENV, { merchantId, channelId, kind: "orderPaid" }).split("/").at(-1) ?? "";
});
afterAll(() => globalThis.stablegateContext?.close());

const ask = (one: string) => ({ params: Promise.resolve({ token: one }) });
const request = (method: string, language = "en") =>
  new Request("https://pay.example.com/unsubscribe/x", { method, headers: { "accept-language": language } });
const kinds = async () => (await db().select().from(notificationChoices)).map(({ kind }) => kind);

test("a link only asks, its button ends that one kind, however often it is pressed, in the reader's language", async () => {
  const asked = await GET(request("GET"), ask(token));
  expect(asked.status).toBe(200);
  expect(await asked.text()).toContain('<form method="post">');
  for (const language of ["zh-CN", "es-MX", "ru-RU"])
    expect(await (await GET(request("GET", language), ask(token))).text()).toContain(
      `<html lang="${language.slice(0, 2)}"`,
    );
  expect(await kinds()).toHaveLength(2);
  for (let count = 0; count < 2; count++) {
    const done = await POST(request("POST"), ask(token));
    expect(done.status).toBe(200);
    expect(await done.text()).toContain('role="status"');
    expect(await kinds()).toEqual(["signedIn"]);
  }
});

test("a link that was not made here ends nothing", async () => {
  const changed = token.replace("orderPaid", "signedIn");
  for (const invalid of [changed, `${token}x`, "", "a.b.c.d"]) {
    expect((await GET(request("GET"), ask(invalid))).status, invalid).toBe(404);
    expect((await POST(request("POST"), ask(invalid))).status, invalid).toBe(404);
  }
  expect(await kinds()).toContain("signedIn");
});
