import type { Noise, Reorg, Standstill } from "@/chaos/chains/chain";
import type { OrderScript, PartPlan } from "@/chaos/plan/order-scripts";
import type { Currency, Family } from "@/lib/domain/networks";

/** Where addresses of orders' own come from, besides those that were pasted. */
export const OWN_SOURCES = ["xpub", "receiver"] as const;
export type OwnSource = (typeof OWN_SOURCES)[number];

/** Who cancels orders: the merchant's server with its API key, or a user in the back office. */
export const CANCELLERS = ["apiKey", "user"] as const;
export type Canceller = (typeof CANCELLERS)[number];

export interface OrderPlan {
  index: number;
  network: string;
  currency: Currency;
  /** Whole tokens. */
  price: number;
  isDedicated: boolean;
  /** Where the merchant's addresses come from. */
  source: "pasted" | OwnSource;
  hasNotifyUrl: boolean;
  /** Created twice at the same moment. */
  isRepeated: boolean;
  script: OrderScript;
}

export interface PaymentPlan {
  order: number;
  part: PartPlan;
}

export type Step =
  | { kind: "create"; orders: OrderPlan[] }
  /** All in one transaction where they share network and currency. */
  | { kind: "pay"; payments: PaymentPlan[] }
  /** Cancels an order `afterMs` after the payments are sent, while they are mined. */
  | { kind: "cancel"; order: number; by: Canceller; payments: PaymentPlan[]; afterMs: number }
  | { kind: "noise"; noise: Noise; order: number }
  /** Of some addresses that had orders. */
  | { kind: "sweep"; network: string; source: OwnSource }
  | { kind: "mine"; network: string; blocks: number }
  /** Blocks take so long from now on. */
  | { kind: "pace"; network: string; blockMs: number }
  | { kind: "reorg"; network: string; how: Reorg; depth: number }
  /** A fault by its name; null heals the endpoint. */
  | { kind: "fault"; network: string; endpoint: number; fault: string | null }
  /** Null lets the chain go on. */
  | { kind: "hold"; network: string; what: Standstill | null }
  | { kind: "kill"; worker: number }
  /** Stopped where it stands, with whatever it has locked, and let go on. */
  | { kind: "freeze"; worker: number; ms: number }
  | { kind: "restartDatabase" }
  /** The database stops for so long while only one worker runs. */
  | { kind: "databaseOutage"; worker: number; ms: number }
  | { kind: "closeNetwork"; network: string }
  | { kind: "reopenNetwork"; network: string }
  | { kind: "dump" }
  /** The newest dump takes the place of the database. */
  | { kind: "restore" }
  | { kind: "rest"; ms: number };

export interface NetworkFacts {
  id: string;
  family: Family;
  currencies: readonly Currency[];
  deepest: number;
  /** Whether its blocks can become faster and slower. */
  hasPaces: boolean;
  noises: readonly Noise[];
  ownSources: readonly OwnSource[];
  standstills: readonly Standstill[];
  lies: readonly string[];
  endpoints: number;
}

/** What a plan needs to know of the world, and nothing else: the same facts and the same seed make the same plan. */
export interface PlanFacts {
  networks: readonly NetworkFacts[];
  transportFaults: readonly string[];
  workers: number;
}
