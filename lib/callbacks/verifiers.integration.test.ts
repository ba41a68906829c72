import { createHash, createHmac, createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { signedHeaders, signMessage, toHmacKey, V2_DOMAIN } from "@/lib/domain/keys/signature";
import {
  LANGUAGES,
  type Language,
  NODE_LIBRARY,
  PYTHON_MANUAL,
  runVerifier,
  type VerifierCase,
} from "@/testing/callbacks/verifiers";

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
    const invalid = await run(language, "verifier", all);
    if (invalid === null)
      process.stdout.write(`no ${language.program} on this machine: the page's ${fence} was not run\n`);
    expect(invalid ?? []).toEqual([]);
  },
  300_000,
);

test("public-key signatures verify by the arithmetic of RFC 8032 too, independent of the signing library", async () => {
  expect((await run(PYTHON_MANUAL, "verifier", byPublicKey)) ?? []).toEqual([]);
});

test("so does the library for Node, over those of the standard format", async () => {
  expect(await run(NODE_LIBRARY, "library", standard)).toEqual([]);
});

test("the page has code for every language, with and without a library", () => {
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
  // The current key in the test cases consists of 32 consecutive byte values, starting at 32.
  const seed = Buffer.from(Array.from({ length: 32 }, (_, at) => 32 + at));
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const id = jwks.keys[1]?.["kid"] ?? "";
  expect(createPublicKey(privateKey).export({ format: "jwk" })["x"]).toBe(jwks.keys[1]?.["x"]);
  const key = { secret: toHmacKey(vectors.standard[0]?.secret ?? ""), prefix: "sg_test_4fQ9", keyHash: "00" };
  const signers = { merchantId, environment, keys: [key], installation: { id, privateKey } } as const;
  const v1a = vectors.public_key.standard[1];
  const v2 = vectors.public_key.v2[0];
  const at = new Date((v1a?.now ?? 0) * 1_000);
  const attempt = { id: v1a?.headers["webhook-id"] ?? "", body: v1a?.body ?? "", attemptsBefore: 0, at };
  const signed = signedHeaders({ ...attempt, nonce: v2?.headers["x-nonce"] ?? "" }, signers);
  const lower = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  expect(lower).toMatchObject({ ...v1a?.headers, ...v2?.headers });
});
