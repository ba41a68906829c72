import { lookup } from "node:dns/promises";
import net from "node:net";
import { describeListening, type Listening } from "@/lib/listening";
import { StartProblem } from "@/scripts/supervisor/problem";

type Source = Readonly<Record<string, string | undefined>>;

/** A socket that is bound for all releases that run one after the other. Connections wait in it while no release accepts them. */
export interface HeldSocket {
  /** The file descriptor that a program inherits. */
  fd: number;
  /** The address of the socket; null if systemd opened it. */
  listening: Listening | null;
}

/** A bound handle of Node, which cluster uses to share a port. This process never listens on it, so it never accepts a connection. */
interface Handle {
  fd: number;
  getsockname(name: object): number;
}

type CreateHandle = (address: string, port: number, type: 4 | 6, fd: number, flags: number) => Handle | number;

const DEFAULT_PORT = 3_000;
const SYSTEMD_FD = 3;

/**
 * Binds the address in HOST and PORT, by the same rules as the web process. Uses the socket of systemd instead if there is one.
 * @returns null if the settings are invalid, so that the web process reports them
 * @throws StartProblem if the port is in use or may not be opened by this user
 */
export async function holdSocket(settings: Source): Promise<HeldSocket | null> {
  if (Number(settings["LISTEN_PID"]) === process.pid && settings["LISTEN_FDS"] === "1")
    return { fd: SYSTEMD_FD, listening: null };
  const port = Number(settings["PORT"]?.trim() || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return null;
  const isBehindProxy = Number(settings["TRUSTED_PROXIES"]?.trim() || 0) > 0;
  const host = settings["HOST"]?.trim() || (isBehindProxy ? "127.0.0.1" : "0.0.0.0");
  const found = await lookup(host).catch(() => null);
  const createHandle = (net as unknown as { _createServerHandle?: CreateHandle })._createServerHandle;
  if (!found || !createHandle) return null;
  const handle = createHandle(found.address, port, found.family === 6 ? 6 : 4, -1, 0);
  const name = { address: "", family: "", port: 0 };
  // Node reports that a port is in use only when it listens. The socket is then not bound, and has no port.
  const isBound = typeof handle !== "number" && handle.getsockname(name) === 0 && name.port !== 0;
  if (!isBound) throw new StartProblem(bindMessage(port, typeof handle === "number" ? handle : 0));
  return { fd: handle.fd, listening: describeListening(name) };
}

const EACCES = -13;

function bindMessage(port: number, code: number): string {
  return code === EACCES
    ? `Port ${port} cannot be opened by this user; choose one from 1024 on, for example: PORT=3000`
    : `Port ${port} is used by another program. Stop it, or choose another port, for example: PORT=${port + 1}`;
}
