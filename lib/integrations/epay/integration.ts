import type { Integration } from "@/lib/domain/integrations/integration";
import { epayCallbacks } from "@/lib/integrations/epay/callbacks";

export const epay: Integration = {
  id: "epay",
  callbacks: epayCallbacks,
};
