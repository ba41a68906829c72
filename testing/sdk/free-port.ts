import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** Returns a port on loopback that was free a moment ago, for a program that chooses no port itself. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
