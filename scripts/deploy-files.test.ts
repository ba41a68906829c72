import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isSetting } from "@/lib/config/env";
import { allNetworks } from "@/lib/domain/networks";
import { IMAGE_ROLES } from "@/scripts/image.mjs";

const YAML = globSync(["deploy/**/*.yaml", ".github/**/*.{yml,yaml}"]).sort();
const UNITS = globSync("deploy/systemd/*.service").sort();
/** The unit of a package, which runs web, worker and PostgreSQL. */
const PACKAGE_UNIT = "deploy/vps/stablegate.service";
const read = (file: string) => readFileSync(file, "utf8");
type Tree = { [key: string]: Tree } & Tree[] & string;
const documents = (file: string): Tree[] =>
  parseAllDocuments(read(file), { merge: true }).map((one) => {
    expect(one.errors, file).toEqual([]);
    return one.toJS() as Tree;
  });
const MANIFESTS = globSync("deploy/kubernetes/{base,backup,monitoring}/*.yaml").filter(
  (file) => !/kustomization/.test(file),
);
const kubernetes = MANIFESTS.flatMap(documents);
const KUSTOMIZATIONS = globSync("deploy/kubernetes/*/kustomization.yaml").sort();
const SETTINGS = globSync("deploy/kubernetes/*/*.env").sort();
const compose = documents("deploy/compose.yaml")[0] as Tree;
const roleOf = (command: string) => /^\.build\/([\w-]+)\.js$/.exec(command)?.[1] ?? command;

const isOwn = (service: Tree) => String(service["image"]).includes("STABLEGATE_IMAGE");

/** Returns the pod templates of the Kubernetes files: their labels and their pods. */
const templates = () =>
  kubernetes.flatMap(({ spec }) => spec?.["template"] ?? spec?.["jobTemplate"]?.["spec"]?.["template"] ?? []) as Tree[];
const pods = () => templates().flatMap((one) => one["spec"] ?? []) as Tree[];

/** Returns all containers of the Kubernetes files, including init containers. */
const containers = () =>
  pods().flatMap((pod) => [...(pod["initContainers"] ?? []), ...(pod["containers"] ?? [])]) as Tree[];

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
  for (const file of SETTINGS) for (const [, name = ""] of read(file).matchAll(/^(\w+)=/gm)) named.add(name);
  for (const unit of UNITS)
    for (const [, settings = ""] of read(unit).matchAll(/^Environment=(.*)$/gm))
      for (const setting of settings.split(" ")) named.add(setting.split("=")[0] ?? "");
  for (const [, settings = ""] of read("deploy/Dockerfile").matchAll(/^ENV (.*)$/gm))
    for (const setting of settings.split(" ")) named.add(setting.split("=")[0] ?? "");
  const inCommands = [...read("docs/deploying-kubernetes.md").matchAll(/--from-literal=(\w+)=/g)];
  const all = [...named, ...inCommands.map(([, name = ""]) => name)];
  const some = ["APP_SECRET", "APP_SECRET_FILE", "DATABASE_OWNER_URL", "TRUSTED_PROXIES", "PUBLIC_URL", "PORT"];
  expect(all).toEqual(expect.arrayContaining(some));
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
  expect(read("deploy/kubernetes/base/stablegate.env").split("\n")).toEqual(
    expect.arrayContaining(["TRUSTED_PROXIES=1", "HOST=0.0.0.0"]),
  );
  expect(read("deploy/Dockerfile")).toMatch(/^ENV .*\bHOST=0\.0\.0\.0\b/m);
  expect(read("deploy/systemd/stablegate-web.socket")).toMatch(/^ListenStream=127\.0\.0\.1:3000$/m);
});

test("every command starts a program that the image holds", () => {
  const services = Object.values(compose["services"] as Tree).filter(isOwn);
  const commands = [
    ...services.flatMap((one) => (one["command"] as unknown as string[] | undefined) ?? []),
    ...containers().map((one) => one["args"]?.[0] ?? "none"),
    ...UNITS.flatMap((unit) => /^ExecStart=.* (\S+)$/m.exec(read(unit))?.[1] ?? "none"),
    JSON.parse(/^CMD (.*)$/m.exec(read("deploy/Dockerfile"))?.[1] ?? "[]")[0],
  ].map(String);
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) expect(IMAGE_ROLES, command).toContain(roleOf(command));
});

test("the image is made with the Node of package.json, by files that are there", () => {
  const dockerfile = read("deploy/Dockerfile");
  const { dependencies } = JSON.parse(read("package.json"));
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images.map((image) => image?.split("@")[0])).toEqual(
    Array.from({ length: 2 }, () => `node:${dependencies.node}-bookworm-slim`),
  );
  expect(new Set(images).size).toBe(1);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile.lastIndexOf("USER node")).toBeGreaterThan(dockerfile.lastIndexOf("FROM"));
  for (const script of ["scripts/image.mjs", "scripts/build.mjs"]) expect(existsSync(script)).toBe(true);
});

test("Compose and Kubernetes name the image of this release, and Compose can also build it", () => {
  const { version } = JSON.parse(read("package.json"));
  const built = documents("deploy/compose.build.yaml")[0]?.["services"] as Tree;
  expect(Object.keys(built).toSorted()).toEqual(["migrate", "web", "worker"]);
  for (const { build } of Object.values(built) as Tree[]) {
    expect(path.resolve("deploy", String(build?.["context"]))).toBe(path.resolve("."));
    expect(existsSync(String(build?.["dockerfile"]))).toBe(true);
  }
  // scripts/deploy-archive.mjs replaces this name by that of the released image.
  const own = Object.values(compose["services"] as Tree).filter(isOwn);
  for (const { image } of own) expect(image).toBe(`\${STABLEGATE_IMAGE:-registry.example.com/stablegate:${version}}`);
  for (const folder of ["base", "backup"])
    expect(documents(`deploy/kubernetes/${folder}/kustomization.yaml`)[0]?.["images"]).toEqual([
      { name: "stablegate", newName: "registry.example.com/stablegate", newTag: version },
    ]);
  for (const container of containers()) expect(container["image"]).toBe("stablegate");
});

test("a kustomization lists every file of its folder", () => {
  expect(KUSTOMIZATIONS).toHaveLength(4);
  for (const file of KUSTOMIZATIONS) {
    const folder = path.dirname(file);
    const { resources = [], configMapGenerator = [] } = documents(file)[0] as Tree;
    const listed = [
      ...(resources as string[]),
      ...(configMapGenerator as Tree[]).flatMap(({ envs }) => envs as unknown as string[]),
    ];
    for (const one of listed) expect(existsSync(path.join(folder, one)), one).toBe(true);
    const files = globSync(["*.yaml", "*.env"], { cwd: folder }).filter((one) => one !== "kustomization.yaml");
    expect(
      files.filter((one) => !listed.includes(one)),
      file,
    ).toEqual([]);
  }
});

test("a migration runs in a Job of each release, and the pods of that release start after it", () => {
  const { version } = JSON.parse(read("package.json"));
  const job = kubernetes.find(({ kind }) => String(kind) === "Job");
  expect(job?.["metadata"]?.["name"]).toBe(`stablegate-migrate-${version.replaceAll(".", "-")}`);
  // A Job cannot be changed, so no setting may be part of it.
  expect(JSON.stringify(job)).not.toContain("configMapRef");
  for (const pod of pods().filter(({ restartPolicy }) => String(restartPolicy) !== "Never"))
    expect(pod["initContainers"]?.[0]).toMatchObject({ args: [".build/migrate.js", "--wait"] });
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
  expect(pods()).toHaveLength(4);
  for (const pod of pods())
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
  expect(containers()).toHaveLength(6);
  for (const container of containers())
    expect(container["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  for (const unit of [...UNITS, PACKAGE_UNIT])
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
    ...services.filter((one) => !isOwn(one)).map((one) => String(one["image"])),
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
  for (const job of ["migrate", "dump"]) expect(namesFor(job)).toEqual(["stablegate-database"]);
  expect(namesFor("web")).toEqual(["stablegate-database", "stablegate-internet", "stablegate-web"]);
  expect(namesFor("worker")).toEqual(["stablegate-database", "stablegate-internet", "stablegate-worker"]);
  const components = templates().map((one) => String(one["metadata"]?.["labels"]?.["app.kubernetes.io/component"]));
  expect(components.toSorted()).toEqual(["dump", "migrate", "web", "worker"]);
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
    const found = pods.map((one) => one["spec"]?.["template"]?.["spec"]?.["containers"]?.[0]);
    expect(found).toHaveLength(1);
    expect(found[0]?.["livenessProbe"]).toMatchObject({ periodSeconds: 5, failureThreshold: 4 });
  }
});

test("every path that a probe asks is a route", () => {
  const asked = read("deploy/kubernetes/base/web.yaml") + read("deploy/Dockerfile");
  const paths = new Set([...asked.matchAll(/\/api\/[a-z/]+/g)].map(([one]) => one));
  expect([...paths].sort()).toEqual(["/api/health/live", "/api/health/ready"]);
  for (const one of paths) expect(existsSync(`app${one}/route.ts`), one).toBe(true);
});

test("streams are held back by neither proxy", () => {
  expect(read("deploy/nginx/stablegate.conf")).toMatch(/events\$ \{[^}]*proxy_buffering off;/);
  expect(read("deploy/caddy/Caddyfile")).toMatch(/@streams[^}]*flush_interval -1/);
  expect(existsSync("app/api/pay/[tradeId]/events/route.ts")).toBe(true);
});

test("a release is published after its tarballs, image, checksums and bill of materials, each with its build provenance", () => {
  const { jobs } = documents(".github/workflows/release.yml")[0] as Tree;
  expect(jobs?.["draft"]?.["needs"]).toBe("test");
  for (const job of ["package", "image"]) expect(jobs?.[job]?.["needs"]).toBe("draft");
  expect(jobs?.["publish"]?.["needs"]).toEqual(["package", "image"]);
  const steps = ["package", "publish"].flatMap((job) => jobs?.[job]?.["steps"] ?? []) as Tree[];
  const attested = steps
    .filter(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"))
    .map((step) => (step as unknown as Record<string, Tree>)["with"])
    .flatMap((inputs) => String(inputs?.["subject-path"] ?? inputs?.["subject-name"]).split("\n"));
  expect(attested.filter(Boolean)).toEqual([
    "dist/stablegate-*.tar.gz",
    expect.stringContaining("env.IMAGE"),
    "release/stablegate-deploy-*.tar.gz",
    "release/stablegate-*.tgz",
    "release/stablegate-*.whl",
    "release/stablegate-sbom.json",
    "release/SHA256SUMS",
  ]);
  expect(steps.at(-1)?.["run"]).toMatch(/--draft=false\s*$/);
});

test("the unit of a package holds the port for Caddy, writes only its data, and stops PostgreSQL last", () => {
  const unit = read(PACKAGE_UNIT).split("\n");
  const lines = ["Type=notify", "NotifyAccess=all", "Restart=always", "KillMode=mixed", "StateDirectory=stablegate"];
  expect(unit).toEqual(expect.arrayContaining(lines));
  expect(unit.filter((line) => line.startsWith("ReadWritePaths="))).toEqual([]);
  const port = /^ListenStream=(127\.0\.0\.1:\d+)$/m.exec(read("deploy/vps/stablegate.socket"))?.[1];
  for (const [, target] of read("deploy/caddy/Caddyfile").matchAll(/^\treverse_proxy (?:@streams )?(\S+) \{$/gm))
    expect(target).toBe(port);
  // The part of web and worker units that restricts the process is the same.
  const restrictions = (file: string) => read(file).slice(read(file).indexOf("# Node compiles to memory"));
  expect(restrictions(PACKAGE_UNIT).replace("multi-user.target", "stablegate.target")).toBe(
    restrictions("deploy/systemd/stablegate-web.service"),
  );
});

test.each(["vps", "compose", "kubernetes"])(
  "docs/deploying-%s.md covers the life of an installation, with files and programs that exist",
  (way) => {
    const text = read(`docs/deploying-${way}.md`);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
    const life = ["Install", "Upgrade", "Back up", "Restore", "Move", "Uninstall", "Not supported"];
    expect(headings.filter((heading) => life.includes(heading))).toEqual(life);
    expect(text).toMatch(/^\| (?:machine|memory and CPU) \| .*\d (?:GB|MB)/m);
    for (const [, program = ""] of text.matchAll(/\.build\/([\w-]+)\.js/g)) expect(IMAGE_ROLES).toContain(program);
    for (const [, file = ""] of text.matchAll(/(?<![\w./-])(deploy\/[\w./-]*\w)/g))
      expect(existsSync(file), file).toBe(true);
    expect(read("docs/deploying.md")).toContain(`(deploying-${way}.md)`);
  },
);
