import { access, chmod, constants, copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { capture } from "./processes.mjs";
import { Halt, inRoot, pathWithoutProject, print } from "./toolchain.mjs";

/** The folder of a promtool that was extracted from a package. */
const KEPT = inRoot("node_modules", ".cache", "promtool");

/**
 * Returns the path of a promtool that starts: PROMTOOL_PATH, one on this machine, or the one in Debian's package prometheus. The package
 * is unpacked, not installed. No Prometheus server starts, and no root is needed if apt's package lists are present.
 * @throws Halt that names what to install, if none can be obtained
 */
export async function findOrGetPromtool() {
  const found = (await findPromtool()) ?? (await unpackPromtool());
  if (found) return found;
  throw new Halt(
    "The tests of alert rules need promtool, which was not found: not in PATH, not from apt-get download prometheus. Install Prometheus, or set PROMTOOL_PATH to the program.",
    1,
  );
}

async function findPromtool() {
  const folders = pathWithoutProject().split(path.delimiter);
  const candidates = [process.env.PROMTOOL_PATH, ...folders.map((folder) => path.join(folder, "promtool")), KEPT];
  for (const candidate of candidates.filter(Boolean)) if (await doesStart(candidate)) return candidate;
  return null;
}

async function doesStart(file) {
  try {
    await access(file, constants.X_OK);
  } catch {
    return false;
  }
  const { code, output } = await capture(file, ["--version"]);
  return code === 0 && /promtool/.test(output);
}

async function unpackPromtool() {
  print("promtool is not on this machine; extracting it from Debian's package prometheus …");
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-promtool-"));
  try {
    await chmod(folder, 0o777);
    if (!(await download(folder)) && process.getuid?.() === 0) {
      await capture("apt-get", ["update"]);
      await download(folder);
    }
    const file = (await readdir(folder)).find((name) => name.endsWith(".deb"));
    if (!file) return null;
    await capture("dpkg-deb", ["-x", path.join(folder, file), path.join(folder, "unpacked")]);
    await mkdir(path.dirname(KEPT), { recursive: true });
    await copyFile(path.join(folder, "unpacked", "usr", "bin", "promtool"), KEPT);
    await chmod(KEPT, 0o755);
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return (await doesStart(KEPT)) ? KEPT : null;
}

async function download(folder) {
  const { code } = await capture("sh", ["-c", 'cd "$1" && apt-get download prometheus', "sh", folder]);
  return code === 0;
}
