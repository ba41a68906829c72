import type { RoutedIntegration } from "@/lib/http/integration-routes";
import { greenfieldConnection } from "@/lib/integrations/greenfield/connection";
import { greenfieldDescription } from "@/lib/integrations/greenfield/description";
import { greenfieldRoutes } from "@/lib/integrations/greenfield/routes";
import { greenfieldCallbacks } from "@/lib/integrations/greenfield/webhook-events";

export const greenfield: RoutedIntegration = {
  id: "greenfield",
  name: { en: "BTCPay Greenfield", zh: "BTCPay Greenfield", es: "BTCPay Greenfield", ru: "BTCPay Greenfield" },
  callbacks: greenfieldCallbacks,
  returnRule: { kind: "plain", url: ({ redirectUrl, tradeId }) => redirectUrl.replace(/\{InvoiceId\}/gi, tradeId) },
  shownNumber: (echo) => echo["orderId"] || null,
  credentials: { publicId: "letters", key: "token" },
  description: greenfieldDescription,
  routes: greenfieldRoutes,
  connection: greenfieldConnection,
};
