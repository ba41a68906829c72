import { createPrivateKey } from "node:crypto";
import { Ed25519Program, Keypair } from "@solana/web3.js";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { generateSecret } from "@/lib/domain/keys/api-key";
import {
  type RequestContent,
  signedHeaders,
  signMessage,
  signRequest,
  toHmacKey,
  V2_DOMAIN,
  verifyRequestSignature as verify,
} from "@/lib/domain/keys/signature";
import { inEnglish } from "@/lib/domain/problems/in-english";

function verifyRequestSignature(...asked: Parameters<typeof verify>): string | null {
  const invalid = verify(...asked);
  return invalid && inEnglish(invalid);
}

const now = new Date();
const content: RequestContent = { method: "POST", pathAndQuery: "/api/v1/pay/sdk/order/add?a=1", rawBody: '{"é":1}' };
const secret = generateSecret();
const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

describe("messages", () => {
  test("a signature is the one the Standard Webhooks library makes, for any body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uuid(), (body, id) => {
        expect(signMessage([secret], id, now, body)).toBe(new Webhook(secret).sign(id, now, body));
      }),
    );
  });

  test("the library accepts a message signed with several secrets, whichever of them it knows", () => {
    const secrets = [generateSecret(), generateSecret(), generateSecret()];
    const signature = signMessage(secrets, "evt_1", now, '{"a":1}');
    expect(signature.split(" ")).toHaveLength(3);
    expect(signature.split(" ")[0]).toBe(signMessage(secrets.slice(0, 1), "evt_1", now, '{"a":1}'));
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": signature,
    };
    for (const known of secrets) expect(new Webhook(known).verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(() => new Webhook(generateSecret()).verify('{"a":1}', headers)).toThrow("No matching signature");
  });

  test("the example of the Standard Webhooks specification comes out the same", () => {
    const at = new Date(1_614_265_330_000);
    expect(
      signMessage(
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        at,
        '{"test": 2432232314}',
      ),
    ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });
});

describe("requests", () => {
  test("a request signed by the Standard Webhooks library is accepted", () => {
    const text = `POST ${content.pathAndQuery}\n${content.rawBody}`;
    const headers = {
      id: "req-1",
      timestamp: String(Math.floor(now.getTime() / 1000)),
      signature: new Webhook(secret).sign("req-1", now, text),
    };
    expect(verifyRequestSignature(secret, headers, content, now)).toBeNull();
  });

  test("a signed request is accepted, whether its body came as text or as bytes", () => {
    const headers = signRequest(secret, "req-1", now, content);
    expect(verifyRequestSignature(secret, headers, content, now)).toBeNull();
    const bytes = { ...content, rawBody: Buffer.from(String(content.rawBody)) };
    expect(verifyRequestSignature(secret, headers, bytes, now)).toBeNull();
  });

  test("one right signature among others is enough", () => {
    const headers = signRequest(secret, "req-1", now, content);
    const signature = `v1,AAAA v2,${headers.signature.slice(3)} ${headers.signature} v1a,x`;
    expect(verifyRequestSignature(secret, { ...headers, signature }, content, now)).toBeNull();
  });

  test("a change of method, path, query, body, id, timestamp or secret is noticed", () => {
    const headers = signRequest(secret, "req-1", now, content);
    const other = { ...content };
    const verify = (change: Partial<RequestContent>) =>
      verifyRequestSignature(secret, headers, { ...other, ...change }, now);
    expect(verify({ method: "GET" })).toContain("webhook-signature does not match");
    expect(verify({ pathAndQuery: "/api/v1/pay/sdk/order/add?a=2" })).toContain("does not match");
    expect(verify({ pathAndQuery: "/api/v1/pay/sdk/order/detail?a=1" })).toContain("does not match");
    expect(verify({ rawBody: '{"é":2}' })).toContain("does not match");
    expect(verifyRequestSignature(secret, { ...headers, id: "req-2" }, content, now)).toContain("does not match");
    const timestamp = String(Number(headers.timestamp) + 1);
    expect(verifyRequestSignature(secret, { ...headers, timestamp }, content, now)).toContain("does not match");
    expect(verifyRequestSignature(generateSecret(), headers, content, now)).toContain("does not match");
  });

  test("five minutes of difference between the clocks are allowed, not more, in either direction", () => {
    const headers = signRequest(secret, "req-1", now, content);
    expect(verifyRequestSignature(secret, headers, content, minutesLater(5))).toBeNull();
    expect(verifyRequestSignature(secret, headers, content, minutesLater(-5))).toBeNull();
    expect(verifyRequestSignature(secret, headers, content, minutesLater(6))).toContain("360 seconds behind");
    expect(verifyRequestSignature(secret, headers, content, minutesLater(-6))).toContain("360 seconds ahead of");
  });

  test.each([
    ["no id", { id: "" }, "webhook-id"],
    ["an id with a space", { id: "a b" }, "webhook-id"],
    ["an endless id", { id: "a".repeat(257) }, "webhook-id"],
    ["no timestamp", { timestamp: "" }, "webhook-timestamp"],
    ["a timestamp with a fraction", { timestamp: "1763655000.5" }, "webhook-timestamp"],
    ["a hexadecimal timestamp", { timestamp: "0x69" }, "webhook-timestamp"],
    ["no signature", { signature: "" }, "webhook-signature"],
    [
      "a signature without a version",
      { signature: signRequest(secret, "req-1", now, content).signature.slice(3) },
      "webhook-signature",
    ],
    [
      "a signature of another version",
      { signature: `v1a,${signRequest(secret, "req-1", now, content).signature.slice(3)}` },
      "webhook-signature",
    ],
  ])("%s is refused by name", (_what, change, field) => {
    const headers = { ...signRequest(secret, "req-1", now, content), ...change };
    expect(verifyRequestSignature(secret, headers, content, now)).toContain(field);
  });
});

describe("the installation's signature", () => {
  /** Signs with a second implementation, Web Crypto. The result consists of 16 bytes, the 32-byte key, and the signature. */
  const signElsewhere = (seed: Uint8Array, text: string) =>
    Ed25519Program.createInstructionWithPrivateKey({
      privateKey: Keypair.fromSeed(seed).secretKey,
      message: Buffer.from(text),
    }).data.subarray(48, 112);

  test("v1a and v2 equal another Ed25519 implementation's for the texts of the contract", () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(seeds, fc.string({ unit: "grapheme" }), fc.nat(1e9), (seed, body, seconds) => {
        const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
        const installation = { id: "kid", privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
        const key = { secret: toHmacKey(secret), prefix: "sg_live_abcd", keyHash: "00" };
        const signers = { merchantId: "shop", environment: "production", keys: [key], installation } as const;
        const attempt = { id: "evt_1", body, attemptsBefore: 0, at: new Date(seconds * 1_000), nonce: "N" };
        const headers = signedHeaders(attempt, signers);
        const v1a = signElsewhere(seed, `evt_1.${seconds}.${body}`).toString("base64");
        expect(headers["webhook-signature"]?.split(" ")[1]).toBe(`v1a,${v1a}`);
        const v2 = [V2_DOMAIN, "kid", seconds, "N", "shop", "production", body].join("\n");
        expect(headers["X-Webhook-Signature-V2"]).toBe(signElsewhere(seed, v2).toString("base64url"));
      }),
      { numRuns: 50 },
    );
  });
});
