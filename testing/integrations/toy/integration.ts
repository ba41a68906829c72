import type { RoutedIntegration } from "@/lib/http/integration-routes";
import { toyCallbacks } from "@/testing/integrations/toy/callbacks";
import { toyDescription } from "@/testing/integrations/toy/description";
import { toyRoutes } from "@/testing/integrations/toy/routes";

/** The smallest complete integration: docs/integrations.md explains its parts. */
export const toy: RoutedIntegration = {
  id: "toy",
  name: { en: "Toy", zh: "玩具", es: "Juguete", ru: "Игрушка" },
  callbacks: toyCallbacks,
  returnRule: { kind: "plain", url: ({ redirectUrl, tradeId }) => `${redirectUrl}?order=${tradeId}` },
  credentials: { publicId: "digits", key: "signing_key" },
  description: toyDescription,
  routes: toyRoutes,
};
