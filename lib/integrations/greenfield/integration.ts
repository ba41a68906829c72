import type { Integration } from "@/lib/domain/integrations/integration";
import { greenfieldCallbacks } from "@/lib/integrations/greenfield/webhook-events";

export const greenfield: Integration = {
  id: "greenfield",
  name: { en: "BTCPay Greenfield", zh: "BTCPay Greenfield" },
  callbacks: greenfieldCallbacks,
  returnRule: { kind: "plain", url: ({ redirectUrl, tradeId }) => redirectUrl.replace(/\{InvoiceId\}/gi, tradeId) },
};
