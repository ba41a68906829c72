import { registerIntegrations } from "@/lib/domain/integrations/integration";
import type { RoutedIntegrations } from "@/lib/http/integration-routes";
import { epay } from "@/lib/integrations/epay/integration";
import { epayRsa } from "@/lib/integrations/epay-rsa/integration";
import { epusdt } from "@/lib/integrations/epusdt/integration";
import { greenfield } from "@/lib/integrations/greenfield/integration";

/** The integrations of this installation, in the order in which the back office lists them. Entry points pass them to the core. */
export const INSTALLED: RoutedIntegrations = registerIntegrations([epay, epayRsa, epusdt, greenfield]);
