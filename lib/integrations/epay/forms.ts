import type { PluginForm } from "@/lib/domain/integrations/description";

/** The forms of plugins, from their public sources. docs/plugins.md describes the tests. */
export const EPAY_FORMS: readonly PluginForm[] = [
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
];
