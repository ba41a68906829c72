import { createHash, createHmac, createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { signedHeaders, signMessage, toHmacKey, V2_DOMAIN } from "@/lib/domain/keys/signature";
import { LIBRARIES } from "@/testing/callbacks/libraries";
import { LANGUAGES, type Language, PYTHON_MANUAL, runVerifier, type VerifierCase } from "@/testing/callbacks/verifiers";
import { pythonWith } from "@/testing/published-client";

const PAGE = readFileSync("docs/callbacks.md", "utf8");
const Case = z.object({
  name: z.string(),
  valid: z.boolean(),
  now: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const Vectors = z.object({
  standard: z.array(Case.extend({ secret: z.string() })),
  plugin_v1: z.array(Case.extend({ api_key: z.string() })),
  public_key: z.object({
    jwks: z.object({ keys: z.array(z.record(z.string(), z.string())) }),
    merchant_id: z.string(),
    environment: z.literal("production"),
    standard: z.array(Case),
    v2: z.array(Case),
  }),
});
const vectors = Vectors.parse(JSON.parse(readFileSync("docs/callback-vectors.json", "utf8")));
const standard = vectors.standard.map((one) => ({ ...one, format: "standard" as const, key: one.secret }));
const pluginV1 = vectors.plugin_v1.map((one) => ({ ...one, format: "plugin_v1" as const, key: one.api_key }));

const { jwks, merchant_id: merchantId, environment } = vectors.public_key;
const trusted = Buffer.from(JSON.stringify({ jwks, merchantId, environment, scheme: V2_DOMAIN })).toString("base64");
const byPublicKey = [
  ...vectors.public_key.standard.map((one) => ({ ...one, format: "v1a" as const, key: trusted })),
  ...vectors.public_key.v2.map((one) => ({ ...one, format: "v2" as const, key: trusted })),
];

/** The current key in the test cases consists of 32 consecutive byte values, starting at 32. */
const INSTALLATION = {
  id: jwks.keys[1]?.["kid"] ?? "",
  privateKey: createPrivateKey({
    key: Buffer.concat([
      Buffer.from("302e020100300506032b657004220420", "hex"),
      Buffer.from(Array.from({ length: 32 }, (_, at) => 32 + at)),
    ]),
    format: "der",
    type: "pkcs8",
  }),
};

/** Returns the one code block of the page with a fence such as "js verifier". */
function block(fence: string): string {
  const found = [...PAGE.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  expect(found, fence).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

/** Returns the wrong results by test case name; null if the language is not installed on the machine. */
async function run(
  language: Language,
  kind: string,
  cases: readonly (VerifierCase & { name: string; valid: boolean })[],
) {
  const code = {
    verifier: block(`${language.fence} ${kind}`),
    byPublicKey: kind === "library" ? "" : block(`${language.fence} public key`),
  };
  const verdicts = await runVerifier(language, code, cases);
  if (verdicts === null) return null;
  expect(verdicts).toHaveLength(cases.length);
  return cases.filter(({ valid }, at) => valid !== verdicts[at]).map(({ format, name }) => `${format}: ${name}`);
}

test.each(LANGUAGES.map((language) => [language.fence, language] as const))(
  "the code of the page for %s passes every case of the shared file",
  async (fence, language) => {
    const all = [...standard, ...pluginV1, ...byPublicKey];
    const python = fence === "python" ? await pythonWith(["cryptography==50.0.2"]) : null;
    const invalid = await run({ ...language, program: python ?? language.program }, "verifier", all);
    if (invalid === null)
      process.stdout.write(`no ${language.program} on this machine: the page's ${fence} was not run\n`);
    expect(invalid ?? []).toEqual([]);
  },
  300_000,
);

test("public-key signatures verify by the arithmetic of RFC 8032 too, independent of the signing library", async () => {
  expect((await run(PYTHON_MANUAL, "verifier", byPublicKey)) ?? []).toEqual([]);
});

const SECRET = vectors.standard[0]?.secret ?? "";
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Returns callbacks that the service signs now, and changed ones. Libraries compare timestamps with the real clock. */
function signNow(now: Date): (VerifierCase & { name: string; valid: boolean })[] {
  const body = JSON.stringify({ type: "payment.confirmed", data: { mch_order_id: "\u8ba2\u5355-42", amount: 19.99 } });
  const sign = (at: Date, ...secrets: readonly [string, ...string[]]) => {
    const toKey = (secret: string) => ({ secret: toHmacKey(secret), prefix: "sg_test_4fQ9", keyHash: "00" });
    const [first, ...others] = secrets;
    const signers = {
      merchantId,
      environment,
      keys: [toKey(first), ...others.map(toKey)],
      installation: INSTALLATION,
    } as const;
    const attempt = { id: "evt_01kagr3v5m8w2c9d4e6f7g8h9j", body, attemptsBefore: 0, at, nonce: "N".repeat(32) };
    return Object.fromEntries(
      Object.entries(signedHeaders(attempt, signers)).map(([name, value]) => [name.toLowerCase(), value]),
    );
  };
  const minutesFrom = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const headers = sign(now, SECRET);
  const one = { format: "standard" as const, now: Math.floor(now.getTime() / 1_000), key: SECRET, headers, body };
  const old = sign(minutesFrom(-10), SECRET);
  const onlyByPublicKey = (headers["webhook-signature"] ?? "").split(" ").filter((entry) => entry.startsWith("v1a,"));
  return [
    { ...one, name: "signed", valid: true },
    { ...one, name: "signed with two secrets", valid: true, headers: sign(now, OTHER_SECRET, SECRET) },
    { ...one, name: "an altered body", valid: false, body: body.replace("19.99", "99.99") },
    { ...one, name: "an altered id", valid: false, headers: { ...headers, "webhook-id": "evt_2" } },
    { ...one, name: "forged with a different secret", valid: false, headers: sign(now, OTHER_SECRET) },
    { ...one, name: "replayed after ten minutes", valid: false, headers: old },
    {
      ...one,
      name: "replayed with a new timestamp",
      valid: false,
      headers: { ...headers, "webhook-signature": old["webhook-signature"] ?? "" },
    },
    { ...one, name: "signed for ten minutes from now", valid: false, headers: sign(minutesFrom(10), SECRET) },
    {
      ...one,
      name: "signed by public key only",
      valid: false,
      headers: { ...headers, "webhook-signature": onlyByPublicKey.join(" ") },
    },
    { ...one, name: "without a signature", valid: false, headers: { ...headers, "webhook-signature": "" } },
  ];
}

/** Returns the public key in the form `whpk_`, a callback signed with its private key, and one forged with the text as HMAC key. */
function signForPublicKey(now: Date): (VerifierCase & { name: string; valid: boolean })[] {
  const [one] = signNow(now);
  if (!one) throw new Error("there is a signed callback");
  const x = Buffer.from(jwks.keys[1]?.["x"] ?? "", "base64url").toString("base64");
  const publicKey = { ...one, key: `whpk_${x}` };
  // Lenient decoders skip the underscore.
  const asSecret = createHmac("sha256", Buffer.from(`whpk${x}`, "base64"));
  const forged = asSecret
    .update(`${one.headers["webhook-id"]}.${one.headers["webhook-timestamp"]}.${one.body}`)
    .digest("base64");
  return [
    { ...publicKey, name: "signed by public key", valid: false },
    { ...publicKey, name: "forged", valid: true, headers: { ...one.headers, "webhook-signature": `v1,${forged}` } },
  ];
}

test.each(LIBRARIES.map((library) => [library.name, library] as const))(
  "%s verifies callbacks with the page's code, and cannot verify by public key",
  async (name, library) => {
    const language = await library.prepare();
    const invalid = language && (await run(language, "library", signNow(new Date())));
    if (language === null || invalid === null) return console.log(`${name} was not run`);
    expect(invalid).toEqual([]);
    // No library supports `whpk_` keys: each one refuses the key, or takes it for a secret and accepts a forged callback.
    const byPublicKey = signForPublicKey(new Date());
    const expected = library.acceptsPublicKeyAsSecret ? [] : ["standard: forged"];
    expect(await run(language, "library", byPublicKey)).toEqual(expected);
  },
  600_000,
);

test("the library for Node passes the shared file's cases of the standard format", async () => {
  const language = await LIBRARIES[0]?.prepare();
  expect((language && (await run(language, "library", standard))) ?? []).toEqual([]);
});

test("the page's table of libraries names each one, and what it does with a public key", () => {
  for (const { name, acceptsPublicKeyAsSecret } of LIBRARIES) {
    const [, registry = "", library = "", version = ""] = /^(\S+) (\S+) (\S+)$/.exec(name) ?? [];
    const row = PAGE.split("\n").find(
      (line) => line.startsWith(`| ${registry} `) && line.includes(`\`${library}\` ${version}`),
    );
    expect(row, name).toContain(acceptsPublicKeyAsSecret ? "| **uses it as a secret** |" : "| refuses the key |");
  }
});

test("the page has code for every language, with and without a library", () => {
  process.stdout.write("no test runs the page's csharp: .NET is not installed\n");
  for (const fence of ["js", "php", "python", "go", "java", "csharp", "ruby"]) {
    expect(block(`${fence} verifier`)).not.toBe("");
    expect(block(`${fence} public key`)).not.toBe("");
    if (fence !== "csharp") expect(block(`${fence} library`)).not.toBe("");
  }
});

test("the service's signatures are those of the test vectors", () => {
  for (const { name, headers, secret, body } of vectors.standard.filter(({ valid }) => valid)) {
    const { "webhook-id": id = "", "webhook-timestamp": timestamp = "", "webhook-signature": signature = "" } = headers;
    const signed = signMessage([secret], id, new Date(Number(timestamp) * 1_000), body);
    expect(signature.split(" "), name).toContain(signed);
  }
  for (const { name, headers, api_key: apiKey, body } of vectors.plugin_v1.filter(({ valid }) => valid)) {
    const { "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature } = headers;
    const key = createHash("sha256").update(apiKey).digest("hex");
    const mac = createHmac("sha256", key).update(`${timestamp}\n${nonce}\n${body}`).digest("hex");
    expect(signature, name).toBe(mac);
    expect(headers["x-key-prefix"]).toBe(apiKey.slice(0, 12));
    expect(nonce).toMatch(/^[A-Za-z0-9]{32}$/);
  }
  expect(createPublicKey(INSTALLATION.privateKey).export({ format: "jwk" })["x"]).toBe(jwks.keys[1]?.["x"]);
  const key = { secret: toHmacKey(vectors.standard[0]?.secret ?? ""), prefix: "sg_test_4fQ9", keyHash: "00" };
  const signers = { merchantId, environment, keys: [key], installation: INSTALLATION } as const;
  const v1a = vectors.public_key.standard[1];
  const v2 = vectors.public_key.v2[0];
  const at = new Date((v1a?.now ?? 0) * 1_000);
  const attempt = { id: v1a?.headers["webhook-id"] ?? "", body: v1a?.body ?? "", attemptsBefore: 0, at };
  const signed = signedHeaders({ ...attempt, nonce: v2?.headers["x-nonce"] ?? "" }, signers);
  const lower = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  expect(lower).toMatchObject({ ...v1a?.headers, ...v2?.headers });
});
