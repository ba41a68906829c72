import type { RoutedIntegration } from "@/lib/http/integration-routes";
import { epayRsaCallbacks, epayRsaReturn } from "@/lib/integrations/epay-rsa/callbacks";
import { epayRsaDescription } from "@/lib/integrations/epay-rsa/description";
import { epayRsaRoutes } from "@/lib/integrations/epay-rsa/routes";

export const epayRsa: RoutedIntegration = {
  id: "epay-rsa",
  name: { en: "EPay V2 (RSA)", zh: "易支付 V2 (RSA)", es: "EPay V2 (RSA)", ru: "EPay V2 (RSA)" },
  callbacks: epayRsaCallbacks,
  returnRule: { kind: "signed", sign: epayRsaReturn },
  credentials: { publicId: "digits", key: "key_pair" },
  description: epayRsaDescription,
  routes: epayRsaRoutes,
};
