import { expect, test } from "vitest";
import type { ClaimedCallback } from "@/db/queries/callbacks/callbacks";
import type { Outcome } from "@/lib/callbacks/callback-sender";
import type { Log } from "@/lib/log";
import { noteAttempts } from "@/workers/attempts";

const times = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
const UNSIGNED: Outcome = { kind: "unsigned", reason: "no_key", error: "" };
const REFUSED: Outcome = { kind: "failed", error: "", durationMs: 1, peer: null, times };

test("callbacks that cannot be signed are logged once for a merchant, and again after one of them could be signed", () => {
  const lines: unknown[] = [];
  const log = { warn: (facts: object) => lines.push(facts), info: () => {} } as unknown as Log;
  const note = noteAttempts(log, null);
  const claim = (merchantId: string) =>
    ({ id: "evt_1", merchantId, orderId: "o", format: "standard" }) as ClaimedCallback;
  for (const merchantId of ["a", "a", "b", "a"]) note(UNSIGNED, claim(merchantId));
  expect(lines).toMatchObject([
    { merchantId: "a", reason: "no_key" },
    { merchantId: "b", reason: "no_key" },
  ]);
  note(REFUSED, claim("a"));
  note(UNSIGNED, claim("a"));
  expect(lines).toMatchObject([{}, {}, { outcome: "failed" }, { merchantId: "a", reason: "no_key" }]);
});
