import { expect, test } from "vitest";
import { agreedBalance, differenceOf, meaningOf } from "@/lib/domain/transfers/balance";

const says = (endpoint: string, baseUnits: bigint, height: number) => ({ endpoint, balance: { baseUnits, height } });
const blind = (endpoint: string) => ({ endpoint, balance: null });

test("silence, ignorance and contradiction are three answers; the newest of those that agree is the balance", () => {
  expect(agreedBalance([])).toEqual({ kind: "silent" });
  expect(agreedBalance([blind("a"), blind("b")])).toEqual({ kind: "unknown" });
  expect(agreedBalance([blind("a"), says("b", 5n, 7)])).toEqual({
    kind: "read",
    balance: { baseUnits: 5n, height: 7 },
  });
  expect(agreedBalance([says("a", 5n, 7), says("b", 6n, 8)])).toMatchObject({ balance: { baseUnits: 6n, height: 8 } });
  expect(agreedBalance([says("a", 5n, 7), says("b", 6n, 7), blind("c")])).toEqual({
    kind: "contradicted",
    said: [
      { endpoint: "a", says: "5 base units at height 7" },
      { endpoint: "b", says: "6 base units at height 7" },
    ],
  });
});

test("refunded amounts are expected to be gone", () => {
  const compared = { inUnits: 100n, backUnits: 30n, balanceUnits: 70n };
  expect([differenceOf(compared), meaningOf(compared)]).toEqual([0n, "equal"]);
  expect(meaningOf({ ...compared, balanceUnits: 0n })).toBe("less");
  expect(differenceOf({ ...compared, balanceUnits: 75n })).toBe(5n);
  expect(meaningOf({ ...compared, balanceUnits: 75n })).toBe("more");
});
