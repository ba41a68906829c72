import { expect, test } from "vitest";
import { addressNetwork, clientAddress } from "@/lib/http/client-address";

test("without proxies the last entry counts, which the server itself wrote", () => {
  expect(clientAddress("203.0.113.9", 0)).toBe("203.0.113.9");
});

test("behind proxies the entry of the outermost counts, not what the client claims", () => {
  expect(clientAddress("1.1.1.1, 203.0.113.9", 1)).toBe("203.0.113.9");
  expect(clientAddress("1.1.1.1, 203.0.113.9, 10.0.0.2", 2)).toBe("203.0.113.9");
});

test("fewer entries than proxies, or none, still name somebody", () => {
  expect(clientAddress("203.0.113.9", 3)).toBe("203.0.113.9");
  expect(clientAddress(null, 1)).toBe("unknown");
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0DB8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s: a /64 of IPv6 is one household", (address, network) => {
  expect(addressNetwork(address)).toBe(network);
});
