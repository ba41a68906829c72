import net from "node:net";
import { constants } from "node:os";
import { describeListening, type Listening } from "@/lib/listening";
import { StartProblem } from "@/scripts/supervisor/problem";

type Source = Readonly<Record<string, string | undefined>>;

/** A socket that is bound for all releases that run one after the other. Connections wait in it while no release accepts them. */
export interface HeldSocket {
  /** The file descriptor that a program inherits. */
  fd: number;
  /** The address of the socket; null if it is unknown. */
  listening: Listening | null;
}

/** A bound handle of Node, which cluster uses to share a port. This process never listens on it, so it never accepts a connection. */
interface Handle {
  fd: number;
  /** Absent for a socket of the file system, which systemd can open, too. */
  getsockname?(name: object): number;
}

type CreateHandle = (address: string, port: number, type: 4 | 6, fd: number, flags: number) => Handle | number;

const DEFAULT_PORT = 3_000;
const SYSTEMD_FD = 3;

/**
 * Binds the address in HOST and PORT, by the same rules as the web process. Uses the socket of systemd instead if there is one.
 * @returns null if the settings are invalid, so that the web process reports them
 * @throws StartProblem if the port is in use or may not be opened by this user, or if the address belongs to another machine
 */
export async function holdSocket(settings: Source): Promise<HeldSocket | null> {
  const createHandle = (net as unknown as { _createServerHandle?: CreateHandle })._createServerHandle;
  if (Number(settings["LISTEN_PID"]) === process.pid && settings["LISTEN_FDS"] === "1") {
    const given = createHandle?.("", 0, 4, SYSTEMD_FD, 0);
    return { fd: SYSTEMD_FD, listening: given && typeof given !== "number" ? addressOf(given) : null };
  }
  const port = Number(settings["PORT"]?.trim() || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return null;
  const isBehindProxy = Number(settings["TRUSTED_PROXIES"]?.trim() || 0) > 0;
  const host = settings["HOST"]?.trim() || (isBehindProxy ? "127.0.0.1" : "0.0.0.0");
  const found = await resolveHost(host);
  if (!found || !createHandle) return null;
  const handle = createHandle(found.address, port, found.family === 6 ? 6 : 4, -1, 0);
  const listening = typeof handle === "number" ? null : addressOf(handle);
  if (typeof handle === "number" || !listening)
    throw new StartProblem(bindMessage(host, port, typeof handle === "number" ? -handle : 0));
  return { fd: handle.fd, listening };
}

/**
 * Returns the address of a socket; null if it is not bound. Node reports that a port is in use only when it listens: such a socket is not
 * bound, and has no port.
 */
function addressOf(handle: Handle): Listening | null {
  const name = { address: "", family: "", port: 0 };
  return handle.getsockname?.(name) === 0 && name.port !== 0 ? describeListening(name) : null;
}

/** Returns the address of a host name, or null if it has none. */
async function resolveHost(host: string): Promise<{ address: string; family: number } | null> {
  const family = net.isIP(host);
  if (family !== 0) return { address: host, family };
  const { lookup } = await import("node:dns/promises");
  return lookup(host).catch(() => null);
}

function bindMessage(host: string, port: number, code: number): string {
  if (code === constants.errno.EADDRNOTAVAIL)
    return `HOST is ${host}, which is not an address of this machine; for all its addresses: HOST=0.0.0.0`;
  return code === constants.errno.EACCES
    ? `Port ${port} cannot be opened by this user; choose one from 1024 on, for example: PORT=3000`
    : `Port ${port} is used by another program. Stop it, or choose another port, for example: PORT=${port + 1}`;
}
