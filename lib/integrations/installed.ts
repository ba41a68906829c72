import { type Integrations, registerIntegrations } from "@/lib/domain/integrations/integration";
import { epay } from "@/lib/integrations/epay/integration";
import { epusdt } from "@/lib/integrations/epusdt/integration";
import { greenfield } from "@/lib/integrations/greenfield/integration";

/** The integrations of this installation, which entry points hand to the core. */
export const INSTALLED: Integrations = registerIntegrations([epay, epusdt, greenfield]);
