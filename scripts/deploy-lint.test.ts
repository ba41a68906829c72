import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import ts from "typescript";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const read = (file: string) => readFileSync(file, "utf8");

/** Returns the errors that a Dockerfile linter finds. */
const dockerfileFindings = (text: string) => validate(text, {}).map(({ message }) => message);

test("the Dockerfile is one, instruction for instruction", () => {
  expect(dockerfileFindings("FROM node\nRUNN x\nEXPOSE abc\nHEALTHCHECK --often=1 CMD x\n")).toHaveLength(3);
  expect(dockerfileFindings(read("deploy/Dockerfile"))).toEqual([]);
});

/** Returns the errors of a Compose file according to the Compose specification's schema. Biome checks its format. */
function composeFindings(file: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
  const found = linter.lintFiles([file], false).flatMap(({ messages }) => messages);
  return found.filter(({ type }) => type === "error").map(({ message }) => message);
}

test("the Compose file keeps to the Compose specification", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-lint-"));
  const bad = path.join(folder, "compose.yaml");
  await writeFile(bad, "services:\n  web:\n    image: a\n    restrt: always\n");
  expect(composeFindings(bad).join("\n")).toContain("must NOT have additional properties");
  await rm(folder, { recursive: true });
  expect(composeFindings("deploy/compose.yaml")).toEqual([]);
});

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

/** The type definitions of each API group. */
const TYPES: Readonly<Record<string, string>> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "policy/v1": "policy/v1",
  "networking.k8s.io/v1": "networking/v1",
};

/** Returns the errors of resources according to Kubernetes' own schema: unknown fields, values of a wrong type, missing required fields. */
function kubernetesFindings(resources: readonly Resource[]): string[] {
  const source = resources
    .map((one, index) => {
      const module = `kubernetes-types/${TYPES[one.apiVersion]}`;
      const kind = one.kind;
      return `export const r${index}: import("${module}").${kind} = ${JSON.stringify(one)};`;
    })
    .join("\n");
  const file = path.resolve("scripts/kubernetes-under-test.ts");
  const options = { noEmit: true, strict: true, skipLibCheck: true, moduleResolution: ts.ModuleResolutionKind.Bundler };
  const host = ts.createCompilerHost({ ...options, module: ts.ModuleKind.ESNext });
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, source, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], { ...options, module: ts.ModuleKind.ESNext, types: [] }, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("the Kubernetes files hold what Kubernetes knows, and nothing else", () => {
  const resources = globSync("deploy/kubernetes/*.yaml").flatMap((file) =>
    parseAllDocuments(read(file), { merge: true }).map((one) => one.toJS() as Resource),
  );
  expect(resources.length).toBeGreaterThan(7);
  expect(kubernetesFindings(resources)).toEqual([]);
  const bad = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "bad" },
    spec: { replicaz: 2, selector: {}, template: { spec: { containers: [] } } },
  };
  expect(kubernetesFindings([bad]).join("\n")).toMatch(/replicaz.* does not exist in type .DeploymentSpec/);
  const worse = { ...bad, spec: { ...bad.spec, replicaz: undefined, replicas: "two" } };
  expect(kubernetesFindings([worse]).join("\n")).toContain("Type 'string' is not assignable to type 'number'");
});
