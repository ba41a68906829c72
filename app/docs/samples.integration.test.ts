import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { SAMPLE_LANGUAGES, type SampleRequest } from "@/components/docs/code-samples";
import { seedAddress } from "@/testing/database/seed";
import { useTestApi } from "@/testing/web";

const api = useTestApi();

/** The commands that run a program in each language; a C# program needs a project. */
const COMMANDS: Readonly<
  Record<string, { file: string; command: string; args: string[]; more?: Record<string, string> }>
> = {
  curl: { file: "example.sh", command: "sh", args: ["example.sh"] },
  node: { file: "example.mjs", command: process.execPath, args: ["example.mjs"] },
  php: { file: "example.php", command: "php", args: ["example.php"] },
  python: { file: "example.py", command: "python3", args: ["example.py"] },
  go: { file: "example.go", command: "go", args: ["run", "example.go"] },
  java: { file: "Example.java", command: "java", args: ["Example.java"] },
  csharp: {
    file: "Program.cs",
    command: "dotnet",
    args: ["run"],
    more: {
      "example.csproj":
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net8.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>',
    },
  },
};

interface Outcome {
  code: number | null;
  output: string;
}

/** Runs an example in its own folder. Returns null if the language is not installed. */
async function run(language: string, text: string, apiKey: string): Promise<Outcome | null> {
  const { file, command, args, more = {} } = COMMANDS[language] ?? { file: "", command: "", args: [] };
  const cwd = await mkdtemp(path.join(tmpdir(), "sample-"));
  try {
    for (const [name, content] of Object.entries({ [file]: text, ...more }))
      await writeFile(path.join(cwd, name), content);
    return await new Promise((resolve, reject) => {
      const env = { ...process.env, STABLEGATE_API_KEY: apiKey };
      const child = spawn(command, args, { cwd, env });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
      child.on("error", (error) => ("code" in error && error.code === "ENOENT" ? resolve(null) : reject(error)));
      child.on("close", (code) => resolve({ code, output }));
    });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/**
 * The timeout for one example. It is long, because the first Go program also compiles Go's standard library if that has not been compiled
 * on this machine before.
 */
const TIMEOUT_MS = 300_000;

beforeAll(async () => {
  await seedAddress(api.pool.db, { merchantId: api.merchant.id }, new Date());
});

test.each(SAMPLE_LANGUAGES.map((language) => [language.name, language] as const))(
  "the example in %s creates an order and reports a refusal",
  async (name, { id, write }) => {
    const request: SampleRequest = {
      method: "POST",
      url: `${api.origin}/api/v1/pay/order/add`,
      needsKey: true,
      body: {
        currency: "USDT",
        network: "ethereum",
        amount: 12.5,
        mch_order_id: `sample-${id}`,
        subject: "It's for two",
        metadata: { cart: [4, 2], gift: true, note: null, path: "C:\\shop" },
      },
    };
    const created = await run(id, write(request), api.merchant.apiKey);
    if (created === null) {
      console.log(`${name} is not installed; its example was not run`);
      return;
    }
    expect(created).toMatchObject({ code: 0, output: expect.stringContaining(`sample-${id}`) });
    const { body } = await api.post("/order/detail", { mch_order_id: `sample-${id}` });
    expect(body.data).toMatchObject({
      amount: 12.5,
      subject: "It's for two",
      metadata: { note: null, path: "C:\\shop" },
    });
    const refused = await run(id, write(request), "sg_live_none");
    expect(refused?.output).toMatch(/API key/);
    if (id !== "curl") expect(refused?.code).not.toBe(0);
  },
  TIMEOUT_MS,
);

test.each(SAMPLE_LANGUAGES.map((language) => [language.name, language] as const))(
  "the example in %s reads public data without a key",
  async (name, { id, write }) => {
    const outcome = await run(id, write({ method: "GET", url: `${api.origin}/api/health`, needsKey: false }), "");
    if (outcome === null) {
      console.log(`${name} is not installed; its example was not run`);
      return;
    }
    expect(outcome).toMatchObject({ code: 0, output: expect.stringContaining("database") });
  },
  TIMEOUT_MS,
);
