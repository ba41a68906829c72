import { Transaction } from "@solana/web3.js";
import { TronWeb } from "tronweb";
import { beforeEach, describe, expect, test } from "vitest";
import { listAuditEvents } from "@/db/queries/merchants/audit-list";
import { listWaiting } from "@/db/queries/networks/waiting";
import { listPayableRefunds } from "@/db/queries/refunds/refund-payment";
import { findRefund } from "@/db/queries/refunds/refund-requests";
import { cursors, refundRequests } from "@/db/schema";
import type { Finality } from "@/lib/chains/endpoints/source";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";
import { getNetwork, getToken } from "@/lib/domain/networks";
import type { FreezeState } from "@/lib/domain/refunds/freeze";
import { paymentMark } from "@/lib/domain/refunds/payment";
import { confirmTransfers } from "@/lib/ledger/confirm-transfers";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import { checkFreezeLists } from "@/lib/refunds/check-freeze-lists";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { beginWalletPayment, dropWalletPayment, noteWalletPayment } from "@/lib/refunds/pay-by-wallet";
import { requestRefund } from "@/lib/refunds/request-refund";
import { type SelectedBatch, writeBatch } from "@/lib/refunds/write-batch";
import { empty } from "@/testing/database/empty";
import { seedCursor, seedOrder, seedPerson, seedTransfer, TEST_APP_SECRET } from "@/testing/database/seed";
import { useShop } from "@/testing/database/shop";

const { db, shop, ctx, now, later } = useShop();
const EVM = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
const TRON = "TQKLs3GzCNLjzyCvaPWSrqcpUGUhadxm7P";
const TRON_PAYER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const SOLANA = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
const SOLANA_PAYER = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
const BLOCKHASH = "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N";
const ACCOUNT = `0x${"33".repeat(20)}`;
const TX = `0x${"ab".repeat(32)}`;
const sandbox = { isSandbox: false, appSecret: TEST_APP_SECRET };
const ethereum = getNetwork("ethereum");

let userId: string;
/** The number of paid orders, because no two open orders may have the same amount. */
let paidOrders = 0n;
const owner = () => ({ merchantId: shop.merchant.id, userId, role: "owner" as const });
const viewer = () => ({ ...owner(), role: "viewer" as const });
const checker = {
  heads: () => [head, head],
  checkFinality: async (): Promise<Finality> => ({ kind: "final" }),
} as never;
const head = { height: 200, hash: "0x1", parentHash: "0x0", time: now, finalizedHeight: 200 };

beforeEach(async () => {
  await empty(db(), "refund_requests", "transfers");
  userId = await seedPerson(db(), { merchantId: shop.merchant.id }, now);
});

/** Returns the id of a refund of 5 USDT that was claimed for an address. */
async function claimed(network = "ethereum", address = EVM, microUnits = 5_000_000n): Promise<string> {
  paidOrders += 1n;
  const price = 10_000_300n + paidOrders;
  const { id: orderId } = await seedOrder(
    db(),
    { address: shop.address, baseUnits: price, apiKeyId: shop.merchant.keyId },
    now,
  );
  await seedTransfer(db(), { address: shop.address, baseUnits: price }, now);
  await matchTransfers(db(), ctx, "ethereum", now);
  await confirmTransfers(db(), ctx, checker, ethereum, head, now);
  const terms = { reason: null, email: null, mchRefundId: null, expiresInSeconds: 86_400 };
  const subject = { orderId, transferId: null };
  const { refund } = await requestRefund(db(), owner(), { subject, amount: { microUnits }, ...terms }, now);
  const claim = { network, address, confirmation: address.slice(-4), check: "" };
  expect(await claimRefund(db(), ctx, refund.id, claim, now)).toBeNull();
  return refund.id;
}

async function approved(...claim: Parameters<typeof claimed>): Promise<string> {
  const id = await claimed(...claim);
  expect(await approveRefund(db(), ctx, owner(), id, now)).toBeNull();
  return id;
}

async function read(id: string) {
  const refund = await findRefund(db(), shop.merchant.id, { id });
  if (!refund) throw new Error(`No refund ${id}`);
  return refund;
}
const markOf = async (id: string) => paymentMark(await read(id));

describe("a payment with a wallet", () => {
  const begin = async (id: string, change: Partial<Parameters<typeof beginWalletPayment>[3]> = {}, at = now) =>
    beginWalletPayment(
      db(),
      sandbox,
      owner(),
      { id, mark: await markOf(id), isAgain: false, account: ACCOUNT, ...change },
      at,
    );

  test("requests exactly the approved token, amount and address, and is recorded before the wallet is asked", async () => {
    const id = await approved();
    expect(await begin(id, { account: null })).toMatchObject({ askedAt: null });
    expect((await read(id)).walletStartedAt).toBeNull();
    expect(await begin(id)).toMatchObject({
      request: {
        family: "evm",
        chain: "0x1",
        token: getToken(ethereum, "USDT").contract,
        recipient: EVM,
        units: "5000000",
      },
      askedAt: now,
    });
    expect(await read(id)).toMatchObject({ walletStartedAt: now, walletSentAt: null, status: "approved" });
  });

  test("of two users who pay at the same time, one is refused; a later payment needs a confirmation", async () => {
    const id = await approved();
    const mark = await markOf(id);
    const both = await Promise.all([begin(id, { mark }), begin(id, { mark })]);
    expect(both.filter((one) => "problem" in one)).toEqual([
      { problem: { code: "refund_payment_recorded", params: {} } },
    ]);
    expect(await begin(id)).toMatchObject({ problem: { code: "refund_payment_recorded" } });
    expect(await begin(id, { isAgain: true }, later(1))).toMatchObject({ askedAt: later(1) });
  });

  test("a request that its user declined is forgotten, and one after another is not", async () => {
    const id = await approved();
    await begin(id);
    await dropWalletPayment(db(), viewer(), { id, askedAt: now });
    expect((await read(id)).walletStartedAt).toEqual(now);
    await dropWalletPayment(db(), owner(), { id, askedAt: now });
    expect((await read(id)).walletStartedAt).toBeNull();
    await begin(id, {}, later(1));
    await begin(id, { isAgain: true }, later(2));
    await dropWalletPayment(db(), owner(), { id, askedAt: later(2) });
    expect((await read(id)).walletStartedAt).toEqual(later(1));
  });

  test("the wallet's transaction is shown, and completes nothing", async () => {
    const id = await approved();
    await begin(id);
    expect(await noteWalletPayment(db(), owner(), { id, text: "0x12" }, now)).toMatchObject({
      problem: { code: "refund_id_malformed" },
    });
    for (const at of [later(1), later(2)])
      expect(await noteWalletPayment(db(), owner(), { id, text: TX }, at)).toBeNull();
    expect(await read(id)).toMatchObject({ status: "approved", txId: null, walletTxId: TX, walletSentAt: later(1) });
    await dropWalletPayment(db(), owner(), { id, askedAt: now });
    expect((await read(id)).walletStartedAt).toEqual(now);
    await db().update(refundRequests).set({ status: "sent", walletTxId: null });
    expect(await noteWalletPayment(db(), owner(), { id, text: TX }, later(3))).toBeNull();
    expect(await read(id)).toMatchObject({ status: "sent", walletTxId: TX });
    const filter = { action: "refund.wallet_sent" } as const;
    const { rows } = await listAuditEvents(db(), shop.merchant.id, filter, null, 10);
    expect(rows.map(({ detail }) => detail["txId"])).toEqual([TX, TX]);
  });

  test("its network is polled actively, also long after the approval", async () => {
    const id = await approved();
    const isPolled = async () => (await listWaiting(db(), ["ethereum"], later(120))).get("ethereum")?.hasPending;
    expect(await isPolled()).toBe(false);
    await begin(id, {}, later(119));
    expect(await isPolled()).toBe(true);
    await db()
      .update(refundRequests)
      .set({ walletAskedAt: null, exportedAt: later(119) });
    expect(await isPolled()).toBe(true);
  });

  test("viewers, other shops and refunds without an approval get no request", async () => {
    const id = await approved();
    const payment = { id, mark: await markOf(id), isAgain: false, account: ACCOUNT };
    expect(await beginWalletPayment(db(), sandbox, viewer(), payment, now)).toMatchObject({
      problem: { code: "role_read_only" },
    });
    const other = { ...owner(), merchantId: "another" };
    expect(await beginWalletPayment(db(), sandbox, other, payment, now)).toMatchObject({
      problem: { code: "refund_unknown" },
    });
    await cancelRefund(db(), ctx, owner(), { id, reason: "" }, now);
    expect(await begin(id)).toMatchObject({ problem: { code: "refund_not_payable", params: { status: "cancelled" } } });
  });
});

describe("a batch file", () => {
  const write = async (ids: string[], change: Partial<SelectedBatch> = {}) => {
    const refunds = await Promise.all(ids.map(async (id) => ({ id, mark: await markOf(id) })));
    const batch = { network: "ethereum", kind: "csv", refunds, from: "", isAgain: false, ...change } as const;
    return writeBatch(db(), sandbox, owner(), batch, now);
  };
  const textOf = (written: Awaited<ReturnType<typeof write>>) => {
    if ("problem" in written) throw new Error(written.problem.code);
    return written.file.text;
  };

  test("lists the selected refunds, which need a confirmation for the next file", async () => {
    const [first, second, third] = [await approved(), await approved(), await approved()];
    const { mchOrderId } = (await listPayableRefunds(db(), shop.merchant.id, 10)).find(({ id }) => id === first) ?? {};
    const { contract } = getToken(ethereum, "USDT");
    const lines = textOf(await write([first, second]))
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines).toContain(`"${first}","${mchOrderId}","ethereum","${EVM}","USDT","${contract}","5","5000000"`);
    expect(await read(first)).toMatchObject({ exportedAt: now, status: "approved" });
    expect((await read(third)).exportedAt).toBeNull();
    expect(await write([first, third])).toMatchObject({ problem: { code: "refund_batch_paid", params: { count: 1 } } });
    expect((await read(third)).exportedAt).toBeNull();
    expect(textOf(await write([first, third], { isAgain: true }))).toContain(third);
  });

  test("is refused as a whole if a refund was written to another file or cancelled in the meantime", async () => {
    const [first, second] = [await approved(), await approved()];
    const refunds = await Promise.all([first, second].map(async (id) => ({ id, mark: await markOf(id) })));
    const both = await Promise.all([write([], { refunds }), write([], { refunds })]);
    expect(both.filter((one) => "file" in one)).toHaveLength(1);
    expect(both.find((one) => "problem" in one)).toMatchObject({ problem: { code: "refund_batch_changed" } });
    const third = await approved();
    await cancelRefund(db(), ctx, owner(), { id: second, reason: "" }, now);
    expect(await write([second, third], { isAgain: true })).toMatchObject({ problem: { params: { count: 1 } } });
    expect(await write([])).toMatchObject({ problem: { code: "refund_batch_empty" } });
  });

  test("for Safe has one token transfer for each refund", async () => {
    const file = JSON.parse(textOf(await write([await approved()], { kind: "safe" })));
    expect(file).toMatchObject({ version: "1.0", chainId: "1" });
    const data = `0xa9059cbb${EVM.slice(2).toLowerCase().padStart(64, "0")}${(5_000_000).toString(16).padStart(64, "0")}`;
    const { contract } = getToken(ethereum, "USDT");
    expect(file.transactions).toEqual([{ to: contract, value: "0", data, contractMethod: null }]);
  });

  test("for TRON has unsigned transactions of the paying account", async () => {
    const id = await approved("tron", TRON);
    await seedCursor(db(), "tron", now, 70_000_123);
    await db()
      .update(cursors)
      .set({ hash: `0x${(70_000_123).toString(16).padStart(16, "0")}${"ab".repeat(24)}` });
    expect(await write([id], { network: "tron", kind: "plan", from: "T1" })).toMatchObject({ field: "from" });
    expect(await write([id], { network: "tron", kind: "plan", from: TRON })).toMatchObject({
      problem: { code: "refund_batch_own" },
    });
    expect((await read(id)).exportedAt).toBeNull();
    const file = JSON.parse(textOf(await write([id], { network: "tron", kind: "plan", from: TRON_PAYER })));
    const [{ transaction, ...transfer }] = file.transfers;
    expect(transfer).toMatchObject({ refund_id: id, from: TRON_PAYER, to: TRON, amount: "5", base_units: "5000000" });
    const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
    expect(tronWeb.utils.transaction.txCheck(transaction)).toBe(true);
    const { data, owner_address } = transaction.raw_data.contract[0].parameter.value;
    expect(tronWeb.address.fromHex(owner_address)).toBe(TRON_PAYER);
    expect(tronWeb.address.fromHex(`41${data.slice(32, 72)}`)).toBe(TRON);
  });

  test("for Solana has unsigned transactions of the paying account, if a recent block is known", async () => {
    const id = await approved("solana", SOLANA);
    const plan = { network: "solana", kind: "plan", from: SOLANA_PAYER } as const;
    expect(await write([id], plan)).toMatchObject({ problem: { code: "refund_batch_unready" } });
    await seedCursor(db(), "solana", now);
    await db().update(cursors).set({ hash: BLOCKHASH });
    const file = JSON.parse(textOf(await write([id], plan)));
    const transaction = Transaction.from(Buffer.from(file.transfers[0].transaction, "base64"));
    expect(transaction.feePayer?.toBase58()).toBe(SOLANA_PAYER);
    expect(transaction.recentBlockhash).toBe(BLOCKHASH);
    const mint = getToken(getNetwork("solana"), "USDT").contract;
    const keys = transaction.instructions[1]?.keys.map(({ pubkey }) => pubkey.toBase58());
    expect(keys).toContain(associatedAccount(SOLANA, mint));
  });
});

describe("freeze lists", () => {
  const log = { error: (fields: object) => expect(fields).toBeNull() } as never;
  const check = (answer: FreezeState | (() => Promise<FreezeState>), at = now) => {
    const source = { freezeState: async () => (typeof answer === "string" ? answer : answer()) };
    return checkFreezeLists(db(), { network: ethereum, source, log }, at);
  };

  test("a listed address is approved only with a confirmation", async () => {
    const id = await claimed();
    expect((await read(id)).freezeState).toBeNull();
    expect(await check("listed")).toBe(1);
    expect(await read(id)).toMatchObject({ freezeState: "listed", freezeCheckedAt: now });
    expect(await approveRefund(db(), ctx, owner(), id, now)).toMatchObject({
      problem: { code: "refund_address_listed", params: { currency: "USDT" } },
    });
    expect((await read(id)).status).toBe("claimed");
    expect(await approveRefund(db(), ctx, owner(), id, now, { acceptsListed: true })).toBeNull();
  });

  test("a failed check is repeated soon, is never clear, and does not replace the result that the address is listed", async () => {
    const id = await claimed();
    await check("unchecked");
    expect(await read(id)).toMatchObject({ freezeState: "unchecked" });
    expect(await check("listed")).toBe(0);
    expect(await check("listed", later(2))).toBe(1);
    expect(await check("unchecked", later(120))).toBe(1);
    expect(await read(id)).toMatchObject({ freezeState: "listed", freezeCheckedAt: later(2) });
    expect(await check("notListed", later(240))).toBe(1);
    expect((await read(id)).freezeState).toBe("notListed");
  });

  test("a new claim and an approval are checked again; a result of the previous claim is dropped", async () => {
    const id = await claimed();
    await check(async () => {
      await reopenRefund(db(), ctx, owner(), { id, reason: "" }, now);
      return "listed";
    });
    expect(await read(id)).toMatchObject({ status: "requested", freezeState: null });
    await claimRefund(
      db(),
      ctx,
      id,
      { network: "ethereum", address: EVM, confirmation: EVM.slice(-4), check: "" },
      later(1),
    );
    expect(await check("notListed", later(1))).toBe(1);
    expect(await check("listed", later(2))).toBe(0);
    await approveRefund(db(), ctx, owner(), id, later(2));
    expect(await check("listed", later(2))).toBe(1);
    expect(await read(id)).toMatchObject({ status: "approved", freezeState: "listed" });
    await cancelRefund(db(), ctx, owner(), { id, reason: "" }, later(3));
    expect(await check("listed", later(600))).toBe(0);
  });
});
