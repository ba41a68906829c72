import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { holdSocket } from "@/scripts/release/held-socket";

test("a free port is held without accepting connections", async () => {
  const held = await holdSocket({ HOST: "127.0.0.1", PORT: "0" });
  expect(held?.listening?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(held?.listening?.url ?? "")).rejects.toThrow("fetch failed");
});

test("a port in use and an address of another machine are reported; settings that are invalid are left to the web process", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(holdSocket({ HOST: "127.0.0.1", PORT: String(port) })).rejects.toThrow(
    `Port ${port} is used by another program`,
  );
  other.close();
  await expect(holdSocket({ HOST: "192.0.2.1", PORT: "0" })).rejects.toThrow(
    "HOST is 192.0.2.1, which is not an address",
  );
  expect(await holdSocket({ PORT: "many" })).toBeNull();
});
