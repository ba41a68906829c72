import type { Integration } from "@/lib/domain/integrations/integration";
import { greenfieldCallbacks } from "@/lib/integrations/greenfield/webhook-events";

export const greenfield: Integration = {
  id: "greenfield",
  callbacks: greenfieldCallbacks,
};
