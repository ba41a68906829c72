import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { signMessage } from "@/lib/domain/keys/signature";
import { LANGUAGES, type Language, NODE_LIBRARY, runVerifier, type VerifierCase } from "@/testing/callbacks/verifiers";

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
});
const vectors = Vectors.parse(JSON.parse(readFileSync("docs/callback-vectors.json", "utf8")));
const standard = vectors.standard.map((one) => ({ ...one, format: "standard" as const, key: one.secret }));
const pluginV1 = vectors.plugin_v1.map((one) => ({ ...one, format: "plugin_v1" as const, key: one.api_key }));

/** The one block of the page with that fence ("js verifier"). */
function block(fence: string): string {
  const found = [...PAGE.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  expect(found, fence).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

/** What is wrong with the verdicts, by the names of the cases; null where the machine does not have the language. */
async function run(
  language: Language,
  kind: string,
  cases: readonly (VerifierCase & { name: string; valid: boolean })[],
) {
  const verdicts = await runVerifier(language, block(`${language.fence} ${kind}`), cases);
  if (verdicts === null) return null;
  expect(verdicts).toHaveLength(cases.length);
  return cases.filter(({ valid }, at) => valid !== verdicts[at]).map(({ format, name }) => `${format}: ${name}`);
}

test.each(LANGUAGES.map((language) => [language.fence, language] as const))(
  "the code of the page for %s passes every case of the shared file",
  async (fence, language) => {
    const wrong = await run(language, "verifier", [...standard, ...pluginV1]);
    if (wrong === null)
      process.stdout.write(`no ${language.program} on this machine: the page's ${fence} was not run\n`);
    expect(wrong ?? []).toEqual([]);
  },
  300_000,
);

test("so does the library for Node, over those of the standard format", async () => {
  expect(await run(NODE_LIBRARY, "library", standard)).toEqual([]);
});

test("the page has code for every language, with and without a library", () => {
  for (const fence of ["js", "php", "python", "go", "java", "csharp", "ruby"]) {
    expect(block(`${fence} verifier`)).not.toBe("");
    if (fence !== "csharp") expect(block(`${fence} library`)).not.toBe("");
  }
});

test("what the service signs is what the cases hold", () => {
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
});
