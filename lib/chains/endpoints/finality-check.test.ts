import { beforeEach, describe, expect, test } from "vitest";
import { createEndpoints } from "@/lib/chains/endpoints/endpoints";
import { createFinalityCheck, type FinalityCheck, type Look, lookAtHead } from "@/lib/chains/endpoints/finality-check";
import type { Opinion } from "@/lib/chains/endpoints/finality-rules";
import { ChainError, type Finality, type KnownTransfer } from "@/lib/chains/endpoints/source";
import { EVM_PROTOCOL } from "@/lib/chains/evm/protocol";
import { getNetwork } from "@/lib/domain/networks";

const NAMES = ["a.example", "b.example", "c.example"];
const START = new Date("2026-01-01T12:00:00Z");
/** A time six hours before the block's time. */
const EARLY = new Date("2026-01-01T06:00:00Z");
const transfer: KnownTransfer = {
  txId: "0x1",
  position: "0xt:0",
  token: "0xt",
  to: "0xme",
  baseUnits: 5n,
  blockHeight: 100,
  blockHash: "0x64",
  blockTime: START,
};

/**
 * An endpoint's opinion, its head's height, the block's time, and whether that time contradicts the surrounding blocks.
 */
type Script = { kind: Opinion["kind"] | "silent"; head?: number; hash?: string; time?: Date; isOutOfOrder?: boolean };
let clock: number;
let asked: string[];
let scripts: Record<string, Script>;
beforeEach(() => {
  [clock, asked, scripts] = [START.getTime(), [], {}];
});

const now = () => new Date(clock);
/** Returns true if the head is at least twelve blocks after the block of the transfer. */
const isFinal = ({ height }: { height: number }) => height >= 111;
const look: Look = async (single, _transfer, rule, isSole) => {
  const name = single.all[0]?.name ?? "";
  asked.push(name);
  const script: Script = scripts[name] ?? { kind: "silent" };
  const { kind, head: height = 120, hash = "0x65", time = START } = script;
  if (kind === "silent") throw new ChainError("unavailable", "down");
  if (isSole && script.isOutOfOrder) throw new ChainError("inconsistent", "timestamp: before its parent's");
  const head = rule && { height, hash: "0x0", parentHash: "0x0", time: now(), finalizedHeight: null };
  const own = { head, isPast: !head || (rule?.(head) ?? true) };
  if (kind === "moved") return { ...own, kind, height: 101, hash, time };
  return kind === "shows" ? { ...own, kind, time } : { ...own, kind };
};

/**
 * Creates a check of two endpoints without a quorum by default. The first endpoint reported the transfer, unless
 * `reportedBy` is undefined.
 */
function checkOf({
  count = 2,
  quorum = 1,
  reportedBy = NAMES[0],
}: {
  count?: number;
  quorum?: number;
  reportedBy?: string | undefined;
} = {}) {
  const options = { urls: NAMES.slice(0, count).map((name) => `http://${name}/`), now, quorum };
  const check = createFinalityCheck(createEndpoints(getNetwork("ethereum"), options, EVM_PROTOCOL), look);
  if (reportedBy !== undefined) check.recordReporter(reportedBy, [transfer]);
  return check;
}
const forgetful = { reportedBy: undefined };
const ask = (check: FinalityCheck) => check.check(transfer, isFinal).then(({ kind }) => kind);

/**
 * Returns the finality at each of these seconds. The chain advances one block every twelve seconds unless heads are
 * given.
 */
async function over(check: FinalityCheck, seconds: readonly number[], change?: (second: number) => void) {
  const reported: Finality["kind"][] = [];
  for (const second of seconds) {
    clock = START.getTime() + second * 1_000;
    change?.(second);
    reported.push(await ask(check));
  }
  return reported;
}
const [a, b, c] = NAMES as [string, string, string];

describe("with a single endpoint", () => {
  test.each<[Script["kind"], Finality["kind"]]>([
    ["shows", "final"],
    ["denies", "gone"],
    ["moved", "moved"],
    ["lacks", "unclear"],
  ])("its rate is what there is: %s", async (kind, finality) => {
    scripts = { [a]: { kind } };
    expect(await ask(checkOf({ count: 1 }))).toBe(finality);
  });
});

describe("with two endpoints", () => {
  test("both are asked once; the one that did not report it is enough when the other is silent", async () => {
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "shows" } };
    expect(await ask(checkOf())).toBe("final");
    expect(asked.toSorted()).toEqual([a, b]);
    scripts = { [b]: { kind: "shows" } };
    expect(await ask(checkOf())).toBe("final");
    expect(await ask(checkOf({ reportedBy: b }))).toBe("waiting");
  });

  test("without a record of the reporter both must return it", async () => {
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "lacks" } };
    expect(await ask(checkOf(forgetful))).toBe("waiting");
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "shows" } };
    expect(await ask(checkOf(forgetful))).toBe("final");
  });

  test.each([[a], [b], [undefined]])(
    "one contradiction blocks the confirmation, from either endpoint: %s",
    async (reportedBy) => {
      scripts = { [a]: { kind: "shows" }, [b]: { kind: "denies" } };
      const reported = await over(checkOf({ reportedBy }), [0, 30, 61, 600, 86_400]);
      expect(new Set(reported)).toEqual(new Set(["contradicted"]));
    },
  );

  test("a contradiction names both, and ends when one of them comes round", async () => {
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "denies" } };
    const check = checkOf();
    expect(await check.check(transfer, isFinal)).toEqual({
      kind: "contradicted",
      said: [
        { endpoint: a, says: "returns the transfer with the block time 2026-01-01 12:00:00 UTC" },
        { endpoint: b, says: "has the block without the transfer" },
      ],
    });
    expect(check.warning()).toContain(
      `endpoint 1 (${a}) returns the transfer with the block time 2026-01-01 12:00:00 UTC; endpoint 2 (${b}) has the block without the transfer`,
    );
    scripts = { [a]: { kind: "denies" }, [b]: { kind: "denies" } };
    clock += 60_000;
    expect(await ask(check)).toBe("gone");
    expect(check.warning()).toBeNull();
  });

  test("a head that only the reporting endpoint has makes nothing final, at any time", async () => {
    scripts = { [a]: { kind: "shows", head: 500 }, [b]: { kind: "shows", head: 101 } };
    const reported = await over(checkOf(), [0, 12, 60, 72, 100, 250], (second) => {
      scripts[b] = { kind: "shows", head: 101 + Math.floor(second / 30) };
    });
    expect(new Set(reported)).toEqual(new Set(["waiting"]));
  });

  test("an endpoint that has not come to the block is waited for while its head rises, even past the minute", async () => {
    scripts = { [a]: { kind: "shows", head: 500 }, [b]: { kind: "behind", head: 90 } };
    const check = checkOf();
    const rise = (second: number) => {
      scripts[b] = { kind: "behind", head: 90 + Math.floor(second / 30) };
    };
    expect(new Set(await over(check, [0, 30, 61, 90, 120, 150, 180, 210], rise))).toEqual(new Set(["waiting"]));
    scripts[b] = { kind: "denies" };
    expect(await over(check, [300])).toEqual(["contradicted"]);
  });

  test("a denial remains a contradiction, even when that head is below the final block", async () => {
    scripts = { [a]: { kind: "shows", head: 500 }, [b]: { kind: "denies", head: 101 } };
    expect(await over(checkOf(), [0, 61, 200, 900])).toEqual(["waiting", "waiting", "waiting", "contradicted"]);
  });

  test.each<[string, Script]>([
    ["silent", { kind: "silent" }],
    ["pruned", { kind: "lacks" }],
    ["stuck below the block", { kind: "behind", head: 90 }],
    ["stuck above it, and not past it", { kind: "shows", head: 101 }],
  ])("one that is %s is waited for for a minute and then ignored, which is reported", async (_what, other) => {
    scripts = { [a]: { kind: "shows" }, [b]: other };
    const check = checkOf();
    expect(await over(check, [0, 20, 45, 59])).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    expect(check.warning()).toBeNull();
    expect(await over(check, [75, 130])).toContain("final");
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "shows" } };
    expect(await over(check, [600])).toEqual(["final"]);
  });

  test("after a minute of silence no other payment waits, until the second endpoint is back", async () => {
    scripts = { [a]: { kind: "shows" } };
    const check = checkOf();
    await over(check, [0, 20, 40, 61, 80]);
    expect(check.warning()).toContain("No second endpoint has confirmed a payment");
    const other = { ...transfer, txId: "0x2" };
    check.recordReporter(a, [other]);
    expect((await check.check(other, isFinal)).kind).toBe("final");
    scripts[b] = { kind: "shows" };
    expect(await ask(check)).toBe("final");
    expect(check.warning()).toBeNull();
    scripts[b] = { kind: "silent" };
    expect((await check.check(other, isFinal)).kind).toBe("waiting");
  });

  test("a payment that one endpoint denies and the other shows is not taken back; one that both deny is", async () => {
    scripts = { [a]: { kind: "denies" }, [b]: { kind: "shows" } };
    expect(await ask(checkOf({ reportedBy: b }))).toBe("contradicted");
    scripts = { [a]: { kind: "denies" }, [b]: { kind: "denies" } };
    expect(await ask(checkOf({ reportedBy: b }))).toBe("gone");
  });

  test("nor is it on one word while the other is silent for less than a minute", async () => {
    scripts = { [a]: { kind: "denies" } };
    const reported = await over(checkOf({ reportedBy: b }), [0, 20, 45, 59, 80]);
    expect(reported).toEqual(["waiting", "waiting", "waiting", "waiting", "gone"]);
  });

  test("it follows a payment to another block when both show it there, and only then", async () => {
    scripts = { [a]: { kind: "moved" }, [b]: { kind: "moved" } };
    expect(await ask(checkOf())).toBe("moved");
    scripts = { [a]: { kind: "moved" }, [b]: { kind: "moved", hash: "0x66" } };
    expect(await ask(checkOf())).toBe("contradicted");
    scripts = { [a]: { kind: "moved" }, [b]: { kind: "shows" } };
    expect(await ask(checkOf())).toBe("contradicted");
  });

  test("the cost of a transfer is bounded: the longer it waits, the less often it is asked for", async () => {
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "denies" } };
    await over(
      checkOf(),
      Array.from({ length: 3_600 }, (_, second) => second),
    );
    expect(asked.length).toBeLessThan(2 * 40);
  });

  test("it is an error when no endpoint responds, and undecided when none has it", async () => {
    await expect(ask(checkOf())).rejects.toMatchObject({ kind: "unavailable" });
    scripts = { [a]: { kind: "lacks" }, [b]: { kind: "lacks" } };
    expect(await ask(checkOf())).toBe("unclear");
  });
});

test("of three endpoints without a quorum, one that contradicts makes it wait", async () => {
  scripts = { [a]: { kind: "shows" }, [b]: { kind: "shows" }, [c]: { kind: "denies" } };
  expect(await ask(checkOf({ count: 3 }))).toBe("contradicted");
});

describe("with a quorum of two among three", () => {
  const quorum = { count: 3, quorum: 2 };

  test("two that return it confirm it, and an endpoint that differs is reported", async () => {
    scripts = { [a]: { kind: "denies" }, [b]: { kind: "shows" }, [c]: { kind: "shows" } };
    expect(await ask(checkOf(quorum))).toBe("final");
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "denies" }, [c]: { kind: "denies" } };
    expect(await ask(checkOf(quorum))).toBe("gone");
  });

  test("heights count as receipts do: one that is past it and one that is not are no two", async () => {
    scripts = {
      [a]: { kind: "shows", head: 500 },
      [b]: { kind: "shows", head: 101 },
      [c]: { kind: "shows", head: 101 },
    };
    const check = checkOf(quorum);
    expect(await over(check, [0, 61, 600])).toEqual(["waiting", "waiting", "waiting"]);
    expect(check.quorumMiss()).toBeNull();
    scripts[c] = { kind: "shows", head: 120 };
    expect(await over(check, [900])).toEqual(["final"]);
  });

  test("silence is no reason to do with one", async () => {
    scripts = { [a]: { kind: "shows" }, [b]: { kind: "lacks" } };
    const check = checkOf(quorum);
    expect(await over(check, [0, 61, 600])).toEqual(["unclear", "unclear", "unclear"]);
    expect(check.quorumMiss()).toMatchObject({ quorum: 2, since: START });
  });
});

describe("the time of a block", () => {
  const shows = (time = START, more: Partial<Script> = {}): Script => ({ kind: "shows", time, ...more });
  const early = { ...transfer, blockTime: EARLY };
  const checkEarly = (check: FinalityCheck) => check.check(early, isFinal);
  const retimed = { kind: "retimed", time: START };

  test.each([
    ["its own time", START],
    ["the same second", new Date(START.getTime() + 999)],
  ])("that a second endpoint shows as %s is agreed on", async (_what, time) => {
    scripts = { [a]: shows(), [b]: shows(time) };
    expect(await ask(checkOf())).toBe("final");
    scripts = { [b]: shows(time) };
    expect(await ask(checkOf())).toBe("final");
  });

  test.each([[a], [b], [undefined]])(
    "that differs by one second makes it wait for good, whichever endpoint reported it: %s",
    async (reportedBy) => {
      scripts = { [a]: shows(), [b]: shows(new Date(START.getTime() + 1_000)) };
      expect(new Set(await over(checkOf({ reportedBy }), [0, 30, 61, 600, 86_400]))).toEqual(new Set(["contradicted"]));
    },
  );

  test("that differs is named with each endpoint, and where the stored one is another, with that too", async () => {
    scripts = { [a]: shows(EARLY), [b]: shows() };
    const check = checkOf();
    expect(await check.check(transfer, isFinal)).toEqual({
      kind: "contradicted",
      said: [
        {
          endpoint: a,
          says: "returns the transfer with the block time 2026-01-01 06:00:00 UTC instead of 2026-01-01 12:00:00 UTC",
        },
        { endpoint: b, says: "returns the transfer with the block time 2026-01-01 12:00:00 UTC" },
      ],
    });
    expect(check.warning()).toContain(
      `endpoint 1 (${a}) returns the transfer with the block time 2026-01-01 06:00:00 UTC`,
    );
  });

  test("that only the endpoint that has fallen silent reported is no agreement with another one", async () => {
    scripts = { [b]: shows() };
    const check = checkOf();
    check.recordReporter(a, [early]);
    for (const second of [0, 61, 86_400]) {
      clock = START.getTime() + second * 1_000;
      expect((await checkEarly(check)).kind).toBe("contradicted");
    }
    scripts = { [a]: shows(), [b]: shows() };
    clock += 900_000;
    expect(await checkEarly(check)).toEqual(retimed);
  });

  test("that a second endpoint alone reported is not agreed on because another one reported the payment in an earlier block", async () => {
    scripts = { [b]: shows(EARLY) };
    const check = checkOf({ reportedBy: a });
    const moved = { ...early, blockHash: "0x65" };
    check.recordReporter(b, [moved]);
    expect(await check.check(moved, isFinal)).toEqual({ kind: "waiting" });
    scripts = { [a]: shows(), [b]: shows(EARLY) };
    clock += 2_000;
    expect((await check.check(moved, isFinal)).kind).toBe("contradicted");
  });

  test("is not a single endpoint's while another one waits after errors, because it may respond again", async () => {
    scripts = { [a]: shows() };
    const endpoints = createEndpoints(
      getNetwork("ethereum"),
      { urls: [`http://${a}/`, `http://${b}/`], now },
      EVM_PROTOCOL,
    );
    const check = createFinalityCheck(endpoints, look);
    expect(await over(check, [0, 30, 61])).toEqual(["waiting", "waiting", "final"]);
    const [, resting] = endpoints.all;
    if (!resting) throw new Error("no second endpoint");
    resting.availableAt = new Date(clock + 20_000);
    scripts = { [a]: shows(EARLY), [b]: shows() };
    expect((await checkEarly(check)).kind).toBe("waiting");
    clock += 21_000;
    expect((await checkEarly(check)).kind).toBe("contradicted");
  });

  test("the time that two endpoints return counts over the stored one, and is compared again afterwards", async () => {
    scripts = { [a]: shows(), [b]: shows() };
    expect(await checkEarly(checkOf())).toEqual(retimed);
    expect(await checkEarly(checkOf({ quorum: 2 }))).toEqual(retimed);
    scripts = { [a]: shows(EARLY), [b]: shows(), [c]: shows() };
    expect(await checkEarly(checkOf({ count: 3 }))).toEqual(retimed);
    expect(await ask(checkOf({ count: 3 }))).toBe("final");
    scripts = { [a]: shows(EARLY), [b]: shows(), [c]: shows(new Date(0)) };
    expect(await ask(checkOf({ count: 3 }))).toBe("contradicted");
  });

  test("that two pairs of endpoints return differently is not agreed", async () => {
    const d = "d.example";
    scripts = { [a]: shows(EARLY), [b]: shows(), [c]: shows(), [d]: shows(EARLY) };
    const urls = [...NAMES, d].map((name) => `http://${name}/`);
    const check = createFinalityCheck(createEndpoints(getNetwork("ethereum"), { urls, now }, EVM_PROTOCOL), look);
    expect(await ask(check)).toBe("contradicted");
  });

  test("does not replace an endpoint's height: one that is not past the block agrees on its time only", async () => {
    scripts = { [a]: shows(START, { head: 500 }), [b]: shows(START, { head: 101 }) };
    expect(await ask(checkOf())).toBe("waiting");
    scripts[b] = shows(EARLY, { head: 101 });
    clock += 2_000;
    expect(await ask(checkOf())).toBe("contradicted");
  });

  test("is compared by a quorum as receipts are: fewer than that many equal times confirm nothing", async () => {
    const quorum = { count: 3, quorum: 2 };
    scripts = { [a]: shows(EARLY), [b]: shows(), [c]: shows() };
    expect(await ask(checkOf(quorum))).toBe("final");
    expect(await checkEarly(checkOf(quorum))).toEqual(retimed);
    scripts = { [a]: shows(EARLY), [b]: shows(), [c]: { kind: "silent" } };
    const check = checkOf(quorum);
    expect(await over(check, [0, 61, 600])).toEqual(["contradicted", "contradicted", "contradicted"]);
    expect(check.quorumMiss()).toMatchObject({ quorum: 2 });
    expect(check.warning()).toContain("block time 2026-01-01 06:00:00 UTC");
  });

  test("of the block where a payment went is compared as well", async () => {
    scripts = { [a]: { kind: "moved" }, [b]: { kind: "moved", time: EARLY } };
    expect(await ask(checkOf())).toBe("contradicted");
    expect(await ask(checkOf({ quorum: 2 }))).toBe("contradicted");
  });

  test("is the single endpoint's, where it fits the blocks around it", async () => {
    scripts = { [a]: shows() };
    expect(await ask(checkOf({ count: 1 }))).toBe("final");
    expect(await checkEarly(checkOf({ count: 1 }))).toEqual(retimed);
    scripts = { [a]: shows(START, { isOutOfOrder: true }) };
    expect(await ask(checkOf({ count: 1 }))).toBe("unclear");
  });

  test("must fit the blocks around it where only one of two endpoints responds", async () => {
    scripts = { [a]: shows(START, { isOutOfOrder: true }), [b]: shows() };
    expect(await ask(checkOf())).toBe("final");
    scripts = { [a]: shows(START, { isOutOfOrder: true }) };
    const check = checkOf();
    expect(await over(check, [0, 30, 61, 80])).toEqual(["waiting", "waiting", "unclear", "unclear"]);
    scripts = { [a]: shows() };
    expect(await over(check, [200])).toEqual(["final"]);
  });
});

test("a head is read once for all checks of a round, and again at once when a newer one was seen", async () => {
  const heads = [110, 110, 111];
  let reads = 0;
  const endpoints = createEndpoints(getNetwork("ethereum"), { urls: [`http://${a}/`], now }, EVM_PROTOCOL);
  let newest = 110;
  const single = { ...endpoints, heads: () => [newest] };
  const readHead = lookAtHead(() => async () => {
    const height = heads[reads++] ?? 0;
    return { height, hash: "0x0", parentHash: "0x0", time: now(), finalizedHeight: null };
  });
  const isPast = async () => (await readHead(single, isFinal)).isPast;
  expect([await isPast(), await isPast(), reads]).toEqual([false, false, 1]);
  newest = 111;
  expect([await isPast(), await isPast(), reads]).toEqual([false, false, 2]);
  clock += 100;
  expect([await isPast(), await isPast(), reads]).toEqual([true, true, 3]);
});
