import { expect, test } from "vitest";
import { countedNetworks } from "@/lib/domain/users/request-origin";

test("tries from IPv6 are counted for the /64 and for the /48 around it, those from IPv4 for the address", () => {
  expect(countedNetworks("192.0.2.1")).toEqual([{ network: "192.0.2.1", times: 1 }]);
  expect(countedNetworks("2001:db8:1:2::/64")).toEqual([
    { network: "2001:db8:1:2::/64", times: 1 },
    { network: "2001:db8:1::/48", times: 4 },
  ]);
  expect(countedNetworks("unknown")).toEqual([{ network: "unknown", times: 1 }]);
});
