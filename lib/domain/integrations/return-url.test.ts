import { expect, test } from "vitest";
import { NO_INTEGRATIONS, registerIntegrations } from "@/lib/domain/integrations/integration";
import { returnUrl } from "@/lib/domain/integrations/return-url";
import { blankIntegration } from "@/testing/integrations/blank";

const integrations = registerIntegrations([
  blankIntegration("plain", {
    returnRule: { kind: "plain", url: ({ redirectUrl, tradeId }) => `${redirectUrl}#${tradeId}` },
  }),
  blankIntegration("signed", {
    returnRule: { kind: "signed", sign: ({ redirectUrl }, key) => `${redirectUrl}#${key}` },
  }),
]);

test("the return URL of an order of the API keeps its query and fragment, and appends the order's id and number", () => {
  const urlOf = (redirectUrl: string, mchOrderId: string) =>
    returnUrl({ redirectUrl, mchOrderId, tradeId: "t1", integration: "api" }, NO_INTEGRATIONS);
  expect(urlOf("https://shop.example", "A&B #1")).toBe("https://shop.example/?trade_id=t1&mch_order_id=A%26B%20%231");
  expect(urlOf("https://shop.example/x?a=1&b=%2F#frag", "m1")).toBe(
    "https://shop.example/x?a=1&b=%2F&trade_id=t1&mch_order_id=m1#frag",
  );
  expect(urlOf("https://shop.example/done?a=b%20c#part", "A 1/ü")).toBe(
    "https://shop.example/done?a=b%20c&trade_id=t1&mch_order_id=A%201%2F%C3%BC#part",
  );
});

test("orders of an integration return by its rule, and not at all if it is not installed or there is no URL", () => {
  const order = { redirectUrl: "https://shop.example/x", mchOrderId: "m1", tradeId: "t1" };
  const urlOf = (integration: string, redirectUrl: string | null = order.redirectUrl) =>
    returnUrl({ ...order, integration, redirectUrl }, integrations);
  expect(urlOf("plain")).toBe("https://shop.example/x#t1");
  expect(urlOf("signed")).toBe("/pay/t1/return");
  expect(urlOf("removed")).toBeNull();
  expect(urlOf("plain", null)).toBeNull();
});
