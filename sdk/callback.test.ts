import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { signMessage } from "@/lib/domain/keys/signature";
import { verifyCallback } from "@/sdk/src/callback";
import { CallbackError } from "@/sdk/src/errors";

interface Vector {
  name: string;
  valid: boolean;
  now: number;
  secret: string;
  headers: Record<string, string>;
  body: string;
}
const { standard }: { standard: Vector[] } = JSON.parse(readFileSync("docs/callback-vectors.json", "utf8"));

test.each(standard.map((one) => [one.name, one] as const))("the shared case: %s", async (_name, one) => {
  const now = new Date(one.now * 1_000);
  const verdict = verifyCallback(Buffer.from(one.body), one.headers, one.secret, { now }).then(
    () => true,
    ({ code }) => code === "body_invalid",
  );
  expect(await verdict).toBe(one.valid);
});

const SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_SECRET = "whsec_QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8=";
const AT = new Date("2026-11-20T16:10:00.500Z");
const EVENT =
  '{"id":"evt_1","type":"payment.confirmed","timestamp":"2026-11-20T16:10:00.000Z","data":{"trade_id":"01k"}}';
const signed = (body = EVENT, at = AT) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": Math.floor(at.getTime() / 1_000).toString(),
  "webhook-signature": signMessage([SECRET], "evt_1", at, body),
});
const codeOf = (verdict: Promise<unknown>) =>
  verdict.then(
    () => null,
    (error) => error instanceof CallbackError && error.code,
  );

test("the event of a callback is returned, from bytes or text, and from the headers of fetch or of Node", async () => {
  const headers = signed();
  for (const body of [EVENT, Buffer.from(EVENT), new TextEncoder().encode(EVENT).buffer])
    expect(await verifyCallback(body, headers, SECRET, { now: AT })).toEqual(JSON.parse(EVENT));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const given of [new Headers(headers), lists])
    expect(await verifyCallback(EVENT, given, SECRET, { now: AT })).toEqual(JSON.parse(EVENT));
});

test("while a secret is replaced, a signature of either secret is accepted", async () => {
  const both = [OTHER_SECRET, SECRET];
  expect(await codeOf(verifyCallback(EVENT, signed(), both, { now: AT }))).toBeNull();
  expect(await codeOf(verifyCallback(EVENT, signed(), OTHER_SECRET, { now: AT }))).toBe("signature_invalid");
});

test("the code of an error names what is wrong with a callback", async () => {
  const { "webhook-id": _id, ...withoutId } = signed();
  const late = new Date(AT.getTime() + 301_000);
  const verdicts = {
    header_missing: verifyCallback(EVENT, withoutId, SECRET, { now: AT }),
    timestamp_invalid: verifyCallback(EVENT, { ...signed(), "webhook-timestamp": "1e9" }, SECRET, { now: AT }),
    timestamp_out_of_range: verifyCallback(EVENT, signed(), SECRET, { now: late }),
    signature_invalid: verifyCallback(`${EVENT} `, signed(), SECRET, { now: AT }),
    body_invalid: verifyCallback("[]", signed("[]"), SECRET, { now: AT }),
  };
  for (const [code, verdict] of Object.entries(verdicts)) expect(await codeOf(verdict)).toBe(code);
  const tolerant = verifyCallback(EVENT, signed(), SECRET, { now: late, toleranceSeconds: 600 });
  expect(await codeOf(tolerant)).toBeNull();
});

test("a public key is never used as a secret", async () => {
  for (const secret of ["whpk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "whsec_", "whsec_not base64", ""])
    await expect(verifyCallback(EVENT, signed(), secret, { now: AT })).rejects.toThrow(/must be whsec_/);
});
