import type { PluginForm } from "@/lib/domain/integrations/description";

/** The forms of plugins, from their public sources. docs/plugins.md describes the tests. */
export const EPAY_RSA_FORMS: readonly PluginForm[] = [
  {
    name: "EpayCore SDK (RSA)",
    fields: [
      { label: "apiurl", value: "{url}/" },
      { label: "pid", value: "{id}" },
      { label: "platform_public_key", value: "{platform_key}" },
      { label: "merchant_private_key", value: "{key}" },
    ],
  },
  {
    name: "彩虹易支付V2 (epayn)",
    fields: [
      { label: "接口地址", value: "{url}/" },
      { label: "商户ID", value: "{id}" },
      { label: "平台公钥", value: "{platform_key}" },
      { label: "商户私钥", value: "{key}" },
    ],
  },
];
