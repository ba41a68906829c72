import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isSetting } from "@/lib/config/env";
import { allNetworks } from "@/lib/domain/networks";
import { IMAGE_ROLES } from "@/scripts/image.mjs";

const YAML = globSync(["deploy/**/*.yaml", ".github/**/*.{yml,yaml}"]).sort();
const UNITS = globSync("deploy/systemd/*.service").sort();
const read = (file: string) => readFileSync(file, "utf8");
type Tree = { [key: string]: Tree } & Tree[] & string;
const documents = (file: string): Tree[] =>
  parseAllDocuments(read(file), { merge: true }).map((one) => {
    expect(one.errors, file).toEqual([]);
    return one.toJS() as Tree;
  });
const kubernetes = globSync("deploy/kubernetes/*.yaml").flatMap(documents);
const compose = documents("deploy/compose.yaml")[0] as Tree;
const roleOf = (command: string) => /^\.build\/([\w-]+)\.js$/.exec(command)?.[1] ?? command;

/** The settings that belong to images and service managers, not to Stablegate. */
const FOREIGN_SETTINGS = /^(?:NODE_ENV|NEXT_TELEMETRY_DISABLED|POSTGRES_(?:USER|DB|PASSWORD_FILE))$/;
const known = (name: string) =>
  FOREIGN_SETTINGS.test(name) || isSetting(name.replace(/_FILE$/, ""), allNetworks()) || isSetting(name, allNetworks());

test("there are files to look at, and every YAML file is sound", () => {
  expect(YAML.length).toBeGreaterThan(8);
  expect(UNITS).toHaveLength(3);
  for (const file of YAML) for (const one of documents(file)) expect(one, file).toBeTypeOf("object");
});

test("every setting that a file names is one that the programs know", () => {
  const named = new Set<string>();
  for (const service of Object.values(compose["services"] as Tree))
    for (const name of Object.keys(service["environment"] ?? {})) named.add(name);
  for (const one of kubernetes)
    if (one["kind"] === "ConfigMap") for (const name of Object.keys(one["data"] as Tree)) named.add(name);
  for (const unit of UNITS)
    for (const [, settings = ""] of read(unit).matchAll(/^Environment=(.*)$/gm))
      for (const setting of settings.split(" ")) named.add(setting.split("=")[0] ?? "");
  for (const [, settings = ""] of read("deploy/Dockerfile").matchAll(/^ENV (.*)$/gm))
    for (const setting of settings.split(" ")) named.add(setting.split("=")[0] ?? "");
  const inComments = YAML.flatMap((file) =>
    [...read(file).matchAll(/--from-literal=(\w+)=/g)].map(([, name = ""]) => name),
  );
  const all = [...named, ...inComments];
  expect(all).toEqual(expect.arrayContaining(["APP_SECRET", "APP_SECRET_FILE", "TRUSTED_PROXIES", "PORT"]));
  expect(all.filter((name) => !known(name))).toEqual([]);
  expect(known("TRUSTED_PROXY")).toBe(false);
});

test("every setting of .env.example is one that the programs know", () => {
  const named = [...read(".env.example").matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !known(name))).toEqual([]);
});

test("services behind a proxy listen where that proxy reaches them, all others do not", () => {
  const web = (compose["services"] as Tree)["web"] as Tree;
  expect(web["environment"]).toMatchObject({ TRUSTED_PROXIES: "1", HOST: "0.0.0.0" });
  for (const port of web["ports"] as unknown as string[]) expect(port).toMatch(/^127\.0\.0\.1:/);
  const config = kubernetes.find((one) => one["kind"] === "ConfigMap");
  expect(config?.["data"]).toMatchObject({ TRUSTED_PROXIES: "1", HOST: "0.0.0.0" });
  expect(read("deploy/Dockerfile")).toMatch(/^ENV .*\bHOST=0\.0\.0\.0\b/m);
  expect(read("deploy/systemd/stablegate-web.socket")).toMatch(/^ListenStream=127\.0\.0\.1:3000$/m);
});

test("every command starts a program that the image holds", () => {
  const services = Object.values(compose["services"] as Tree).filter((one) => one["build"]);
  const commands = [
    ...services.flatMap((one) => (one["command"] as unknown as string[] | undefined) ?? []),
    ...kubernetes.flatMap((one) => one["spec"]?.["template"]?.["spec"]?.["containers"]?.[0]?.["args"] ?? []),
    ...UNITS.flatMap((unit) => /^ExecStart=.* (\S+)$/m.exec(read(unit))?.[1] ?? "none"),
    JSON.parse(/^CMD (.*)$/m.exec(read("deploy/Dockerfile"))?.[1] ?? "[]")[0],
  ].map(String);
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) expect(IMAGE_ROLES, command).toContain(roleOf(command));
});

test("the image is made with the Node of package.json, by files that are there", () => {
  const dockerfile = read("deploy/Dockerfile");
  const { dependencies, version } = JSON.parse(read("package.json"));
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images.map((image) => image?.split("@")[0])).toEqual(
    Array.from({ length: 2 }, () => `node:${dependencies.node}-bookworm-slim`),
  );
  expect(new Set(images).size).toBe(1);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile.lastIndexOf("USER node")).toBeGreaterThan(dockerfile.lastIndexOf("FROM"));
  for (const script of ["scripts/image.mjs", "scripts/build.mjs"]) expect(existsSync(script)).toBe(true);
  for (const one of kubernetes) {
    const container = one["spec"]?.["template"]?.["spec"]?.["containers"]?.[0];
    if (container) expect(container["image"]).toMatch(new RegExp(`:${version}$`));
  }
  expect(path.resolve("deploy", String(compose["services"]?.["web"]?.["build"]?.["context"]))).toBe(path.resolve("."));
  expect(existsSync(String(compose["services"]?.["web"]?.["build"]?.["dockerfile"]))).toBe(true);
});

test("no secret, test or data of this checkout goes into what the image is built from", () => {
  const ignored = read(".dockerignore")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const isIgnored = (file: string) =>
    ignored.some((pattern) => file.startsWith(`${pattern}/`) || path.matchesGlob(file, pattern));
  const out = [
    ".env",
    ".env.production",
    ".live/app-secret",
    ".data/secrets.json",
    "node_modules/zod/package.json",
    ".git/config",
  ];
  for (const file of [...out, "deploy/secrets/app-secret", "lib/config/env.test.ts", "e2e/pay.spec.ts"])
    expect(isIgnored(file), file).toBe(true);
  for (const file of ["package-lock.json", "scripts/image.mjs", "db/migrations/0000_initial.sql", "app/context.ts"])
    expect(isIgnored(file), file).toBe(false);
});

test("pods and units are held as tightly as they can be", () => {
  const pods = kubernetes.flatMap((one) => one["spec"]?.["template"]?.["spec"] ?? []);
  expect(pods).toHaveLength(3);
  for (const pod of pods as Tree[]) {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(pod["containers"]?.[0]?.["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
  for (const unit of UNITS)
    for (const line of ["NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=", "PrivateTmp=yes"])
      expect(read(unit).split("\n"), unit).toContain(line);
});

test("every container of Compose runs without capabilities, and on a file system that it cannot write", () => {
  const services = Object.entries(compose["services"] as Tree);
  expect(services.map(([name]) => name)).toEqual(expect.arrayContaining(["database", "migrate", "web", "worker"]));
  for (const [name, service] of services) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(service["security_opt"], name).toEqual(["no-new-privileges:true"]);
    // The start script of PostgreSQL's image needs these capabilities; Stablegate's own programs need none.
    const added = name === "database" ? ["CHOWN", "DAC_READ_SEARCH", "FOWNER", "SETGID", "SETUID"] : undefined;
    expect(service["cap_add"], name).toEqual(added);
  }
});

test("the database of Compose is on a network of its own, without the internet", () => {
  const services = compose["services"] as Tree;
  expect(compose["networks"]).toEqual({ database: { internal: true }, internet: {} });
  for (const name of ["database", "migrate"]) expect(services[name]?.["networks"], name).toEqual(["database"]);
  for (const name of ["web", "worker"]) expect(services[name]?.["networks"], name).toEqual(["database", "internet"]);
  expect(services["database"]?.["ports"]).toBeUndefined();
});

const DIGEST = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test("every image of others is pinned by its digest, and every action by its commit, with the version beside it", () => {
  const services = Object.values(compose["services"] as Tree);
  const images = [
    ...[...read("deploy/Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => String(image)),
    ...services.filter((one) => !one["build"]).map((one) => String(one["image"])),
  ];
  expect(images.length).toBeGreaterThan(2);
  for (const image of images) expect(image).toMatch(DIGEST);
  const actions = globSync(".github/workflows/*.yml").flatMap((file) =>
    [...read(file).matchAll(/uses: (.*)$/gm)].map(([, action]) => String(action)),
  );
  expect(actions.length).toBeGreaterThan(10);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

/** Returns true if a label selector selects a pod with these labels. */
function selects(selector: Tree, labels: Record<string, string>): boolean {
  const wanted = Object.entries(selector["matchLabels"] ?? {}) as [string, unknown][];
  const listed = (selector["matchExpressions"] ?? []) as unknown as { key: string; values: string[] }[];
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listed.every(({ key, values }) => values.includes(labels[key] ?? ""))
  );
}

test("network policies deny everything, then allow each pod the least that it needs", () => {
  const policies = kubernetes.filter((one) => one["kind"] === "NetworkPolicy");
  const denied = policies.find((one) => Object.keys(one["spec"]?.["podSelector"] ?? {}).length === 0);
  expect(denied?.["spec"]).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  const namesFor = (component: string) =>
    policies
      .filter((one) => one !== denied)
      .filter((one) =>
        selects(one["spec"]?.["podSelector"] as Tree, {
          "app.kubernetes.io/name": "stablegate",
          "app.kubernetes.io/component": component,
        }),
      )
      .map((one) => String(one["metadata"]?.["name"]));
  expect(namesFor("migrate")).toEqual(["stablegate-database"]);
  expect(namesFor("web")).toEqual(["stablegate-database", "stablegate-internet", "stablegate-web"]);
  expect(namesFor("worker")).toEqual(["stablegate-database", "stablegate-internet", "stablegate-worker"]);
  const components = kubernetes.flatMap((one) => {
    const labels = one["spec"]?.["template"]?.["metadata"]?.["labels"] as Tree | undefined;
    return labels ? [String(labels["app.kubernetes.io/component"])] : [];
  });
  expect(components.toSorted()).toEqual(["migrate", "web", "worker"]);
  for (const policy of policies)
    for (const rule of (policy["spec"]?.["egress"] ?? []) as Tree[])
      for (const { ipBlock } of (rule["to"] ?? []) as unknown as { ipBlock?: { cidr: string; except?: string[] } }[])
        if (ipBlock?.cidr === "0.0.0.0/0")
          expect(ipBlock.except).toEqual(
            expect.arrayContaining(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"]),
          );
});

test("web and worker are ended by a watchdog when they are frozen, and are not stopped by a migration", () => {
  for (const role of ["web", "worker"]) {
    const unit = read(`deploy/systemd/stablegate-${role}.service`).split("\n");
    expect(unit).toEqual(expect.arrayContaining(["Type=notify", "NotifyAccess=all", "Restart=always"]));
    expect(unit.find((line) => line.startsWith("WatchdogSec="))).toMatch(/=([5-9]|1\d|2[0-7])$/);
    expect(unit.filter((line) => /^(Requires|BindsTo)=/.test(line))).toEqual([]);
    const pods = kubernetes.filter((one) => one["kind"] === "Deployment" && one["metadata"]?.["name"]?.endsWith(role));
    const containers = pods.map((one) => one["spec"]?.["template"]?.["spec"]?.["containers"]?.[0]);
    expect(containers).toHaveLength(1);
    expect(containers[0]?.["livenessProbe"]).toMatchObject({ periodSeconds: 5, failureThreshold: 4 });
  }
});

test("every path that a probe asks is a route", () => {
  const asked = read("deploy/kubernetes/web.yaml") + read("deploy/Dockerfile");
  const paths = new Set([...asked.matchAll(/\/api\/[a-z/]+/g)].map(([one]) => one));
  expect([...paths].sort()).toEqual(["/api/health/live", "/api/health/ready"]);
  for (const one of paths) expect(existsSync(`app${one}/route.ts`), one).toBe(true);
});

test("streams are held back by neither proxy", () => {
  expect(read("deploy/nginx/stablegate.conf")).toMatch(/events\$ \{[^}]*proxy_buffering off;/);
  expect(read("deploy/caddy/Caddyfile")).toMatch(/@streams[^}]*flush_interval -1/);
  expect(existsSync("app/api/pay/[tradeId]/events/route.ts")).toBe(true);
});
