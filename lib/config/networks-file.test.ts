import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { EnvError, readEnv, readNetworks } from "@/lib/config/env";
import { logNetworkChanges, readNetworksFile } from "@/lib/config/networks-file";
import { findToken, isOffered, NETWORKS, type Network } from "@/lib/domain/networks";
import { depthOf } from "@/lib/domain/networks/finality";
import { knownTokens, watchedTokens } from "@/lib/domain/transfers/transfer";

const folder = mkdtempSync(path.join(tmpdir(), "stablegate-networks-"));
const file = path.join(folder, "networks.json");
afterAll(() => rmSync(folder, { recursive: true }));

const LOWER = { NETWORKS_FILE_MAY_LOWER_SAFETY: "1" };
const REPLACE = { NETWORKS_FILE_MAY_REPLACE_TOKENS: "1" };
const OTHER = "0x2222222222222222222222222222222222222222";

function read(content: unknown, settings: Record<string, string> = {}) {
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const problems: string[] = [];
  const installed = readNetworksFile({ NETWORKS_FILE: file, ...settings }, problems);
  const row = (id: string) => installed.networks.find((network) => network.id === id) as Network;
  return { ...installed, problems: problems.map((note) => note.replaceAll(file, "networks.json")), row };
}
const problemsOf = (content: unknown, settings?: Record<string, string>) => read(content, settings).problems;
const released = (id: string) => NETWORKS.find((network) => network.id === id) as Network;

describe("permitted changes", () => {
  test("without a file, and with an empty one, the release's entries apply", () => {
    expect(readNetworksFile({}, [])).toEqual({ networks: NETWORKS, networkChanges: [] });
    expect(read({})).toMatchObject({ networks: NETWORKS, networkChanges: [], problems: [] });
    expect(read({ base: {} }).row("base")).toEqual(released("base"));
  });

  test("given facts change, all others stay, and every change is reported", () => {
    const { row, networkChanges, problems } = read({
      base: {
        note: "faster since Tuesday",
        blockMs: 100,
        finality: { seconds: 60 },
        pace: { behindMs: 3_000 },
        explorer: { name: "Blockscout", tx: "https://base.blockscout.com/tx/{}" },
        tokens: { USDC: false },
      },
    });
    expect(problems).toEqual([]);
    const base = released("base");
    expect(row("base")).toEqual({
      ...base,
      blockMs: 100,
      finality: { by: "depth", depth: 200, ms: 60_000 },
      pace: { everyMs: 2_000, behindMs: 3_000 },
      explorer: { ...base.explorer, name: "Blockscout", tx: "https://base.blockscout.com/tx/{}" },
      tokens: [{ ...base.tokens[0], isOff: true }],
    });
    expect(depthOf(row("base"), null)).toBe(600);
    expect(networkChanges.map(({ note }) => note)).toEqual([
      "a block every 100 ms initially, instead of 200 ms (faster since Tuesday)",
      "final after 200 blocks and 60 s, instead of 200 blocks and 40 s (faster since Tuesday)",
      "read every 2000 ms, with the last 3000 ms read again, instead of every 2000 ms, with the last 2000 ms read again (faster since Tuesday)",
      "its explorer's name Blockscout, tx page https://base.blockscout.com/tx/{} (faster since Tuesday)",
      "USDC is not used by new orders; existing orders and payments continue (faster since Tuesday)",
    ]);
    expect(networkChanges.every(({ network, isRisky }) => network === "base" && !isRisky)).toBe(true);
    expect(row("bsc")).toBe(released("bsc"));
  });

  test("a time is added to a rule in blocks; for chains with a finality tag the message describes when it applies", () => {
    const { row, networkChanges } = read({
      avalanche: { finality: { seconds: 10 } },
      solana: { finality: { blocks: 64 } },
    });
    expect(row("avalanche").finality).toEqual({ by: "depth", depth: 3, ms: 10_000 });
    expect(row("solana").finality).toEqual({ by: "finalized", depth: 64 });
    expect(networkChanges.map(({ note }) => note)).toEqual([
      "final after 3 blocks and 10 s, instead of 3 blocks",
      "final after 64 blocks where a node does not report finality, instead of 32 blocks",
    ]);
  });

  test("a token that is switched off is no offer, and is found all the same; with none left the network takes no orders", () => {
    const { row } = read({ bsc: { tokens: { USDC: false, USDT: true } }, tron: { tokens: { USDT: false } } });
    expect(isOffered(row("bsc"))).toBe(true);
    expect(findToken(row("bsc"), "USDC")).toMatchObject({ isOff: true, decimals: 18 });
    expect(findToken(row("bsc"), "USDT")).toEqual(findToken(released("bsc"), "USDT"));
    expect(isOffered(row("tron"))).toBe(false);
  });

  test("an entry that equals the release is reported, so that it can be removed", () => {
    const { networkChanges, networks } = read({
      base: { blockMs: 200, finality: { blocks: 200 }, pace: { everyMs: 2_000 } },
    });
    expect(networks).toEqual(NETWORKS);
    expect(networkChanges.map(({ note }) => note)).toEqual([
      "blockMs is the same as in this release and can be removed from the file",
      "finality is the same as in this release and can be removed from the file",
      "pace is the same as in this release and can be removed from the file",
    ]);
  });
});

test("a look-alike that is switched off is not watched and known all the same; one that was made the token is none any more", () => {
  const [first, ...rest] = released("base").lookAlikes;
  const off = read({ base: { lookAlikes: { [first?.contract.toLowerCase() ?? ""]: false } } });
  expect(off.row("base").lookAlikes).toEqual([{ ...first, isOff: true }, ...rest]);
  const contract = first?.contract.toLowerCase() ?? "";
  expect([watchedTokens(off.row("base")).has(contract), knownTokens(off.row("base")).has(contract)]).toEqual([
    false,
    true,
  ]);
  expect(off.networkChanges.map(({ note }) => note)).toEqual([`${first?.name} (${first?.contract}) is not watched`]);
  const [bridged] = released("base").lookAlikes.filter(({ currency }) => currency === "USDC");
  const made = read({ base: { tokens: { USDC: { contract: bridged?.contract ?? "" } } } }, REPLACE);
  expect(made.problems).toEqual([]);
  expect(made.row("base").tokens[0]?.contract).toBe(bridged?.contract);
  expect(made.row("base").lookAlikes).not.toContainEqual(bridged);
});

describe("changes that need an additional setting", () => {
  test("less safety than the release", () => {
    const less = { base: { finality: { blocks: 20, seconds: 4 }, pace: { behindMs: 0 } } };
    const { problems, row } = read(less);
    expect(problems).toEqual([
      expect.stringMatching(
        /^NETWORKS_FILE: base\.finality\.blocks in networks\.json is 20, less than this release's 200 blocks: .*NETWORKS_FILE_MAY_LOWER_SAFETY=1/,
      ),
      expect.stringMatching(
        /^NETWORKS_FILE: base\.finality\.seconds in networks\.json is 4, less than this release's 40 seconds/,
      ),
      expect.stringMatching(
        /^NETWORKS_FILE: base\.pace\.behindMs in networks\.json is 0, less than this release's 2000/,
      ),
    ]);
    expect(row("base")).toEqual(released("base"));
    const allowed = read(less, LOWER);
    expect(allowed.problems).toEqual([]);
    expect(allowed.row("base").finality).toEqual({ by: "depth", depth: 20, ms: 4_000 });
    expect(allowed.networkChanges.map(({ isRisky }) => isRisky)).toEqual([true, true]);
  });

  test("another contract; once allowed the old one stays beside it, switched off", () => {
    const moved = { ethereum: { tokens: { USDT: { contract: OTHER, decimals: 6 } } } };
    expect(problemsOf(moved)).toEqual([
      expect.stringMatching(
        /^NETWORKS_FILE: ethereum\.tokens\.USDT in networks\.json would replace this release's contract;.*"USDT": false.*NETWORKS_FILE_MAY_REPLACE_TOKENS=1/,
      ),
    ]);
    expect(problemsOf(moved, LOWER)).toHaveLength(1);
    const { row, problems, networkChanges } = read(moved, REPLACE);
    expect(problems).toEqual([]);
    const [usdt, usdc] = released("ethereum").tokens;
    expect(row("ethereum").tokens).toEqual([
      { currency: "USDT", contract: OTHER, decimals: 6 },
      { ...usdt, isOff: true },
      usdc,
    ]);
    expect(findToken(row("ethereum"), "USDT")?.contract).toBe(OTHER);
    expect(networkChanges).toEqual([
      { network: "ethereum", isRisky: true, note: expect.stringContaining(`USDT is ${OTHER}, instead of`) },
    ]);
  });

  test("other decimals; never together with another contract, for stored amounts would be misread", () => {
    const rescaled = { bsc: { tokens: { USDC: { decimals: 6 } } } };
    expect(problemsOf(rescaled)).toEqual([expect.stringContaining("would replace this release's number of decimals")]);
    expect(read(rescaled, REPLACE).row("bsc").tokens[1]).toMatchObject({ currency: "USDC", decimals: 6 });
    const both = { bsc: { tokens: { USDC: { contract: OTHER, decimals: 6 } } } };
    expect(problemsOf(both, REPLACE)).toEqual([expect.stringContaining("amounts of earlier orders would be misread")]);
  });

  test("a contract is written as people write it, and is checked as an address of its network", () => {
    const contract = "0x01bff41798a0bcf287b996046ca68b395dbc1071";
    const { row } = read({ ethereum: { tokens: { USDT: { contract } } } }, REPLACE);
    expect(row("ethereum").tokens[0]?.contract).toBe("0x01bFF41798a0BcF287b996046Ca68b395DbC1071");
    const refused = (id: string, text: string) =>
      problemsOf({ [id]: { tokens: { USDT: { contract: text } } } }, REPLACE);
    for (const [id, text] of [
      ["ethereum", "0x01BFF41798a0BcF287b996046Ca68b395DbC1071"],
      ["ethereum", "0x0000000000000000000000000000000000000000"],
      ["ethereum", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
      ["tron", OTHER],
      ["solana", "0x1"],
    ] as const) {
      expect(refused(id, text)).toEqual([
        expect.stringMatching(
          new RegExp(`^NETWORKS_FILE: ${id}\\.tokens\\.USDT\\.contract in networks\\.json is not a contract: `),
        ),
      ]);
    }
    const usdc = released("ethereum").tokens[1]?.contract ?? "";
    expect(refused("ethereum", usdc)).toEqual([expect.stringContaining("is the contract of USDC on Ethereum")]);
  });
});

describe("problems are reported with the position, the value and what would be right", () => {
  test.each<[unknown, string]>([
    ["{", "networks.json is not valid JSON: "],
    ["", "networks.json is not valid JSON: "],
    ["[]", "networks.json contains []; it must contain an object of networks such as"],
    ["null", "networks.json contains null; it must"],
    ['{"base": {"blockMs": 1000, "blockMs": 300}}', "base.blockMs occurs twice in networks.json"],
    ['{"base": {}, "bsc": {}, "base": {}}', "base occurs twice in networks.json"],
    [{ bas: {} }, 'bas in networks.json is not a network; did you mean "base"? Known names: ethereum, bsc,'],
    [{ dogecoin: {} }, "dogecoin in networks.json is not a network; Known names:"],
    [{ BEP20: {} }, 'BEP20 in networks.json is not a network; it is called "bsc"'],
    [{ base: 200 }, "base in networks.json is 200; it must be an object"],
    [
      { base: { blokMs: 200 } },
      'base.blokMs in networks.json is unknown; did you mean "blockMs"? Known names: note, blockMs,',
    ],
    [{ base: { chainId: "1" } }, "base.chainId in networks.json is unknown; Known names:"],
    [{ base: { finality: { ms: 1 } } }, "base.finality.ms in networks.json is unknown; Known names: blocks, seconds"],
    [{ base: { pace: { everyMS: 500 } } }, 'base.pace.everyMS in networks.json is unknown; did you mean "everyMs"?'],
    [
      { base: { explorer: { url: "x" } } },
      "base.explorer.url in networks.json is unknown; Known names: name, tx, address, token",
    ],
    [
      { base: { blockMs: "200" } },
      'base.blockMs in networks.json is "200"; it must be a whole number of milliseconds between blocks from 50 to 600000',
    ],
    [{ base: { blockMs: 49 } }, "base.blockMs in networks.json is 49; it must be"],
    [{ base: { blockMs: 600_001 } }, "base.blockMs in networks.json is 600001; it must be"],
    [{ base: { blockMs: 200.5 } }, "base.blockMs in networks.json is 200.5; it must be"],
    [{ base: { blockMs: null } }, "base.blockMs in networks.json is null; it must be"],
    [{ base: { finality: 60 } }, "base.finality in networks.json is 60; it must be an object"],
    [
      { base: { finality: { blocks: 0 } } },
      "base.finality.blocks in networks.json is 0; it must be a whole number of blocks from 1 to 100000",
    ],
    [{ base: { finality: { seconds: 86_401 } } }, "base.finality.seconds in networks.json is 86401; it must be"],
    [{ base: { pace: { everyMs: 100 } } }, "base.pace.everyMs in networks.json is 100; it must be"],
    [{ base: { pace: { behindMs: -1 } } }, "base.pace.behindMs in networks.json is -1; it must be"],
    [
      { base: { explorer: { tx: "https://x.example/tx/" } } },
      'base.explorer.tx in networks.json is "https://x.example/tx/"; it must be an http(s) URL with {} once, for the transaction\'s id',
    ],
    [{ base: { explorer: { tx: "https://x.example/{}/{}" } } }, "base.explorer.tx in"],
    [{ base: { explorer: { token: "javascript:alert('{}')" } } }, "base.explorer.token in"],
    [{ base: { explorer: { address: "https://{}.example/" } } }, "base.explorer.address in"],
    [
      { base: { explorer: { name: " " } } },
      'base.explorer.name in networks.json is " "; it must be a string of at most 40 characters',
    ],
    [
      { base: { note: 7 } },
      "base.note in networks.json is 7; it must be a string of at most 500 characters on one line",
    ],
    [{ base: { tokens: ["USDC"] } }, 'base.tokens in networks.json is ["USDC"]; it must be an object'],
    [
      { base: { tokens: { USDC: "off" } } },
      'base.tokens.USDC in networks.json is "off"; it must be false (no new orders use it)',
    ],
    [
      { base: { tokens: { USDC: { decimals: 5 } } } },
      'base.tokens.USDC in networks.json is {"decimals":5}; it must be false',
    ],
    [{ base: { tokens: { USDC: { adress: OTHER } } } }, "base.tokens.USDC in networks.json is"],
    [
      { base: { lookAlikes: { x: "no" } } },
      'base.lookAlikes.x in networks.json is "no"; it must be false (not watched) or true',
    ],
    [
      { base: { lookAlikes: { [OTHER]: false } } },
      `base.lookAlikes.${OTHER} in networks.json is not a look-alike that this release watches on Base; it has 0x`,
    ],
    [
      { base: { tokens: { USDT: false } } },
      "base.tokens.USDT in networks.json is not a token of Base in this release, which has USDC.",
    ],
  ])("%j", (content, note) => {
    const { problems, networks } = read(content);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`NETWORKS_FILE: ${note}`);
    expect(networks).toEqual(NETWORKS);
  });

  test("all problems together with those of the other settings", () => {
    writeFileSync(file, JSON.stringify({ base: { blockMs: 1, tokens: { USDC: "no" } }, bscc: {}, tron: { pace: 1 } }));
    const source = { NETWORKS_FILE: file, NETWORKS_FILE_MAY_REPLACE_TOKENS: "yes", APP_SECRET: "short" };
    const error = (() => {
      try {
        return readEnv(source);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(EnvError);
    const { message } = error as EnvError;
    for (const note of [
      "base.blockMs",
      "base.tokens.USDC",
      "bscc",
      "tron.pace",
      "DATABASE_URL is missing",
      "APP_SECRET is",
    ])
      expect(message).toContain(note);
    expect(message).toContain("NETWORKS_FILE_MAY_REPLACE_TOKENS must be 1, or omitted");
    expect(() => readNetworks(source)).toThrow("bscc");
  });

  test("a missing or unreadable file is reported with its path", () => {
    const problems: string[] = [];
    readNetworksFile({ NETWORKS_FILE: "no/such.json" }, problems);
    readNetworksFile({ NETWORKS_FILE: folder }, problems);
    expect(problems).toEqual([
      `NETWORKS_FILE: there is no file no/such.json in ${process.cwd()}; correct the path, or omit the setting`,
      `NETWORKS_FILE: ${folder} cannot be read (EISDIR); it must be a JSON file that this user may read`,
    ]);
  });
});

test("changes are logged at startup, risky ones as warnings", () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const content = { ethereum: { blockMs: 24_000, tokens: { USDT: { contract: OTHER } } } };
  logNetworkChanges(log, read(content, REPLACE).networkChanges);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [30, "NETWORKS_FILE changes ethereum: a block every 24000 ms initially, instead of 12000 ms"],
    [40, expect.stringContaining("NETWORKS_FILE changes ethereum: USDT is 0x2222")],
  ]);
});
