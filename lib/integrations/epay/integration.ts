import type { Integration } from "@/lib/domain/integrations/integration";
import { epayCallbacks, epayReturn } from "@/lib/integrations/epay/callbacks";
import { epayDescription } from "@/lib/integrations/epay/description";

export const epay: Integration = {
  id: "epay",
  name: { en: "EPay", zh: "易支付 (EPay)" },
  callbacks: epayCallbacks,
  returnRule: { kind: "signed", sign: epayReturn },
  credentials: { publicId: "digits", key: "signing_key" },
  description: epayDescription,
};
