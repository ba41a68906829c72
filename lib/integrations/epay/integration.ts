import type { RoutedIntegration } from "@/lib/http/integration-routes";
import { epayCallbacks, epayReturn } from "@/lib/integrations/epay/callbacks";
import { epayDescription } from "@/lib/integrations/epay/description";
import { epayRoutes } from "@/lib/integrations/epay/routes";

export const epay: RoutedIntegration = {
  id: "epay",
  name: { en: "EPay", zh: "易支付 (EPay)", es: "EPay", ru: "EPay" },
  callbacks: epayCallbacks,
  returnRule: { kind: "signed", sign: epayReturn },
  credentials: { publicId: "digits", key: "signing_key" },
  description: epayDescription,
  routes: epayRoutes,
};
