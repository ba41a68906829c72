import { spawnSync } from "node:child_process";
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
  for (const file of globSync("deploy/compose*.yaml")) expect(composeFindings(file), file).toEqual([]);
});

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

type Model = new (resource: object) => { validate(): void };

/** The package of each API group, which has types and JSON schemas of its resources. */
const GROUPS: Readonly<Record<string, { module: string; load(): Promise<object> }>> = {
  v1: { module: "kubernetes-models/v1", load: () => import("kubernetes-models/v1") },
  "apps/v1": { module: "kubernetes-models/apps/v1", load: () => import("kubernetes-models/apps/v1") },
  "batch/v1": { module: "kubernetes-models/batch/v1", load: () => import("kubernetes-models/batch/v1") },
  "policy/v1": { module: "kubernetes-models/policy/v1", load: () => import("kubernetes-models/policy/v1") },
  "networking.k8s.io/v1": {
    module: "kubernetes-models/networking.k8s.io/v1",
    load: () => import("kubernetes-models/networking.k8s.io/v1"),
  },
  "monitoring.coreos.com/v1": {
    module: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
    load: () => import("@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1"),
  },
};

/** Returns the errors of resources according to the types of their kinds: unknown fields, values of a wrong type, missing fields. */
function typeFindings(resources: readonly Resource[]): string[] {
  const source = resources
    .map((one, index) => {
      const type = `import("${GROUPS[one.apiVersion]?.module}").I${one.kind}`;
      return `export const r${index}: ${type} = ${JSON.stringify(one)};`;
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

/** Returns the error of a resource according to the JSON schema of its kind: ranges, patterns and required fields; null if it has none. */
async function schemaFinding(resource: Resource): Promise<string | null> {
  const models = (await GROUPS[resource.apiVersion]?.load()) as Record<string, Model> | undefined;
  const Kind = models?.[resource.kind];
  if (!Kind) return `${resource.apiVersion} has no ${resource.kind}`;
  try {
    new Kind(resource).validate();
    return null;
  } catch (error) {
    return `${resource.kind} ${resource.metadata.name}: ${(error as Error).message}`;
  }
}

async function kubernetesFindings(resources: readonly Resource[]): Promise<string[]> {
  const known = resources.filter((one) => GROUPS[one.apiVersion]);
  const unknown = resources.filter((one) => !GROUPS[one.apiVersion]).map((one) => `unknown group ${one.apiVersion}`);
  const schema = await Promise.all(known.map(schemaFinding));
  return [...unknown, ...schema.filter((finding) => finding !== null), ...typeFindings(known)];
}

const parseResources = (text: string) =>
  parseAllDocuments(text, { merge: true }).map((one) => one.toJS() as Resource & Record<string, unknown>);

const MANIFESTS = globSync("deploy/kubernetes/{base,backup,monitoring}/*.yaml").filter(
  (file) => path.basename(file) !== "kustomization.yaml",
);

test("the Kubernetes files conform to the schemas of Kubernetes and of the Prometheus Operator", async () => {
  const resources = MANIFESTS.flatMap((file) => parseResources(read(file)));
  const kinds = new Set(resources.map(({ kind }) => kind));
  expect(kinds).toContain("ServiceMonitor");
  expect(kinds).toContain("Ingress");
  expect(await kubernetesFindings(resources)).toEqual([]);
}, 60_000);

const ENDPOINT = { port: "http", path: "/metrics" };
const deployment = (spec: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "broken" },
  spec: { selector: {}, template: { spec: { containers: [] } }, ...spec },
});
const monitor = (endpoint: object) => ({
  apiVersion: "monitoring.coreos.com/v1",
  kind: "ServiceMonitor",
  metadata: { name: "broken" },
  spec: { selector: {}, endpoints: [{ ...ENDPOINT, ...endpoint }] },
});

/** Resources with one error each, and the finding that reports it. */
const BROKEN: readonly (readonly [Resource, RegExp])[] = [
  [deployment({ replicaz: 2 }), /replicaz.* does not exist in type/],
  [deployment({ replicas: "two" }), /replicas must be integer/],
  [deployment({ template: undefined }), /must have required property template/],
  [monitor({ intervall: "30s" }), /intervall.* does not exist in type/],
  [monitor({ interval: "half a minute" }), /interval must match pattern/],
  [{ ...deployment({}), kind: "Deploymint" }, /apps\/v1 has no Deploymint/],
  [{ ...deployment({}), apiVersion: "apps/v2" }, /unknown group apps\/v2/],
];

test("a Kubernetes file with an unknown field, kind or group, a missing field or an invalid value is refused", async () => {
  const findings = (await kubernetesFindings(BROKEN.map(([resource]) => resource))).join("\n");
  for (const [, finding] of BROKEN) expect(findings).toMatch(finding);
}, 60_000);

/** Returns what kustomize or kubectl makes of a folder; null if neither is installed. */
function render(folder: string): string | null {
  for (const [program, ...args] of [
    ["kustomize", "build"],
    ["kubectl", "kustomize"],
  ] as const) {
    const { error, status, stdout, stderr } = spawnSync(program, [...args, folder], { encoding: "utf8" });
    if (error) continue;
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }
  return null;
}

test("kustomize makes one valid installation of the example, whose pods refer to the checksum of the settings", async () => {
  const text = render("deploy/kubernetes/example");
  if (text === null) return console.info("skipped: neither kustomize nor kubectl is installed");
  const resources = parseResources(text);
  expect(await kubernetesFindings(resources)).toEqual([]);
  const config = resources.find(({ kind }) => kind === "ConfigMap");
  expect(config?.metadata.name).toMatch(/^stablegate-[a-z0-9]{10}$/);
  expect(config?.["data"]).toEqual({
    PUBLIC_URL: expect.any(String),
    ETHEREUM_RPC_URLS: expect.any(String),
    HOST: "0.0.0.0",
    TRUSTED_PROXIES: "1",
  });
  const deployments = resources.filter(({ kind }) => kind === "Deployment").map((one) => JSON.stringify(one));
  expect(deployments).toHaveLength(2);
  for (const one of deployments) expect(one).toContain(`{"configMapRef":{"name":"${config?.metadata.name}"}}`);
  const images = [...text.matchAll(/ image: (\S+)/g)].map(([, image]) => image);
  expect(images).toHaveLength(6);
  for (const image of images) expect(image).toMatch(/^registry\.example\.com\/stablegate:[\d.]+$/);
  const namespaces = resources.filter(({ kind }) => kind !== "Namespace").map(({ metadata }) => metadata.namespace);
  expect(new Set(namespaces)).toEqual(new Set(["stablegate"]));
}, 60_000);
