import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { StartProblem } from "@/scripts/supervisor/problem";

const DEFAULT_PORT = "3000";

/**
 * Returns the port of the web process, from PORT: 3000 by default; 0 selects a free one.
 * @throws StartProblem if it is not a valid port or another program listens on it
 */
export async function chooseWebPort(text: string | undefined, host: string): Promise<number> {
  const typed = text?.trim() || DEFAULT_PORT;
  const port = Number(typed);
  if (!/^\d+$/.test(typed) || port > 65_535)
    throw new StartProblem(
      `PORT is "${typed}", which is not a port: use a number from 1 to 65535, or 0 for a free one`,
    );
  const opened = await tryPort(port, host);
  if (typeof opened === "number" && !(await isServedOnIpv6(opened))) return opened;
  if (opened === "EACCES")
    throw new StartProblem(
      `Port ${port} needs more privileges than this account has. Choose another: PORT=3100 npm start`,
    );
  throw new StartProblem(
    `Port ${port} is used by another program. Choose another: PORT=${port === 3100 ? 3200 : 3100} npm start (PORT=0 selects a free one)`,
  );
}

async function tryPort(port: number, host: string): Promise<number | string> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "EADDRINUSE";
  } finally {
    server.close();
  }
}

/** Returns true if a program listens on this port of [::1]. It would receive the browser's requests to localhost. */
async function isServedOnIpv6(port: number): Promise<boolean> {
  const socket = connect({ port, host: "::1" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
