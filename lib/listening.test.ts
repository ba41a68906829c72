import { createServer } from "node:net";
import { expect, test } from "vitest";
import { describeListening } from "@/lib/listening";

async function listeningOn(host: string) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  const found = describeListening(server.address());
  await new Promise((resolve) => server.close(resolve));
  return found;
}

test.each([
  ["127.0.0.1", "127.0.0.1", ""],
  ["0.0.0.0", "127.0.0.1", " (all IPv4 addresses of this machine)"],
  ["::1", "[::1]", ""],
  ["::", "[::1]", " (all IPv6 and IPv4 addresses of this machine)"],
])("%s is described as the address that the socket has", async (host, own, text) => {
  const { url, listensAt, port } = await listeningOn(host);
  expect(url).toBe(`http://${own}:${port}`);
  expect(listensAt).toBe(`http://${host.includes(":") ? `[${host}]` : host}:${port}${text}`);
});

test("a name is described as the address that it leads to", async () => {
  expect((await listeningOn("localhost")).listensAt).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
});

test("a socket of the file system is described by its path", () => {
  expect(describeListening("/run/stablegate.sock").listensAt).toBe("the socket /run/stablegate.sock");
});
