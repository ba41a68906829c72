import { afterEach, expect, test } from "vitest";
import { installNetworks, NETWORKS, type Token } from "@/lib/domain/networks";
import { methodsOn } from "@/lib/merchants/payment-methods";

afterEach(() => installNetworks(NETWORKS));

test("a disabled token is not offered, nor a network without another one", () => {
  const off = (token: Token): Token => ({ ...token, isOff: true });
  installNetworks(
    NETWORKS.map((network) => {
      if (network.id === "ethereum") return { ...network, tokens: network.tokens.map(off) };
      const tokens = network.tokens.map((token) => (token.currency === "USDC" ? off(token) : token));
      return network.id === "bsc" ? { ...network, tokens } : network;
    }),
  );
  const addressed = ["ethereum", "bsc", "tron"].map((network) => ({
    network,
    isOpen: network !== "tron",
    offMethods: [],
  }));
  const rpcUrls = new Map(addressed.map(({ network }) => [network, ["http://127.0.0.1:1"]]));
  expect(methodsOn(addressed, { rpcUrls })).toEqual([{ network: "bsc", currencies: ["USDT"] }]);
});
