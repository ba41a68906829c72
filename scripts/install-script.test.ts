import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const SCRIPT = path.resolve("deploy/install.sh");
const RPC = "ETHEREUM_RPC_URLS=https://a.example.com/k?x=1&y=2,https://b.example.com";
let home: string;
let root: string;
let number = 0;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "stablegate-install-"));
});
beforeEach(() => {
  root = path.join(home, `root-${++number}`);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A launcher that answers `version`, and upgrades by unpacking the package. */
const LAUNCHER = `#!/bin/sh
home=$(cd "$(dirname "$0")" && pwd)
case $1 in
  version) sed -n 's/.*"version": *"\\([^"]*\\)".*/\\1/p' "$home/current/release.json" ;;
  upgrade) case $2 in *broken*) exit 1 ;; *) tar -xzf "$2" -C "$home" ;; esac ;;
esac
`;

/** Makes a package with the layout of a real one. @returns its file */
async function makePackage(
  version: string,
  { platform = ownPlatform(), name = "stablegate", folder = version } = {},
): Promise<string> {
  const files = path.join(home, `package-${++number}`);
  const release = path.join(files, "releases", folder);
  await mkdir(release, { recursive: true });
  await writeFile(path.join(release, "release.json"), `${JSON.stringify({ version, platform }, null, 2)}\n`);
  await writeFile(path.join(files, "stablegate"), LAUNCHER);
  await chmod(path.join(files, "stablegate"), 0o755);
  await symlink(path.join("releases", folder), path.join(files, "current"));
  const file = path.join(home, `${name}-${folder}-${platform}.tar.gz`);
  const { status, stderr } = spawnSync("tar", ["-czf", file, "-C", files, ...(await readdir(files))]);
  expect(status, String(stderr)).toBe(0);
  const hash = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  await writeFile(`${file}.sha256`, `${hash}  ${path.basename(file)}\n`);
  return file;
}

const ownPlatform = () => `linux-${process.arch}`;

function install(...args: string[]) {
  const { status, stdout, stderr } = spawnSync("bash", [SCRIPT, "--root", root, ...args], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

/** Returns every file below the root with its mode and its content. */
async function snapshot(): Promise<Record<string, string>> {
  const files = await readdir(root, { recursive: true }).catch(() => []);
  const found: Record<string, string> = {};
  for (const name of files.toSorted()) {
    const file = path.join(root, name);
    const facts = await lstat(file);
    const content = facts.isSymbolicLink() ? await readlink(file) : facts.isFile() ? await readFile(file, "utf8") : "";
    found[name] = `${(facts.mode & 0o777).toString(8)} ${content}`;
  }
  return found;
}

const changedFiles = (before: Record<string, string>, after: Record<string, string>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]).sort();

const isLinux = process.platform === "linux";

test.runIf(isLinux)("a dry run prints every change and makes none", async () => {
  const result = install(
    "--package",
    await makePackage("1.0.0"),
    "--host",
    "pay.shop.example",
    "--set",
    RPC,
    "--dry-run",
  );
  expect(result, result.output).toMatchObject({ status: 0 });
  for (const name of ["/srv/stablegate/.env", "/etc/systemd/system/stablegate.service", "/etc/caddy/stablegate.caddy"])
    expect(result.output).toContain(`+ write ${name}`);
  expect(result.output).toContain("nothing was changed");
  expect(await snapshot()).toEqual({});
});

test.runIf(isLinux)(
  "a first run installs package, settings with secrets, units and proxy; a second run changes nothing",
  async () => {
    const args = ["--package", await makePackage("1.0.0"), "--host", "pay.shop.example", "--set", RPC];
    const first = install(...args);
    expect(first, first.output).toMatchObject({ status: 0 });
    const files = await snapshot();
    const env = files["srv/stablegate/.env"] ?? "";
    expect(env).toMatch(/^600 /);
    expect(env.split("\n")).toEqual(
      expect.arrayContaining([
        "PUBLIC_URL=https://pay.shop.example",
        RPC,
        "TRUSTED_PROXIES=1",
        "STABLEGATE_DATA_DIR=/var/lib/stablegate",
        expect.stringMatching(/^METRICS_TOKEN=[0-9a-f]{48}$/),
      ]),
    );
    expect(files["srv/stablegate/current"]).toMatch(/ releases\/1\.0\.0$/);
    expect(files["etc/caddy/stablegate.caddy"]).toMatch(/^pay\.shop\.example \{$/m);
    expect(files["etc/caddy/stablegate.caddy"]).not.toContain("pay.example.com");
    expect(files["etc/caddy/Caddyfile"]).toBe("644 import stablegate.caddy\n");
    expect(files["etc/systemd/system/stablegate.service"]).toContain("ExecStart=/srv/stablegate/stablegate\n");

    const second = install(...args);
    expect(second.output).toContain("Nothing to change.");
    expect(await snapshot()).toEqual(files);
    expect(install().output).toContain("Nothing to change.");
  },
);

test.runIf(isLinux)("a setting, a host name or a version that differs changes only what depends on it", async () => {
  const args = ["--package", await makePackage("1.0.0"), "--host", "pay.shop.example", "--set", RPC];
  expect(install(...args).status).toBe(0);
  await writeFile(
    path.join(root, "srv/stablegate/.env"),
    `${await readFile(path.join(root, "srv/stablegate/.env"), "utf8")}RETENTION_DAYS=90\n`,
  );
  const before = await snapshot();

  expect(install("--set", "BSC_RPC_URLS=https://bsc.example.com").status).toBe(0);
  const set = await snapshot();
  expect(changedFiles(before, set)).toEqual(["srv/stablegate/.env"]);
  expect(set["srv/stablegate/.env"]).toMatch(/^BSC_RPC_URLS=https:\/\/bsc\.example\.com$/m);
  expect(set["srv/stablegate/.env"]).toMatch(/^RETENTION_DAYS=90$/m);
  expect(set["srv/stablegate/.env"]?.match(/BSC_RPC_URLS/g)).toHaveLength(1);

  expect(install("--host", "pay.other.example").status).toBe(0);
  const moved = await snapshot();
  expect(changedFiles(set, moved)).toEqual(["etc/caddy/stablegate.caddy", "srv/stablegate/.env"]);

  expect(install("--package", await makePackage("1.1.0")).output).toContain("upgrade");
  expect(changedFiles(moved, await snapshot())).toEqual(
    expect.arrayContaining(["srv/stablegate/current", "srv/stablegate/releases/1.1.0/release.json"]),
  );
  const broken = install("--package", await makePackage("1.2.0", { name: "broken" }));
  expect(broken).toMatchObject({ status: 1, output: expect.stringContaining("the upgrade failed") });
});

test.runIf(isLinux)("a first run that was interrupted is completed by the next one", async () => {
  const home = path.join(root, "srv/stablegate");
  for (const name of ["releases/1.0.0/half", "incoming/releases"])
    await mkdir(path.join(home, name), { recursive: true });
  const args = ["--package", await makePackage("1.0.0"), "--host", "pay.shop.example", "--set", RPC];
  const result = install(...args);
  expect(result, result.output).toMatchObject({ status: 0 });
  expect(await readlink(path.join(home, "current"))).toBe("releases/1.0.0");
  expect(await readdir(path.join(home, "releases/1.0.0"))).toEqual(["release.json"]);
  expect((await readdir(home)).toSorted()).toEqual([".env", "current", "releases", "stablegate"]);
});

test.runIf(isLinux)("a host name in .env that Caddy cannot use is refused, unless Caddy is not used", async () => {
  const args = ["--package", await makePackage("1.0.0"), "--host", "pay.shop.example", "--set", RPC];
  expect(install(...args).status).toBe(0);
  const before = await snapshot();
  for (const url of ["http://pay.shop.example", "https://pay.shop.example {respond evil}"]) {
    await writeFile(path.join(root, "srv/stablegate/.env"), `PUBLIC_URL=${url}\n${RPC}\n`);
    const result = install();
    expect(result).toMatchObject({ status: 1, output: expect.stringContaining("PUBLIC_URL in /srv/stablegate/.env") });
    expect(install("--no-caddy").status).toBe(0);
    expect(changedFiles(before, await snapshot())).toEqual(["srv/stablegate/.env"]);
  }
});

test.runIf(isLinux)("the machine's other sites are kept, and a missing network is reported", async () => {
  await mkdir(path.join(root, "etc/caddy"), { recursive: true });
  await writeFile(path.join(root, "etc/caddy/Caddyfile"), ":80 {\n\tfile_server\n}\n");
  const result = install("--package", await makePackage("1.0.0"), "--host", "pay.shop.example");
  expect(result).toMatchObject({ status: 0, output: expect.stringContaining("No network is enabled") });
  expect((await snapshot())["etc/caddy/Caddyfile"]).toBe("644 :80 {\n\tfile_server\n}\nimport stablegate.caddy\n");
});

test.runIf(isLinux)(
  "a package with a wrong checksum or for another platform, and invalid options, are refused before any change",
  async () => {
    const altered = await makePackage("1.0.0");
    await writeFile(`${altered}.sha256`, `${"0".repeat(64)}  ${path.basename(altered)}\n`);
    const other = await makePackage("1.0.1", { platform: "darwin-arm64" });
    const host = ["--host", "pay.shop.example"];
    for (const [args, message] of [
      [["--package", altered, ...host], "does not match"],
      [["--package", other, ...host], "is for darwin-arm64, but this machine is"],
      [["--package", path.join(home, "absent.tar.gz"), ...host], "there is no file"],
      [["--host", "https://pay.shop.example"], "--host must be a host name"],
      [["--set", "lower=1"], "--set needs NAME=VALUE"],
      [["--set", "SMTP_URL=smtps://shop:pass#word@mail.example.com"], "the value of SMTP_URL contains #; add quotes"],
      [["--package", await makePackage("../1.0.3", { folder: "1.0.3" }), ...host], "has no valid version"],
      [["--hots", "x"], "unknown option --hots"],
      [host, "--package is required"],
      [["--package", await makePackage("1.0.2")], "--host is required"],
    ] as const) {
      const { status, output } = install(...args);
      expect(status, output).toBe(1);
      expect(output).toContain(message);
      expect(await snapshot()).toEqual({});
    }
  },
);

test("the script has no findings of shellcheck", () => {
  const { error, stdout } = spawnSync("shellcheck", [SCRIPT], { encoding: "utf8" });
  if (error) return console.info("skipped: shellcheck is not installed");
  expect(stdout).toBe("");
});
