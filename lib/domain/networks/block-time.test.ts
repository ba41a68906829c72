import { describe, expect, test } from "vitest";
import { blockTimeWarning, createBlockClock } from "@/lib/domain/networks/finality";

const START = Date.parse("2026-11-05T12:00:00Z");

/** Creates a chain whose blocks have timestamps in whole seconds, like real chains, and a clock that measures its heads. */
function chainWithClock() {
  const clock = createBlockClock();
  let height = 1_000_000;
  let ms = START;
  return {
    clock,
    /** Advances time at a given block time; the head is read every two seconds. */
    run(seconds: number, blockMs: number) {
      for (let passed = 0; passed < seconds * 1_000; passed += 2_000) {
        ms += 2_000;
        height += 2_000 / blockMs;
        clock.note({ height: Math.floor(height), time: new Date(Math.floor(ms / 1_000) * 1_000) });
      }
      return clock.blockMs();
    },
    stopClock(seconds: number) {
      ms += seconds * 1_000;
    },
    falsify(heightOff: number, secondsOff: number) {
      clock.note({ height: Math.floor(height) + heightOff, time: new Date(ms + secondsOff * 1_000) });
    },
  };
}

const near = (blockMs: number | null, wanted: number) => {
  expect(blockMs).toBeGreaterThan(wanted * 0.9);
  expect(blockMs).toBeLessThan(wanted * 1.1);
};

describe("the time between blocks", () => {
  test("is not known before some time has passed", () => {
    const chain = chainWithClock();
    expect(chain.run(18, 2_000)).toBeNull();
    near(chain.run(10, 2_000), 2_000);
  });

  test.each([200, 450, 1_000, 2_000, 3_000, 12_000])("of %i ms is measured", (blockMs) => {
    near(chainWithClock().run(600, blockMs), blockMs);
  });

  test("follows a chain that becomes faster or slower within minutes", () => {
    const chain = chainWithClock();
    near(chain.run(600, 2_000), 2_000);
    near(chain.run(70, 200), 200);
    near(chain.run(70, 1_000), 1_000);
    near(chain.run(600, 12_000), 12_000);
  });

  test("stays unchanged while a chain is halted, and is measured again when it continues", () => {
    const chain = chainWithClock();
    near(chain.run(300, 200), 200);
    chain.stopClock(3_600);
    near(chain.run(16, 1_000), 200);
    near(chain.run(60, 1_000), 1_000);
  });

  test("discards a head that the next ones contradict", () => {
    const chain = chainWithClock();
    chain.run(300, 2_000);
    chain.falsify(1_000_000, 0);
    chain.falsify(0, 86_400);
    chain.falsify(50_000, 86_400);
    near(chain.run(60, 2_000), 2_000);
  });
});

describe("a row that is off", () => {
  const base = { id: "base", name: "Base", blockMs: 2_000 };

  test("by more than twice is reported, with both times and what to do", () => {
    expect(blockTimeWarning(base, 200)).toBe(
      'Base produces a block about every 0.2 s, but its entry assumes one every 2 s. The measured time is used to schedule reads, and no payment is confirmed sooner. Install a newer release if there is one, or set "blockMs" of "base" in the networks file.',
    );
    expect(blockTimeWarning(base, 4_100)).toMatch(/about every 4 s/);
  });

  test("by less, or of an unmeasured chain, is not", () => {
    for (const blockMs of [null, 1_000, 2_000, 4_000]) expect(blockTimeWarning(base, blockMs)).toBeNull();
  });
});
