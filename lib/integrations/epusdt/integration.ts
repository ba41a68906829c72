import type { Integration } from "@/lib/domain/integrations/integration";
import { epusdtCallbacks } from "@/lib/integrations/epusdt/callbacks";
import { epusdtDescription } from "@/lib/integrations/epusdt/description";

export const epusdt: Integration = {
  id: "epusdt",
  name: { en: "epusdt / BEpusdt", zh: "epusdt / BEpusdt" },
  callbacks: epusdtCallbacks,
  returnRule: { kind: "plain", url: ({ redirectUrl }) => redirectUrl },
  credentials: { publicId: "digits", key: "signing_key" },
  description: epusdtDescription,
};
