import { expect, test } from "vitest";
import { returnUrl } from "@/lib/domain/integrations/return-url";
import { INSTALLED } from "@/lib/integrations/installed";

test.each([
  ["epay", "https://shop.example/x?a=1", "/pay/t1/return"],
  ["epusdt", "https://shop.example/x?a=1", "/pay/t1/return"],
  ["greenfield", "https://shop.example/x?i={InvoiceId}&o=1", "https://shop.example/x?i=t1&o=1"],
])("the payer of an order of %s that came with %s returns by %s", (integration, redirectUrl, expected) => {
  expect(returnUrl({ tradeId: "t1", mchOrderId: "m1", integration, redirectUrl }, INSTALLED)).toBe(expected);
});
