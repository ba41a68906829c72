import { describe, expect, test } from "vitest";
import {
  EvmLog,
  EvmReceipt,
  logFilter,
  readTransferLog,
  requireInSpan,
  tieToReceipt,
  transfersOfReceipt,
} from "@/lib/chains/evm/logs";
import { getNetwork } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/transfers/transfer";

const network = getNetwork("ethereum");
const tokens = watchedTokens(network);
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const APPROVAL = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const word = (hex: string) => `0x${hex.padStart(64, "0")}`;
const from = word("aa".repeat(20));
const to = word("AB".repeat(20));

const good = {
  address: USDT,
  topics: [TRANSFER, from, to],
  data: word("5"),
  blockNumber: "0x10",
  blockHash: word("b1"),
  transactionHash: word("c1"),
  logIndex: "0x0",
};
const log = (changes: Partial<typeof good> & { removed?: boolean } = {}) => EvmLog.parse({ ...good, ...changes });

describe("a log", () => {
  test("an event of a known token to an address is a transfer, in any letter case", () => {
    expect(readTransferLog(log(), tokens)).toMatchObject({
      token: { currency: "USDT" },
      from: `0x${"aa".repeat(20)}`,
      to: `0x${"ab".repeat(20)}`,
      baseUnits: 5n,
    });
    expect(readTransferLog(log({ data: `0x${"f".repeat(64)}` }), tokens)?.baseUnits).toBe(2n ** 256n - 1n);
  });

  test.each([
    ["of a contract that only calls itself USDT", { address: `0x${"99".repeat(20)}` }],
    ["of another event", { topics: [APPROVAL, from, to] }],
    ["with four topics, an NFT's", { topics: [TRANSFER, from, to, word("5")] }],
    ["with two topics", { topics: [TRANSFER, from] }],
    ["without topics", { topics: [] }],
    ["with no data", { data: "0x" }],
    ["with 31 bytes of data", { data: `0x${"0".repeat(61)}5` }],
    ["with 33 bytes of data", { data: `${word("5")}00` }],
    ["with 64 bytes of data", { data: `${word("5")}${"0".repeat(64)}` }],
    ["of nothing", { data: word("0") }],
    ["to what is no address", { topics: [TRANSFER, from, `0x1${"0".repeat(63)}`] }],
    ["from what is no address", { topics: [TRANSFER, `0x1${"0".repeat(63)}`, to] }],
  ])("%s is no transfer", (_what, changes) => {
    expect(readTransferLog(log(changes), tokens)).toBeNull();
  });
});

describe("the position of a transfer", () => {
  const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
  const STRANGER = `0x${"99".repeat(20)}`;
  const approval = { topics: [APPROVAL, from, to] };
  const transfers = [{}, approval, { data: word("6") }, { address: USDC }, { address: STRANGER }];
  /** EIP-7708: a transfer of the chain's native coin is logged like a token transfer. */
  const coin = { address: `0x${"f".repeat(39)}e`, data: word("1") };

  /** Returns the receipt of a transaction with these logs; the first one is the seventh of its block. */
  function receiptOf(logs: readonly Partial<typeof good>[]): EvmReceipt {
    const { transactionHash, blockHash, blockNumber } = good;
    const numbered = logs.map((one, index) => ({ ...good, ...one, logIndex: `0x${(index + 7).toString(16)}` }));
    return EvmReceipt.parse({ transactionHash, blockHash, blockNumber, status: "0x1", logs: numbered });
  }
  const positionsOf = (receipt: EvmReceipt, known = tokens) =>
    receipt.logs.flatMap((one) => {
      const found = readTransferLog(one, known);
      return found ? [tieToReceipt(network, found, receipt)?.position] : [];
    });

  test("is the contract and the ordinal among all of its own logs, those included that are no transfers", () => {
    expect(positionsOf(receiptOf(transfers))).toEqual([
      "0xdac17f958d2ee523a2206206994597c13d831ec7:0",
      "0xdac17f958d2ee523a2206206994597c13d831ec7:2",
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48:0",
    ]);
  });

  test.each([
    ["in front", [coin, ...transfers]],
    ["between", transfers.flatMap((one) => [one, coin])],
    ["behind", [...transfers, coin, coin]],
    ["and logs of other contracts everywhere", [coin, { address: STRANGER }, ...transfers, coin]],
  ])("is the same with a fork's new logs %s", (_where, logs) => {
    expect(positionsOf(receiptOf(logs))).toEqual(positionsOf(receiptOf(transfers)));
  });

  test("is the same however many tokens are known", () => {
    const [usdt = "", usdc = ""] = [...tokens.keys()];
    const only = (contract: string) => new Map([...tokens].filter(([one]) => one === contract));
    const receipt = receiptOf(transfers);
    const all = positionsOf(receipt);
    expect([...positionsOf(receipt, only(usdt)), ...positionsOf(receipt, only(usdc))]).toEqual(all);
  });

  test("is the same however a node sorts the logs of a receipt", () => {
    const receipt = receiptOf(transfers);
    const turned = { ...receipt, logs: receipt.logs.toReversed() };
    expect(positionsOf(turned).toReversed()).toEqual(positionsOf(receipt));
  });

  test("is found in a receipt for every contract, whether its token is known or not", () => {
    const found = transfersOfReceipt(receiptOf([coin, ...transfers]), new Date(0));
    expect(found.map(({ position }) => position)).toEqual([
      `${coin.address}:0`,
      "0xdac17f958d2ee523a2206206994597c13d831ec7:0",
      "0xdac17f958d2ee523a2206206994597c13d831ec7:2",
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48:0",
      `${STRANGER}:0`,
    ]);
  });
});

describe("the logs of an answer", () => {
  const byHash = { blockHash: word("b1"), height: 16 };
  const byRange = { from: 10, to: 20 };
  const accepts =
    (span: typeof byHash | typeof byRange, ...logs: EvmLog[]) =>
    () =>
      requireInSpan(logs, span);

  test("belong to the block or the range that was asked for", () => {
    const other = log({ logIndex: "0x1" });
    expect(accepts(byHash, log(), other)).not.toThrow();
    const next = log({ blockNumber: "0x11", blockHash: word("b2") });
    expect(accepts(byRange, log(), other, next)).not.toThrow();
  });

  test.each([
    ["of another block", byHash, [{ blockHash: word("b2") }]],
    ["of another height", byHash, [{ blockNumber: "0x11" }]],
    ["that was removed", byHash, [{ removed: true }]],
    ["that comes twice", byHash, [{}, {}]],
    ["that was removed", byRange, [{ removed: true }]],
    ["below the range", byRange, [{ blockNumber: "0x9" }]],
    ["above the range", byRange, [{ blockNumber: "0x15" }]],
    ["of one height in two blocks", byRange, [{}, { blockHash: word("b2") }]],
  ])("one %s is refused with all others", (_what, span, changes) => {
    expect(accepts(span, ...changes.map(log))).toThrow(expect.objectContaining({ kind: "inconsistent" }));
  });
});

describe("the filter", () => {
  const many = (count: number) =>
    new Set(Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`));
  const contracts = ["0xdac17f958d2ee523a2206206994597c13d831ec7", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"];

  test("asks by hash where the hash is known, else by heights", () => {
    expect(logFilter(network, { blockHash: word("b1"), height: 16 }, many(1))).toEqual({
      blockHash: word("b1"),
      address: contracts,
      topics: [TRANSFER, null, [word("0")]],
    });
    const byRange = logFilter(network, { from: 10, to: 20 }, many(1));
    expect(byRange).toMatchObject({ fromBlock: "0xa", toBlock: "0x14" });
    expect(byRange).not.toHaveProperty("blockHash");
  });

  test("names up to 500 addresses; above that only the tokens", () => {
    const span = { from: 10, to: 20 };
    expect(logFilter(network, span, many(500))["topics"]).toMatchObject([TRANSFER, null, { length: 500 }]);
    expect(logFilter(network, span, many(501))["topics"]).toEqual([TRANSFER]);
  });
});
