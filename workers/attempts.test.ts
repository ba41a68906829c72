import { expect, test } from "vitest";
import type { ClaimedCallback } from "@/db/queries/callbacks/callbacks";
import type { Outcome } from "@/lib/callbacks/callback-sender";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { Log } from "@/lib/log";
import { noteAttempts } from "@/workers/attempts";

const times = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
const UNSIGNED: Outcome = { kind: "unsigned", reason: "no_key", error: problem("outbound_unknown") };
const answered = (httpStatus: number, text = ""): Outcome => ({
  kind: "answered",
  isAcknowledged: false,
  httpStatus,
  text,
  answer: text,
  retryAfterMs: null,
  peer: "203.0.113.7",
  durationMs: 1,
  times,
});
const failed = (error: Problem): Outcome => ({ kind: "failed", error, durationMs: 1, peer: null, times });
const REFUSED: Outcome = { kind: "failed", error: problem("outbound_unknown"), durationMs: 1, peer: null, times };

test("callbacks that cannot be signed are logged once for a merchant, and again after one of them could be signed", () => {
  const lines: unknown[] = [];
  const log = { warn: (facts: object) => lines.push(facts), info: () => {} } as unknown as Log;
  const note = noteAttempts(log, null);
  const claim = (merchantId: string) =>
    ({
      id: "evt_1",
      merchantId,
      target: { kind: "order", id: "o" },
      format: "standard",
      url: "http://shop.example.com/c",
    }) as ClaimedCallback;
  for (const merchantId of ["a", "a", "b", "a"]) note(UNSIGNED, claim(merchantId));
  expect(lines).toMatchObject([
    { merchantId: "a", reason: "no_key" },
    { merchantId: "b", reason: "no_key" },
  ]);
  note(REFUSED, claim("a"));
  note(UNSIGNED, claim("a"));
  expect(lines).toMatchObject([{}, {}, { outcome: "failed" }, { merchantId: "a", reason: "no_key" }]);
});

test("the line of a failed attempt has the reason, without the merchant's address and without the answer", () => {
  const lines: { reason?: string }[] = [];
  const log = { warn: (facts: object) => lines.push(facts), info: () => {} } as unknown as Log;
  const note = noteAttempts(log, null);
  const claim = {
    id: "evt_1",
    merchantId: "m",
    target: { kind: "order" as const, id: "o" },
    url: "https://secret-host.example.com/calltoken?key=1",
  };
  const outcomes: [Outcome, ClaimedCallback["format"], string][] = [
    [answered(500, "a secret of the answer"), "standard", "HTTP 500"],
    [answered(302), "standard", "HTTP 302: redirects are not followed"],
    [answered(200, "no"), "epay", "HTTP 200 without the acknowledgement text"],
    [failed(problem("outbound_connect_timeout", { seconds: 5 })), "standard", "no connection within 5 seconds"],
    [failed(problem("outbound_connection_refused")), "standard", "the connection was refused"],
    [
      failed(problem("outbound_name_without_address", { host: "secret-host.example.com" })),
      "standard",
      "the host has no address",
    ],
    [
      failed(problem("outbound_host_not_public", { host: "secret-host.example.com", kind: "a private address" })),
      "standard",
      "the host resolves to a private address; requests go to public addresses only",
    ],
  ];
  for (const [outcome, format] of outcomes) note(outcome, { ...claim, format } as ClaimedCallback);
  expect(lines.map(({ reason }) => reason)).toEqual(outcomes.map(([, , reason]) => reason));
  expect(JSON.stringify(lines)).not.toMatch(/secret|calltoken/);
});

test("an attempt at a malformed URL is logged, too", () => {
  const lines: object[] = [];
  const log = { warn: (facts: object) => lines.push(facts) } as unknown as Log;
  const claim = { id: "evt_1", merchantId: "m", target: { kind: "order", id: "o" }, format: "standard", url: "shop" };
  noteAttempts(log, null)(REFUSED, claim as ClaimedCallback);
  expect(lines).toMatchObject([{ callbackId: "evt_1", outcome: "failed" }]);
});
