import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { nameImage, writeDeployArchive } from "./deploy-archive.mjs";

const IMAGE = `ghcr.io/shop/stablegate:1.0.0@sha256:${"0f".repeat(32)}`;

test("the archive of a release names its image by the digest, in the files of Compose and of Kubernetes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-archive-"));
  try {
    const file = path.join(folder, "deploy.tar.gz");
    await writeDeployArchive(file, IMAGE);
    const { stdout } = spawnSync("tar", ["-xzvf", file, "-C", folder], { encoding: "utf8" });
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    const read = (name) => readFile(path.join(folder, `stablegate-deploy-${version}`, name), "utf8");
    expect(await read("deploy/compose.yaml")).toContain(`image: \${STABLEGATE_IMAGE:-${IMAGE}}`);
    const [name, tag] = IMAGE.split(/:(.*)/s);
    for (const one of ["base", "backup"])
      expect(await read(`deploy/kubernetes/${one}/kustomization.yaml`)).toContain(
        `newName: ${name}\n    newTag: ${tag}\n`,
      );
    const files = stdout.split("\n").filter((one) => /\.ya?ml$/.test(one));
    const texts = await Promise.all(files.map((one) => readFile(path.join(folder, one), "utf8")));
    expect(texts.length).toBeGreaterThan(8);
    expect(texts.filter((text) => text.includes("registry.example.com"))).toEqual([]);
    for (const one of [".env.example", "LICENSE", "deploy/install.sh", "deploy/caddy/Caddyfile"])
      expect(stdout.split("\n")).toContain(`stablegate-deploy-${version}/${one}`);
    expect(stdout).not.toMatch(/deploy\/secrets/);
    const { stdout: listed } = spawnSync("tar", ["--numeric-owner", "-tvzf", file], { encoding: "utf8" });
    for (const line of listed.trim().split("\n")) expect(line).toMatch(/^\S+ +(?:\d+ +)?0[/ ] *0 /);
    expect(listed).toMatch(/^-rwxr-xr-x .* \S+\/deploy\/install\.sh$/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an image without a digest is refused", () => {
  expect(() => nameImage("", "ghcr.io/shop/stablegate:1.0.0")).toThrow(/must have a tag and a digest/);
});
