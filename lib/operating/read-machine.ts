import { readdir, stat, statfs } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { connect } from "node:tls";
import type { MachineFolders } from "@/lib/config/operating";
import type { Disk, MachineReport } from "@/lib/domain/operating/conditions";

/** The name pattern of a file that is still being written. */
const IS_DRAFT = /\.(?:draft|partial|part|tmp)$/i;
const HANDSHAKE_MS = 10_000;
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 300_000;

/** Reads the state of this machine. */
export type ReadMachine = (now: Date) => Promise<MachineReport>;

/**
 * Returns the machine reader of a process. A TLS handshake in the background reads the certificate once an hour, or five minutes after a
 * failure. Reading never waits for it.
 */
export function createMachineReader(publicUrl: string, folders: MachineFolders): ReadMachine {
  const readCertificate = createCertificateReader(new URL(publicUrl));
  return async (now) => {
    const { dataFolder, dumpFolder } = folders;
    const disks = await Promise.all([readDisk("data", dataFolder), readDisk("dumps", dumpFolder)]);
    const certificateEndsAt = readCertificate(now);
    return {
      disks: disks.flatMap((disk) => disk ?? []),
      ...(dumpFolder !== null && { lastDumpAt: await readLastDump(dumpFolder) }),
      ...(certificateEndsAt !== undefined && { certificateEndsAt }),
    };
  };
}

async function readDisk(folder: Disk["folder"], path: string | null): Promise<Disk | null> {
  if (path === null) return null;
  const found = await statfs(path).catch(() => null);
  if (!found || found.blocks === 0) return null;
  return { folder, freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
}

/**
 * Returns the modification time of the newest non-empty file in a folder, in Unix seconds; null if there is none. Files that are still
 * being written are ignored.
 */
async function readLastDump(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch((): string[] => []);
  const times = names
    .filter((name) => !IS_DRAFT.test(name) && !name.startsWith("."))
    .map(async (name) => {
      const found = await stat(path.join(folder, name)).catch(() => null);
      return found?.isFile() && found.size > 0 ? found.mtimeMs / 1_000 : null;
    });
  const all = (await Promise.all(times)).filter((time) => time !== null);
  return all.length === 0 ? null : Math.max(...all);
}

/**
 * Creates the certificate reader for a URL.
 * @returns a reader of the last known expiration: null while it is unknown, undefined if the URL uses http
 */
function createCertificateReader(url: URL): (now: Date) => number | null | undefined {
  if (url.protocol !== "https:") return () => undefined;
  let endsAt: number | null = null;
  let nextAt = 0;
  return (now) => {
    if (now.getTime() < nextAt) return endsAt;
    nextAt = now.getTime() + UNKNOWN_MS;
    void readCertificateEnd(url).then((found) => {
      if (found === null) return;
      endsAt = found;
      nextAt = now.getTime() + KNOWN_MS;
    });
    return endsAt;
  };
}

/** Returns the expiration of a server's certificate, in Unix seconds; null if none was received within ten seconds. */
export function readCertificateEnd(url: URL, timeoutMs = HANDSHAKE_MS): Promise<number | null> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    // Expired certificates must be detected, so they are accepted here. No data is sent over the connection.
    const names = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(url.port) || 443, ...names, rejectUnauthorized: false });
    const end = (found: number | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => end(null), timeoutMs);
    timer.unref();
    socket.once("secureConnect", () => {
      const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(endsAt) ? null : endsAt / 1_000);
    });
    socket.once("error", () => end(null));
  });
}
