import type { Integration } from "@/lib/domain/integrations/integration";
import { greenfieldConnection } from "@/lib/integrations/greenfield/connection";
import { greenfieldDescription } from "@/lib/integrations/greenfield/description";
import { greenfieldCallbacks } from "@/lib/integrations/greenfield/webhook-events";

export const greenfield: Integration = {
  id: "greenfield",
  name: { en: "BTCPay Greenfield", zh: "BTCPay Greenfield" },
  callbacks: greenfieldCallbacks,
  returnRule: { kind: "plain", url: ({ redirectUrl, tradeId }) => redirectUrl.replace(/\{InvoiceId\}/gi, tradeId) },
  credentials: { publicId: "letters", key: "token" },
  description: greenfieldDescription,
  connection: greenfieldConnection,
};
