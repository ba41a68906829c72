import type { PluginForm } from "@/lib/domain/integrations/description";

/** The forms of plugins, from their public sources. docs/plugins.md describes the tests. */
export const EPUSDT_FORMS: readonly PluginForm[] = [
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
  {
    name: "wordpress-epusdt (GMPay)",
    fields: [
      { label: "API 地址", value: "{url}" },
      { label: "PID", value: "{id}" },
      { label: "密钥", value: "{key}" },
    ],
  },
  {
    name: "epusdt Python SDK (GMPay)",
    fields: [
      { label: "base_url", value: "{url}" },
      { label: "pid", value: "{id}" },
      { label: "secret_key", value: "{key}" },
    ],
  },
  {
    name: "bepusdt Python SDK",
    fields: [
      { label: "api_url", value: "{url}" },
      { label: "api_token", value: "{key}" },
    ],
  },
];
