import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { chooseWebPort } from "@/sandbox/launcher/ports";

let other: Server | undefined;
afterEach(() => {
  other?.close();
});

async function occupy(host: string): Promise<number> {
  other = createServer().listen(0, host);
  await once(other, "listening");
  return (other.address() as AddressInfo).port;
}

test("0 takes a free port", async () => {
  expect(await chooseWebPort("0", "127.0.0.1")).toBeGreaterThan(0);
});

test("a port that another program has is named, with another to try", async () => {
  const port = await occupy("127.0.0.1");
  await expect(chooseWebPort(String(port), "127.0.0.1")).rejects.toThrow(
    `Port ${port} is used by another program. Choose another: PORT=3100 npm start`,
  );
});

test.each(["abc", "70000", "-1", "3000.5"])("%s is no port", async (text) => {
  await expect(chooseWebPort(text, "127.0.0.1")).rejects.toThrow(`PORT is "${text}", which is not a port`);
});
