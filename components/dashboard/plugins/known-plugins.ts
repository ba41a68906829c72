import type { IntegrationId } from "@/lib/domain/integration-id";

/** Protocols that are offered on the page, in its order. */
export const OFFERED = ["epay", "epusdt", "greenfield"] as const satisfies readonly IntegrationId[];
export type OfferedIntegration = (typeof OFFERED)[number];

/** Where a person is asked whether an application may have a token. */
export const CONNECT_PAGE = "/dashboard/settings/plugins/connect";

/** Where each protocol is spoken, under the origin of the service. */
export const PATHS = {
  epay: "/epay/",
  epusdt: "/epusdt",
  greenfield: "/greenfield",
} as const satisfies Record<OfferedIntegration, string>;

/** What the key material of a protocol is called in its shops. */
export const TERMS = {
  epay: { url: "API URL", id: "PID", key: "KEY" },
  epusdt: { url: "API URL", id: "PID", key: "API token" },
  greenfield: { url: "BTCPay Server URL", id: "Store ID", key: "API key" },
} as const satisfies Record<OfferedIntegration, Record<"url" | "id" | "key", string>>;

/** What of a protocol a shop decides; where requests always name their currency there is none to choose. */
type Decided = "fiat" | "keyInUrl" | "expiration";
const DECIDED = {
  epay: ["fiat", "keyInUrl"],
  epusdt: ["fiat", "expiration"],
  greenfield: [],
} as const satisfies Record<OfferedIntegration, readonly Decided[]>;

/** Whether all that a protocol has to sign with is MD5 and a key behind the text. */
export const SIGNS_WEAKLY: Readonly<Record<OfferedIntegration, boolean>> = {
  epay: true,
  epusdt: true,
  greenfield: false,
};

/** Whether a shop decides this of a protocol. */
export function decides(integration: OfferedIntegration, what: Decided): boolean {
  return (DECIDED[integration] as readonly Decided[]).includes(what);
}

/** Whether a shop decides anything of a protocol. */
export function hasSettings(integration: OfferedIntegration): boolean {
  return DECIDED[integration].length > 0;
}

/** A form of a plugin: its fields by the names that they have there, each with what belongs in it. */
export interface KnownPlugin {
  name: string;
  /** `{url}` the address without a slash at its end, `{id}` and `{key}` the key material; other texts as they stand. */
  fields: readonly { label: string; value: string }[];
}

/** By the forms of the plugins' public sources; docs/plugins.md says which of them was run. */
export const KNOWN_PLUGINS: Readonly<Record<OfferedIntegration, readonly KnownPlugin[]>> = {
  epay: [
    {
      name: "V2Board",
      fields: [
        { label: "URL", value: "{url}" },
        { label: "PID", value: "{id}" },
        { label: "KEY", value: "{key}" },
      ],
    },
    {
      name: "Xboard",
      fields: [
        { label: "支付网关地址", value: "{url}" },
        { label: "商户ID", value: "{id}" },
        { label: "通信密钥", value: "{key}" },
      ],
    },
    {
      name: "SSPanel-UIM",
      fields: [
        { label: "网关地址", value: "{url}/" },
        { label: "商户ID", value: "{id}" },
        { label: "密钥", value: "{key}" },
      ],
    },
    {
      name: "dujiaoka (独角数卡)",
      fields: [
        { label: "商户 ID", value: "{id}" },
        { label: "商户 KEY", value: "{url}/submit.php" },
        { label: "商户密钥", value: "{key}" },
      ],
    },
    {
      name: "EpayCore SDK, go-epay",
      fields: [
        { label: "apiurl", value: "{url}/" },
        { label: "pid", value: "{id}" },
        { label: "key", value: "{key}" },
      ],
    },
  ],
  epusdt: [
    {
      name: "dujiaoka (独角数卡)",
      fields: [
        { label: "商户 ID", value: "{key}" },
        { label: "商户密钥", value: "{url}/api/v1/order/create-transaction" },
        { label: "支付处理路由", value: "pay/epusdt" },
      ],
    },
    {
      name: "dujiao-next (BEpusdt)",
      fields: [
        { label: "gateway_url", value: "{url}" },
        { label: "auth_token", value: "{key}" },
        { label: "trade_type", value: "usdt.trc20" },
      ],
    },
    {
      name: "Xboard BEpusdt",
      fields: [
        { label: "API 地址", value: "{url}" },
        { label: "API Token", value: "{key}" },
      ],
    },
    {
      name: "WooCommerce BEpusdt",
      fields: [
        { label: "BEpusdt API URL", value: "{url}" },
        { label: "API Token / Secret", value: "{key}" },
      ],
    },
    {
      name: "Epay-BEpusdt (彩虹易支付)",
      fields: [
        { label: "接口地址", value: "{url}/" },
        { label: "认证Token", value: "{key}" },
      ],
    },
  ],
  greenfield: [
    {
      name: "WooCommerce (BTCPay for WooCommerce V2)",
      fields: [
        { label: "BTCPay Server URL", value: "{url}" },
        { label: "BTCPay API Key", value: "{key}" },
        { label: "Store ID", value: "{id}" },
      ],
    },
    {
      // Only by the link beside it, which has it ask for a token by itself.
      name: "Magento 2",
      fields: [{ label: "BTCPay Base Url", value: "{url}" }],
    },
    {
      name: "OpenCart",
      fields: [
        { label: "BTCPay Server URL", value: "{url}" },
        { label: "BTCPay API Key", value: "{key}" },
        { label: "BTCPay Store ID", value: "{id}" },
      ],
    },
    {
      name: "GiveWP",
      fields: [
        { label: "BTCPay Server URL", value: "{url}" },
        { label: "Store ID", value: "{id}" },
        { label: "API Key", value: "{key}" },
      ],
    },
    {
      name: "XenForo 2",
      fields: [
        { label: "Host", value: "{url}" },
        { label: "API Key", value: "{key}" },
        // A webhook is made by the API, which answers its secret once.
        { label: "Secret", value: "POST {url}/api/v1/stores/{id}/webhooks → secret" },
        { label: "Store ID", value: "{id}" },
      ],
    },
  ],
};
