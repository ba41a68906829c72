import { describe, expect, test } from "vitest";
import { LANGUAGES } from "@/components/messages/languages";
import { renderAccountEmail, renderNotification } from "@/components/notifications/render-email";
import type { Fact } from "@/lib/domain/notifications/notification";

const amount = { network: "ethereum", currency: "USDT", units: "12500000" };
const change = {
  action: "api_key.created",
  what: "till",
  network: "",
  by: "a@example.com",
  from: "192.0.2.7",
} as const;
const FACTS: readonly Fact[] = [
  { kind: "orderPaid", facts: { ...amount, orderId: "1", number: "A-1" } },
  { kind: "moneyUnmatched", facts: { ...amount, transferId: "1" } },
  { kind: "paymentReversed", facts: { ...amount, transferId: "1", number: "A-1" } },
  { kind: "callbackFailing", facts: { origin: "https://shop.example.com", orderId: null, number: null } },
  { kind: "networkTrouble", facts: { network: "ethereum", problem: "HTTP 503" } },
  { kind: "endpointsContradict", facts: { ...amount, transferId: "1" } },
  { kind: "signedIn", facts: { network: "192.0.2.0/24", browser: "Firefox" } },
  { kind: "addressTampered", facts: { network: "ethereum", address: "0x01" } },
  { kind: "securityChanged", facts: { ...change, shop: "Tea", at: "2026-11-01T10:00:00Z" } },
  {
    kind: "dailyReport",
    facts: { day: "2026-11-01", created: 3, paid: 2, sums: [amount], unmatched: 5, failedCallbacks: 21 },
  },
];
const reader = (language: string) => ({
  language,
  shop: "Tea",
  unsubscribeUrl: "https://pay.example.com/unsubscribe/x",
});
const render = (language: string, fact: Fact, count: number) =>
  renderNotification(
    "https://pay.example.com",
    { type: "facts", kind: fact.kind, facts: new Array(count).fill(fact) },
    reader(language),
  );

describe.each(LANGUAGES.map(({ id }) => id))("%s", (id) => {
  test.each(FACTS.map((fact) => [fact.kind, fact] as const))("an email about %s is complete", (_, fact) => {
    for (const count of [1, 2, 5, 12]) {
      const { title, mailText, mailHtml } = render(id, fact, count);
      expect(title).toMatch(/^Tea[:：] ?./);
      expect(mailText).not.toMatch(/[{}]|undefined|emails\./);
      expect(mailHtml).toContain(`<html lang="${id}">`);
      if (id !== "en") expect(title).not.toBe(render("en", fact, count).title);
    }
  });

  test("the email that resets a password names the account and has the link", () => {
    const content = { type: "passwordReset", url: "https://pay.example.com/reset/x", from: "192.0.2.7" } as const;
    const { text } = renderAccountEmail("https://pay.example.com", content, { language: id, email: "a@example.com" });
    expect(text).toContain("a@example.com");
    expect(text).toMatch(/[:：] ?https:\/\/pay\.example\.com\/reset\/x/);
  });
});

test.each([
  ["en", "no worker has read this network since 2026-11-01 10:00 UTC"],
  ["zh", "自 2026-11-01 10:00 UTC 起没有读取该网络"],
  ["es", "ningún proceso ha leído esta red desde 2026-11-01 10:00 UTC"],
  ["ru", "с 2026-11-01 10:00 UTC эту сеть не читает ни один процесс"],
])("%s: the reason of a network's problem is in the language of the email", (language, expected) => {
  const refusal = { code: "unwatched", since: "2026-11-01T10:00:00Z" } as const;
  const { mailText } = render(language, { kind: "networkTrouble", facts: { network: "ethereum", refusal } }, 1);
  expect(mailText).toContain(expected);
});

test("Russian counts in its three forms", () => {
  const [paid] = FACTS;
  if (!paid) throw new Error("no fact");
  expect([2, 5, 21].map((count) => render("ru", paid, count).title)).toEqual([
    "Tea: 2 заказа оплачены",
    "Tea: 5 заказов оплачены",
    "Tea: 21 заказ оплачен",
  ]);
});
