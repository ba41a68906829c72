import type { Network } from "@/lib/domain/networks";
import type { Announcement } from "@/sandbox/announcement";
import type { LocalNode } from "@/sandbox/launcher/local-node";
import type { SandboxMerchant } from "@/sandbox/launcher/merchant";
import { commandOf } from "@/scripts/root";

interface World {
  baseUrl: string;
  shopUrl: string;
  databaseUrl: string;
  ratesControlUrl: string;
  post: { url: string; webhookUrl: string };
  merchant: SandboxMerchant;
  nodes: readonly LocalNode[];
  networks: readonly Network[];
}

/** Returns the announcement for other programs. */
export function announcementOf({ baseUrl, shopUrl, merchant, nodes, networks, ...world }: World): Announcement {
  const perNetwork = networks.map((network) => {
    const node = nodes.find(({ networkId }) => networkId === network.id);
    const tokens = network.tokens
      .filter(({ isOff }) => !isOff)
      .map(({ currency, contract, decimals }) => [currency, { contract, decimals }]);
    const receiving_address = merchant.addresses.get(network.id) ?? "";
    const urls = { rpc_url: node?.rpcUrl ?? "", control_url: node?.controlUrl ?? "" };
    return [network.id, { ...urls, tokens: Object.fromEntries(tokens), receiving_address }];
  });
  return {
    base_url: baseUrl,
    dashboard_url: `${baseUrl}/dashboard`,
    merchant: { email: merchant.email, password: merchant.password },
    api_key: merchant.apiKey,
    api_secret: merchant.apiSecret,
    database_url: world.databaseUrl,
    rates_control_url: world.ratesControlUrl,
    post_url: world.post.url,
    webhook_url: world.post.webhookUrl,
    shop_url: shopUrl,
    callbacks_url: `${shopUrl}/callbacks`,
    networks: Object.fromEntries(perNetwork),
  };
}

/** Returns the announcement for users: the URLs, how to sign in, and a first order that works as pasted. */
export function welcome(world: Announcement, folder: string, seconds: number): string {
  const rows: [string, string][] = [
    ["Demo shop", `${world.shop_url}   ← begin here: buy something, pay with one click`],
    ["Back office", world.dashboard_url],
    ["  email", world.merchant.email],
    ["  password", world.merchant.password],
    ["Mail, Telegram", `${world.post_url}   ← shows received messages`],
    ["API", `${world.base_url}/api/v1/pay`],
    ["  reference", `${world.base_url}/docs`],
    ["  key", world.api_key],
    ["Pay an order", `${commandOf("pay")} TRADE_ID`],
  ];
  const [network = "ethereum"] = Object.keys(world.networks);
  const order = JSON.stringify({
    currency: "USDT",
    network,
    amount: 12.5,
    notify_url: `${world.shop_url}/callbacks`,
    // The shop's address changes at every start, and orders with the same mch_order_id must have the same terms.
    mch_order_id: `first-order-${new URL(world.shop_url).port}`,
  });
  return [
    "",
    `Stablegate is ready (${seconds.toFixed(1)} s). Everything is local; no real money is used.`,
    "",
    ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    "",
    "Create a first order (paste into another terminal):",
    "",
    `  curl -s ${world.base_url}/api/v1/pay/order/add -H 'X-API-Key: ${world.api_key}' \\`,
    `    -H 'Content-Type: application/json' -d '${order}'`,
    "",
    `Ctrl-C stops everything. The data is kept in ${folder}; delete that folder to start over.`,
    "",
  ].join("\n");
}
