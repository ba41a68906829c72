import { expect, test } from "vitest";
import { NETWORKS } from "@/lib/domain/networks";
import { ORDER_EXCEPTIONS, ORDER_STATUSES } from "@/lib/domain/orders/order";
import { invoiceStatus, paymentMethodId, statusOfInvoice } from "@/lib/integrations/greenfield/invoice-status";
import { parseTradeType } from "@/lib/integrations/shared/trade-type";

const TABLE = {
  "pending null": "New None",
  "pending underpaid": "New None",
  "pending overpaid": "New None",
  "pending late": "New None",
  "pending manual": "New None",
  "confirming null": "Processing None",
  "confirming underpaid": "Processing None",
  "confirming overpaid": "Processing None",
  "confirming late": "Processing None",
  "confirming manual": "Processing None",
  "paid null": "Settled None",
  "paid underpaid": "Settled None",
  "paid overpaid": "Settled PaidOver",
  "paid late": "Settled PaidLate",
  "paid manual": "Settled Marked",
  "expired null": "Expired None",
  "expired underpaid": "Expired PaidPartial",
  "expired overpaid": "Expired None",
  "expired late": "Expired None",
  "expired manual": "Expired None",
  "cancelled null": "Invalid Marked",
  "cancelled underpaid": "Invalid Marked",
  "cancelled overpaid": "Invalid Marked",
  "cancelled late": "Invalid Marked",
  "cancelled manual": "Invalid Marked",
};

test("every status with every exception is mapped", () => {
  const found = ORDER_STATUSES.flatMap((status) =>
    [null, ...ORDER_EXCEPTIONS].map((exception) => {
      const { status: shown, additionalStatus } = invoiceStatus(status, exception);
      return [`${status} ${exception}`, `${shown} ${additionalStatus}`];
    }),
  );
  expect(Object.fromEntries(found)).toEqual(TABLE);
});

test("the mapping is reversible, and has no other values", () => {
  for (const status of ORDER_STATUSES) expect(statusOfInvoice(invoiceStatus(status, null).status)).toBe(status);
  expect([statusOfInvoice(" settled "), statusOfInvoice("paid"), statusOfInvoice("")]).toEqual(["paid", null, null]);
});

test("a way to pay is known again by its name, with either mark between", () => {
  for (const { id: network, tokens } of NETWORKS)
    for (const { currency } of tokens) {
      const name = paymentMethodId({ network, currency });
      expect(name).toMatch(/^[A-Z0-9]+-[A-Z0-9-]+$/);
      expect(parseTradeType(name)).toEqual({ network, currency });
      expect(parseTradeType(name.replaceAll("-", "_"))).toEqual({ network, currency });
    }
});
