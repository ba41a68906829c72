import { describe, expect, test } from "vitest";
import { readTronLogs, readTronReceipt } from "@/lib/chains/tron/http-logs";
import { type TronAsk, TronBlock, TronInfo } from "@/lib/chains/tron/http-wire";

const HEIGHT = 84_940_364;
const USDT = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (hex: string) => hex.padStart(64, "0");
const payer = word("11".repeat(20));
const shop = word("22".repeat(20));
const idOf = (height: number, rest = "b") => height.toString(16).padStart(16, "0") + rest.repeat(48);
const first = "aa".repeat(32);
const second = "bb".repeat(32);

const log = { address: USDT, topics: [TRANSFER, payer, shop], data: word("5") };
const good = { id: first, blockNumber: HEIGHT, receipt: { result: "SUCCESS" }, log: [log] };
const plain = { id: second, blockNumber: HEIGHT, receipt: { net_usage: 283 }, contractResult: [""] };

interface Served {
  infos?: unknown;
  transactions?: string[];
  id?: string;
  number?: number;
}

/** Creates a node that has one block. */
function node({ infos = [good, plain], transactions = [first, second], id, number = HEIGHT }: Served = {}) {
  const raw_data = { number, parentHash: idOf(HEIGHT - 1), timestamp: 1_785_491_841_000 };
  const block = { blockID: id ?? idOf(HEIGHT), block_header: { raw_data } };
  const ask: TronAsk = async (path, fields) => {
    if (path === "wallet/getblockbynum") {
      if (fields["num"] !== HEIGHT) return {};
      return { ...block, ...(transactions.length > 0 ? { transactions: transactions.map((txID) => ({ txID })) } : {}) };
    }
    if (path === "wallet/gettransactioninfobyblocknum") return infos;
    const found = (infos as { id: string }[]).find((info) => info.id === fields["value"]);
    return found ?? {};
  };
  return ask;
}

const filter = {
  fromBlock: `0x${HEIGHT.toString(16)}`,
  toBlock: `0x${HEIGHT.toString(16)}`,
  address: [`0x${USDT}`],
  topics: [`0x${TRANSFER}`, null, [`0x${shop}`]],
};
const read = (served: Served, changes: object = {}) => readTronLogs(node(served), { ...filter, ...changes });
const status = async (info: object) => (await readTronReceipt(node({ infos: [info, plain] }), `0x${first}`))?.status;

describe("the logs of a block", () => {
  test("are the transfers in it, with positions counted over the whole block", async () => {
    const other = { ...plain, receipt: { result: "SUCCESS" }, log: [log, log] };
    const found = await read({ infos: [good, other] });
    expect(found.map(({ transactionHash, logIndex }) => [transactionHash, logIndex])).toEqual([
      [`0x${first}`, "0x0"],
      [`0x${second}`, "0x1"],
      [`0x${second}`, "0x2"],
    ]);
  });

  test("are the same whether a node writes 41 before addresses or not, also where the address itself begins with 41", async () => {
    for (const address of [USDT, `41${USDT}`, USDT.toUpperCase()]) {
      expect(await read({ infos: [{ ...good, log: [{ ...log, address }] }, plain] })).toHaveLength(1);
    }
    const own = `41${"7".repeat(38)}`;
    const parsed = [own, `41${own}`].map((address) => TronInfo.parse({ ...good, log: [{ ...log, address }] }));
    expect(parsed.map((info) => info.log[0]?.address)).toEqual([`0x${own}`, `0x${own}`]);
  });

  test("are none in a block without transactions, which has no list of them", async () => {
    expect(await read({ transactions: [], infos: [] })).toEqual([]);
  });

  test.each<[string, Served]>([
    ["none for a block that has transactions", { infos: [] }],
    ["one too few", { infos: [good] }],
    ["one too many", { infos: [good, plain, { ...plain, id: "cc".repeat(32) }] }],
    ["those of another transaction", { infos: [good, { ...plain, id: "cc".repeat(32) }] }],
    ["those of another block", { infos: [good, { ...plain, blockNumber: HEIGHT + 1 }] }],
  ])("are rejected from a node that returns receipts: %s", async (_what, served) => {
    await expect(read(served)).rejects.toMatchObject({ kind: "inconsistent" });
  });

  test("are rejected from a node that lacks the block, has another one, or answers with another height", async () => {
    const next = `0x${(HEIGHT + 1).toString(16)}`;
    await expect(read({}, { fromBlock: next, toBlock: next })).rejects.toMatchObject({ kind: "inconsistent" });
    await expect(read({ number: HEIGHT - 1 })).rejects.toThrow(/do not belong to one block/);
    const { fromBlock, toBlock, ...rest } = filter;
    const byHash = (hash: string) => readTronLogs(node(), { ...rest, blockHash: `0x${hash}` });
    expect(await byHash(idOf(HEIGHT))).toHaveLength(1);
    await expect(byHash(idOf(HEIGHT, "c"))).rejects.toMatchObject({ kind: "inconsistent" });
  });
});

describe("a transaction", () => {
  test.each<[string, object, string]>([
    ["that says SUCCESS succeeded", good, "0x1"],
    ["that calls no contract succeeded", { ...plain, id: first }, "0x1"],
    ["that FAILED did not succeed", { ...good, result: "FAILED", log: [] }, "0x0"],
    ["that ran out of energy did not", { ...good, receipt: { result: "OUT_OF_ENERGY" }, log: [] }, "0x0"],
    ["that was reverted did not", { ...good, receipt: { result: "REVERT" }, log: [] }, "0x0"],
    ["whose result is nothing known did not", { ...good, receipt: { result: "DEFAULT" }, log: [] }, "0x0"],
  ])("%s", async (_what, info, expected) => {
    expect(await status(info)).toBe(expected);
  });

  test.each<[string, object]>([
    ["FAILED", { ...good, result: "FAILED" }],
    ["ran out of energy", { ...good, receipt: { result: "OUT_OF_ENERGY" } }],
    ["has no result", { ...good, receipt: {} }],
  ])("that %s, but has logs, is rejected", async (_what, info) => {
    await expect(status(info)).rejects.toThrow(/logs of a failed transaction/);
  });

  test("that a node does not know is none: it answers {}", async () => {
    expect(await readTronReceipt(node(), `0x${"ff".repeat(32)}`)).toBeNull();
  });

  test("that its block does not contain is rejected", async () => {
    const ask = node({ transactions: [second], infos: [plain] });
    const lying: TronAsk = async (path, fields) => (path.endsWith("infobyid") ? good : ask(path, fields));
    await expect(readTronReceipt(lying, `0x${first}`)).rejects.toMatchObject({ kind: "inconsistent" });
  });
});

test("the first block has neither number nor parent nor time", () => {
  const { raw_data } = TronBlock.parse({ blockID: idOf(0), block_header: { raw_data: {} } }).block_header;
  expect(raw_data).toEqual({ number: 0, parentHash: "0".repeat(64), timestamp: 0 });
});
