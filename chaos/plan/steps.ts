import type { Noise, Reorg, Standstill } from "@/chaos/chains/chain";
import type { OrderScript, PartPlan } from "@/chaos/plan/order-scripts";
import type { Currency, Family } from "@/lib/domain/networks";

/** The sources of dedicated addresses, except pasted ones. */
export const OWN_SOURCES = ["xpub", "receiver"] as const;
export type OwnSource = (typeof OWN_SOURCES)[number];

/** The actors that cancel orders: the merchant's server with its API key, or a user in the back office. */
export const CANCELLERS = ["apiKey", "user"] as const;
export type Canceller = (typeof CANCELLERS)[number];

export interface OrderPlan {
  index: number;
  network: string;
  currency: Currency;
  /** Whole tokens. */
  price: number;
  isDedicated: boolean;
  /** The source of the merchant's addresses. */
  source: "pasted" | OwnSource;
  hasNotifyUrl: boolean;
  /** True if the order is created twice at the same time. */
  isRepeated: boolean;
  script: OrderScript;
}

export interface PaymentPlan {
  order: number;
  part: PartPlan;
}

/**
 * The address that a customer enters for a refund: a new one, one that several refunds have, an address of another merchant, one where an
 * open order of another merchant asks for exactly the refunded amount, or an address of the merchant, which must be refused.
 */
export const REFUND_CLAIMS = ["customer", "regular", "otherShop", "openOrder", "ownShop"] as const;
export type RefundClaim = (typeof REFUND_CLAIMS)[number];

/** A refund of an order, or of an unmatched transfer of the order's merchant. */
export interface RefundPlan {
  index: number;
  order: number;
  isOfTransfer: boolean;
  /** The share of the amount that the order asked for, in percent; null for everything that is left. */
  percent: number | null;
  /** The number of requests, claims and approvals at the same time. */
  rivals: number;
  claim: RefundClaim;
  isOtherNetwork: boolean;
  /** True if the refund is cancelled, or reopened, while it is approved. */
  isDisputed: boolean;
}

/** The payment of a refund: exact, one transfer too many in the same transaction, too little, or on another network. */
export const REFUND_PAYMENTS = ["exact", "twice", "short", "otherNetwork"] as const;
export type RefundPayment = (typeof REFUND_PAYMENTS)[number];

export type Step =
  | { kind: "create"; orders: OrderPlan[] }
  /** All in one transaction where they share network and currency. */
  | { kind: "pay"; payments: PaymentPlan[] }
  /** Cancels an order `afterMs` after the payments are sent, while they are mined. */
  | { kind: "cancel"; order: number; by: Canceller; payments: PaymentPlan[]; afterMs: number }
  | { kind: "refund"; refund: RefundPlan }
  /** A payment of the approved refunds of a plan from the merchant's wallet. */
  | { kind: "payRefund"; refund: number; payment: RefundPayment }
  | { kind: "noise"; noise: Noise; order: number }
  /** A sweep of some addresses that had orders. */
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
  /** Stops a process (SIGSTOP) with all locks that it holds, and continues it later. */
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
  /** True if the network's block interval can change. */
  hasPaces: boolean;
  noises: readonly Noise[];
  ownSources: readonly OwnSource[];
  standstills: readonly Standstill[];
  falsifications: readonly string[];
  endpoints: number;
}

/** The facts that a plan depends on. The same facts and the same seed result in the same plan. */
export interface PlanFacts {
  networks: readonly NetworkFacts[];
  transportFaults: readonly string[];
  workers: number;
}
