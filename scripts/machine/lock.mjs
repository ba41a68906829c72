import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { inRoot, print } from "./toolchain.mjs";

/** Runs `work` under a lock of this checkout, across all processes; a lock whose process died is taken over. */
export async function withLock(name, waiting, work) {
  const file = inRoot(".build", "locks", name);
  const mine = `${process.pid} ${performance.timeOrigin} ${Math.random()}`;
  await mkdir(path.dirname(file), { recursive: true });
  let hasPrintedWait = false;
  while (!(await create(file, mine))) {
    const theirs = await read(file);
    if (theirs === null || (await takeOver(file, theirs))) continue;
    if (!hasPrintedWait) print(waiting);
    hasPrintedWait = true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const release = () => rm(file, { force: true });
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Removes the lock of a dead process. Only one process can remove a given lock, and only while it is unchanged. */
async function takeOver(file, theirs) {
  if (isAlive(Number(theirs.split(" ")[0]))) return false;
  const claim = `${file}.${theirs.replace(/\W/g, "-")}`;
  if (!(await create(claim, ""))) return false;
  if ((await read(file)) === theirs) await rm(file, { force: true });
  await rm(claim, { force: true });
  return true;
}

async function create(file, text) {
  try {
    await writeFile(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

const read = (file) => readFile(file, "utf8").catch(() => null);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
