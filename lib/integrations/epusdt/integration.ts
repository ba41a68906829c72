import type { RoutedIntegration } from "@/lib/http/integration-routes";
import { epusdtCallbacks, epusdtReturn } from "@/lib/integrations/epusdt/callbacks";
import { epusdtDescription } from "@/lib/integrations/epusdt/description";
import { epusdtRoutes } from "@/lib/integrations/epusdt/routes";

export const epusdt: RoutedIntegration = {
  id: "epusdt",
  name: { en: "epusdt / BEpusdt", zh: "epusdt / BEpusdt", es: "epusdt / BEpusdt", ru: "epusdt / BEpusdt" },
  callbacks: epusdtCallbacks,
  returnRule: { kind: "signed", sign: epusdtReturn },
  credentials: { publicId: "digits", key: "signing_key" },
  description: epusdtDescription,
  routes: epusdtRoutes,
};
