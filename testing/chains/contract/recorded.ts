import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Receipt } from "@/lib/chains/endpoints/source";
import type { ChainTransfer } from "@/lib/domain/transfers/transfer";

/** A transfer that must be found in a recording; addresses and token in canonical form. */
export type RecordedTransfer = Pick<ChainTransfer, "txId" | "position" | "token" | "from" | "to" | "baseUnits">;

/** Mainnet data as served by a node, and the transfers that must be found in it. */
export interface Recording {
  expected: readonly RecordedTransfer[];
  /** The ids of recorded transactions that failed. */
  failed: readonly string[];
  /** The functions that read the recorded transfers to some addresses, by name. */
  ways: Readonly<Record<string, (addresses: ReadonlySet<string>) => Promise<readonly ChainTransfer[]>>>;
  receipt(txId: string): Promise<Receipt | null>;
  stop(): Promise<void>;
}

/** Opens the folder of a family's recordings; if it is missing, its tests are skipped with a message. */
export function openRecordings(family: string) {
  const folder = path.resolve(process.env["FIXTURES_DIR"] ?? "../shared/fixtures", family);
  const isThere = existsSync(folder);
  if (!isThere) console.warn(`Skipped: no recorded mainnet data in ${folder}; set FIXTURES_DIR to where it is.`);
  const used = new Set<string>();
  return {
    isThere,
    read<T>(name: string): T {
      used.add(name);
      return JSON.parse(readFileSync(path.join(folder, name), "utf8")) as T;
    },
    /** Defines the test that every recorded file was read. Call it at the end of the file that reads the recordings. */
    testNoneIsLeftOut: () =>
      test.skipIf(!isThere)("no recorded file is left out", () => {
        expect([...used].sort()).toEqual(readdirSync(folder).sort());
      }),
  };
}

/** Defines the tests of the contract that use recorded mainnet data. */
export function testRecording(name: string, isThere: boolean, open: () => Promise<Recording>): void {
  describe.skipIf(!isThere)(`recorded on mainnet: ${name}`, () => {
    let recording: Recording;
    beforeAll(async () => {
      recording = await open();
    });
    afterAll(() => recording.stop());

    const readAll = async (addresses: ReadonlySet<string>) => {
      const found = Object.entries(recording.ways).map(async ([way, read]) => ({
        way,
        lines: linesOf(await read(addresses)),
      }));
      return Promise.all(found);
    };

    test("gives exactly the expected transfers, in whichever way it is read", async () => {
      const receivers = new Set(recording.expected.map(({ to }) => to));
      const lines = linesOf(recording.expected);
      for (const found of await readAll(receivers)) expect(found).toEqual({ way: found.way, lines });
    });

    test("limits the request to each receiver", async () => {
      const [first] = recording.expected;
      if (!first) return;
      const lines = linesOf(recording.expected.filter(({ to }) => to === first.to));
      for (const found of await readAll(new Set([first.to]))) expect(found).toEqual({ way: found.way, lines });
    });

    test("gives nothing to addresses that only sent", async () => {
      const receivers = new Set(recording.expected.map(({ to }) => to));
      const senders = new Set(
        recording.expected.flatMap(({ from }) => (from === "" || receivers.has(from) ? [] : [from])),
      );
      if (senders.size === 0) return;
      for (const found of await readAll(senders)) expect(found).toEqual({ way: found.way, lines: [] });
    });

    test("shows failed transactions as failed, without transfers", async () => {
      for (const txId of recording.failed)
        expect(await recording.receipt(txId)).toMatchObject({ isSuccess: false, transfers: [] });
    });
  });
}

function linesOf(transfers: readonly RecordedTransfer[]): string[] {
  return transfers
    .map(({ txId, position, token, from, to, baseUnits }) => [txId, position, token, from, to, baseUnits].join(" "))
    .sort();
}
