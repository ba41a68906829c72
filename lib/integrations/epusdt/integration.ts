import type { Integration } from "@/lib/domain/integrations/integration";
import { epusdtCallbacks } from "@/lib/integrations/epusdt/callbacks";

export const epusdt: Integration = {
  id: "epusdt",
  callbacks: epusdtCallbacks,
};
