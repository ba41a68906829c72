import type { PluginForm } from "@/lib/domain/integrations/description";

/** The forms of plugins, from their public sources. docs/plugins.md describes the tests. */
export const GREENFIELD_FORMS: readonly PluginForm[] = [
  {
    name: "WooCommerce (BTCPay for WooCommerce V2)",
    fields: [
      { label: "BTCPay Server URL", value: "{url}" },
      { label: "BTCPay API Key", value: "{key}" },
      { label: "Store ID", value: "{id}" },
    ],
  },
  {
    // The form contains only the URL. The link beside it requests a token.
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
      // The API creates the webhook and returns its secret once.
      { label: "Secret", value: "POST {url}/api/v1/stores/{id}/webhooks → secret" },
      { label: "Store ID", value: "{id}" },
    ],
  },
];
