import { describe, expect, test } from "vitest";
import type { CheckoutFacts, CheckoutTransfer } from "@/lib/domain/checkout/facts";
import { checkoutTag, refreshMs } from "@/lib/domain/checkout/refresh";
import { checkoutView } from "@/lib/domain/checkout/view";
import { arrived, at, NOW as now, ORDER, usdt } from "@/testing/checkout/facts";

const waiting: CheckoutFacts = {
  ...ORDER,
  mchOrderId: "A 1/ü",
  returnUrl: "https://shop.example/done?a=b%20c#part",
  quote: { ...ORDER.quote, kind: "shared", baseUnits: usdt("10.0001") },
};

const transfer = (amount: string, more: Partial<CheckoutTransfer> = {}): CheckoutTransfer => ({
  ...(arrived(amount, 1_000)[0] as CheckoutTransfer),
  txId: "0xabc",
  ...more,
});

const view = (changes: Partial<CheckoutFacts> = {}) => checkoutView({ ...waiting, ...changes }, now);
const dedicated = { ...waiting.quote, kind: "dedicated" as const, baseUnits: usdt("10") };
const settled = { ...waiting.quote, isReleased: true };

describe("each state", () => {
  test("waiting: the exact amount, the checksummed address and the network's name", () => {
    expect(view()).toMatchObject({
      state: "waiting",
      isPaymentExpected: true,
      isExact: true,
      isFinal: false,
      amounts: { due: "10.0001", arrived: "0.00", remaining: "10.0001", surplus: "0.00" },
      address: "0x52908400098527886E0F7030069857D2E4169EE7",
      network: { title: "BNB Smart Chain (BEP20)" },
      token: { url: "https://bscscan.com/token/0x55d398326f99059fF775485246999027B3197955" },
      progress: null,
      returnUrl: null,
    });
  });

  test("underpaid: only the missing amount is requested, also by the QR code", () => {
    const rest = view({ exception: "underpaid", quote: dedicated, transfers: [transfer("4", { isConfirmed: true })] });
    expect(rest).toMatchObject({ state: "underpaid", isPaymentExpected: true, isExact: false });
    expect(rest.amounts).toEqual({ due: "10.00", arrived: "4.00", remaining: "6.00", surplus: "0.00" });
    expect(rest.payloads.wallet).toContain(`&uint256=${usdt("6")}`);
  });

  test("dust on a dedicated address changes nothing: the whole amount is asked for, and no excess is shown", () => {
    const dust = view({ quote: dedicated, transfers: [transfer("0.099999", { isConfirmed: true })] });
    expect(dust).toMatchObject({ state: "waiting", hasArrived: false, canSwitch: true, moreTime: { left: 3 } });
    expect(dust.amounts).toEqual({ due: "10.00", arrived: "0.00", remaining: "10.00", surplus: "0.00" });
    expect(view({ quote: dedicated, transfers: [transfer("0.1")] }).state).toBe("underpaid");
    const paid = { status: "paid", paidAt: now, quote: { ...dedicated, isReleased: true } } as const;
    const above = view({ ...paid, transfers: [transfer("10.05", { isConfirmed: true })] });
    expect(above.amounts).toEqual({ due: "10.00", arrived: "10.05", remaining: "0.00", surplus: "0.00" });
  });

  test("partial: on a shared address the payer is not asked for the missing amount of a manual assignment", () => {
    const part = view({ exception: "underpaid", transfers: [transfer("4", { isConfirmed: true })] });
    expect(part).toMatchObject({ state: "partial", isPaymentExpected: false, isFinal: false });
  });

  test("a transfer in another token counts by its amount in the displayed token", () => {
    const usdc = transfer("0", { network: "ethereum", currency: "USDC", baseUnits: 10_000_100n });
    const paid = view({
      status: "paid",
      exception: "manual",
      paidAt: now,
      transfers: [{ ...usdc, countedUnits: usdt("10.0001") }],
    });
    expect(paid).toMatchObject({ state: "paid", amounts: { arrived: "10.0001", remaining: "0.00" } });
    expect(paid.transfers).toMatchObject([{ amount: "10.0001", tokenName: "USDC" }]);
  });

  test("checking: when the time is up and the order is still pending, the page does not ask for a payment", () => {
    expect(view({ expiresAt: now })).toMatchObject({ state: "checking", isPaymentExpected: false, isFinal: false });
  });

  test("seen, then confirming n of m with the time that the missing blocks take", () => {
    const seen = view({ status: "confirming", transfers: [transfer("10.0001")] });
    expect(seen).toMatchObject({
      state: "seen",
      isPaymentExpected: false,
      progress: { confirmations: 1, required: 11 },
    });
    const later = view({ status: "confirming", transfers: [transfer("10.0001", { blockHeight: 995 })] });
    expect(later).toMatchObject({ state: "confirming", progress: { confirmations: 6, required: 11, secondsLeft: 3 } });
  });

  test("the least confirmed of several transfers decides", () => {
    const transfers = [transfer("4", { blockHeight: 900, isConfirmed: true }), transfer("6", { blockHeight: 997 })];
    expect(view({ status: "confirming", quote: dedicated, transfers }).progress?.confirmations).toBe(4);
  });

  test("a transfer of another network is confirmed by the rule and the blocks of its own", () => {
    const head = { height: 20_000_000, finalizedHeight: null };
    const assigned = transfer("10.0001", { network: "ethereum", blockHeight: 19_999_997, head });
    const { progress } = view({ status: "confirming", transfers: [assigned] });
    expect(progress).toEqual({ network: "Ethereum", confirmations: 4, required: 12, secondsLeft: 96 });
  });

  test("more confirmations than the network requires are waited for, fewer are not accepted", () => {
    const progressWith = (minConfirmations: number) =>
      view({
        status: "confirming",
        transfers: [transfer("10.0001", { blockHeight: 990, wait: { minConfirmations, minSeconds: null } })],
      }).progress;
    expect(progressWith(31)).toMatchObject({ confirmations: 11, required: 31, secondsLeft: 9 });
    expect(progressWith(3)).toMatchObject({ confirmations: 11, required: 11 });
  });

  test("confirmations never exceed the required number, and need no head", () => {
    const transfers = [transfer("10.0001", { blockHeight: 500 })];
    expect(view({ status: "confirming", transfers }).progress).toMatchObject({ confirmations: 11, required: 11 });
    const unread = [transfer("10.0001", { head: null })];
    const unheard = view({ status: "confirming", transfers: unread, chain: null });
    expect(unheard.progress).toMatchObject({ confirmations: 0, required: 120 });
  });

  test("late: a payment with a block time after the expiry is distinguished, before and after it is final", () => {
    const late = { expiresAt: at(-100), transfers: [transfer("10.0001")] };
    expect(view({ ...late, status: "confirming" }).state).toBe("late");
    const paid = view({ ...late, status: "paid", exception: "late", paidAt: now, quote: settled });
    expect(paid).toMatchObject({ state: "paid", isLate: true });
  });

  test("a payment in time that is confirmed after the expiry is not late", () => {
    const inTime = { expiresAt: at(-5), status: "confirming" as const, transfers: [transfer("10.0001")] };
    expect(view(inTime).isLate).toBe(false);
  });

  test("paid: final, with the way back to the shop", () => {
    const paid = view({ status: "paid", paidAt: now, quote: settled, transfers: [transfer("10.0001")] });
    expect(paid).toMatchObject({ state: "paid", isFinal: true, isPaymentExpected: false, isDelayed: false });
    expect(paid.returnUrl).toBe(waiting.returnUrl);
    expect(paid.transfers).toEqual([
      {
        network: { name: "BNB Smart Chain", title: "BNB Smart Chain (BEP20)" },
        txId: "0xabc",
        url: "https://bscscan.com/tx/0xabc",
        explorerName: "BscScan",
        amount: "10.0001",
        tokenName: "USDT",
        lookAlike: null,
      },
    ]);
  });

  test("the payer returns only once the order is paid, and only if there is a URL", () => {
    expect(view().returnUrl).toBeNull();
    expect(view({ status: "paid", paidAt: now, returnUrl: null }).returnUrl).toBeNull();
  });

  test("overpaid: how much more arrived", () => {
    const more = view({ status: "paid", exception: "overpaid", quote: dedicated, transfers: [transfer("12.5")] });
    expect(more).toMatchObject({
      state: "overpaid",
      amounts: { arrived: "12.50", surplus: "2.50", remaining: "0.00" },
    });
  });

  test("expired: watched until the late window is over, then final", () => {
    const expired = { status: "expired" as const, expiresAt: at(-10) };
    expect(view(expired)).toMatchObject({ state: "expired", watchedHours: 4, isFinal: false });
    const quote = { ...waiting.quote, reservedUntil: now };
    expect(view({ ...expired, quote })).toMatchObject({ watchedHours: null, isFinal: true });
  });

  test("elsewhere: the whole amount on another network; never final, and paying again stays possible in time", () => {
    const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
    const misdirected = { network: "ethereum", token, currency: "USDT", txId: "0xdef", baseUnits: 10_000_100n };
    const open = view({ misdirected: [misdirected] });
    expect(open).toMatchObject({
      state: "elsewhere",
      isPaymentExpected: false,
      isPaymentAccepted: true,
      isFinal: false,
    });
    expect(open.misdirected).toEqual([
      {
        network: { name: "Ethereum", title: "Ethereum (ERC20)" },
        tokenName: "USDT",
        lookAlike: null,
        amount: "10.0001",
        txId: "0xdef",
        url: "https://etherscan.io/tx/0xdef",
        explorerName: "Etherscan",
      },
    ]);
    const part = { quote: dedicated, transfers: [transfer("4")], misdirected: [misdirected] };
    expect(view(part)).toMatchObject({ state: "elsewhere", isPaymentExpected: false, amounts: { remaining: "6.00" } });
    const over = { status: "expired" as const, expiresAt: at(-10), misdirected: [misdirected] };
    const unwatched = { ...waiting.quote, reservedUntil: now };
    expect(view({ ...over, quote: unwatched })).toMatchObject({
      state: "elsewhere",
      isPaymentAccepted: false,
      isFinal: false,
    });
    expect(view({ misdirected: [misdirected], status: "confirming", transfers: [transfer("10.0001")] }).state).toBe(
      "seen",
    );
  });

  test("elsewhere: a token with the same name in wallets is named precisely", () => {
    const token = "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58";
    const misdirected = { network: "optimism", token, currency: null, txId: "0xdef", baseUnits: 10_000_100n };
    expect(view({ misdirected: [misdirected] })).toMatchObject({
      state: "elsewhere",
      misdirected: [{ tokenName: "bridged USDT", lookAlike: { symbol: "USDT" }, amount: "10.0001" }],
    });
  });

  test("cancelled: final", () => {
    expect(view({ status: "cancelled" })).toMatchObject({
      state: "cancelled",
      isFinal: true,
      isPaymentExpected: false,
    });
  });
});

test("a network that was not read to its head for minutes is delayed; so is one with a problem, or never read", () => {
  const chain = {
    head: { height: 1, finalizedHeight: null },
    wait: null,
    caughtUpAt: now,
    hasProblem: false,
  };
  expect(view({ chain }).isDelayed).toBe(false);
  expect(view({ chain: { ...chain, caughtUpAt: at(-181) } }).isDelayed).toBe(true);
  expect(view({ chain: { ...chain, hasProblem: true } }).isDelayed).toBe(true);
  expect(view({ chain: null }).isDelayed).toBe(true);
});

test("nothing of a view is only the merchant's", () => {
  const text = JSON.stringify(view({ mchOrderId: "SECRET-NUMBER" }));
  expect(text).not.toContain("SECRET-NUMBER");
  expect(text).not.toContain("notify");
});

test("the last third of the time is when to hurry", () => {
  expect(view().hurryAt).toBe(at(600).getTime());
});

test("a tag changes with the content, and only then", () => {
  const tag = (changes: Partial<CheckoutFacts>) => checkoutTag(view(changes));
  expect(tag({})).toBe(checkoutTag(checkoutView(waiting, at(30))));
  expect(tag({ version: 5 })).not.toBe(tag({}));
  const confirming = (height: number): Partial<CheckoutFacts> => ({
    status: "confirming",
    transfers: [transfer("10.0001", { head: { height, finalizedHeight: 990 } })],
  });
  expect(tag(confirming(1_001))).not.toBe(tag(confirming(1_002)));
});

test("pages ask often while confirmations grow, rarely while they wait, and never again in the end", () => {
  expect(refreshMs(view({ status: "confirming", transfers: [transfer("10.0001")] }))).toBe(3_000);
  expect(refreshMs(view())).toBe(60_000);
  expect(refreshMs(view({ status: "cancelled" }))).toBe(0);
});

test("another way to pay is offered while nothing came and there is one that the merchant leaves open", () => {
  const fixed = { network: "bsc", currency: "USDT" as const, amount: "10", price: null };
  const single = { isElsewhereOpen: false };
  expect(view().canSwitch).toBe(true);
  expect(view(single).canSwitch).toBe(true);
  expect(view({ ...single, checkout: { ...fixed, network: null } }).canSwitch).toBe(false);
  expect(view({ checkout: fixed }).canSwitch).toBe(false);
  expect(view({ transfers: [transfer("1")] }).canSwitch).toBe(false);
  expect(view({ expiresAt: now }).canSwitch).toBe(false);
});

test("additional choices are shown with amount and network", () => {
  const otherQuotes = [{ network: "ethereum", currency: "USDC" as const, baseUnits: 10_000_100n }];
  expect(view({ otherQuotes }).otherOffers).toEqual([{ amount: "10.0001 USDC", network: "Ethereum (ERC20)" }]);
});
