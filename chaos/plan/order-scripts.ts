import type { Random } from "@/chaos/plan/random";

/** Part of a payment for an order: a share of the requested amount plus ten-thousandths of a token. */
export interface PartPlan {
  /** The share of the requested amount, in percent. */
  percent: number;
  /** The amount to add, in ten-thousandths of a token. */
  plus: number;
  isOtherCurrency: boolean;
  isOtherNetwork: boolean;
  /** True if the transfer is sent twice in one transaction. */
  isDoubled: boolean;
  /** The number of rounds after the order was created. */
  afterRounds: number;
  /**
   * The time that must have passed before the transfer is sent: the order's expiry, or also the late window after it; null if there is
   * none.
   */
  isAfter: "expiry" | "lateWindow" | null;
}

export interface OrderScript {
  name: string;
  expiresInSeconds: number | null;
  /** True if the order's late window is short enough for the test to wait for its end. */
  isBrief: boolean;
  parts: PartPlan[];
}

/** The full amount of an order, sent immediately. */
export const EXACT: PartPlan = {
  percent: 100,
  plus: 0,
  isOtherCurrency: false,
  isOtherNetwork: false,
  isDoubled: false,
  afterRounds: 0,
  isAfter: null,
};
const HALF_A_TOKEN = 5_000;
/** The lifetime of a short order: long enough to create the order, short enough to wait for its expiry. */
const SHORT_SECONDS = 6;

const script = (name: string, ...parts: Partial<PartPlan>[]): OrderScript => ({
  name,
  expiresInSeconds: null,
  isBrief: false,
  parts: parts.map((part) => ({ ...EXACT, ...part })),
});
const short = (order: OrderScript): OrderScript => ({ ...order, expiresInSeconds: SHORT_SECONDS });

const SHARED_WEIGHTS = {
  exact: 40,
  never: 5,
  expired: 5,
  under: 6,
  over: 6,
  wrongCurrency: 5,
  wrongNetwork: 5,
  duplicate: 8,
  doubled: 4,
  late: 7,
  tooLate: 6,
  secondTry: 4,
} as const;

/** Returns the script for the payer of an order on a shared address. */
export function sharedScript(random: Random): OrderScript {
  const afterRounds = random.pick([0, 0, 0, 1, 1, 2]);
  const kind = random.weighted(SHARED_WEIGHTS);
  switch (kind) {
    case "exact":
      return script(kind, { afterRounds });
    case "never":
      return script(kind);
    case "expired":
      return short(script(kind));
    case "under":
      return script(kind, { plus: -HALF_A_TOKEN, afterRounds });
    case "over":
      return script(kind, { plus: HALF_A_TOKEN, afterRounds });
    case "wrongCurrency":
      return script(kind, { isOtherCurrency: true, afterRounds });
    case "wrongNetwork":
      return script(kind, { isOtherNetwork: true, afterRounds });
    case "duplicate":
      return script(kind, { afterRounds }, { afterRounds: afterRounds + random.int(0, 4) });
    case "doubled":
      return script(kind, { isDoubled: true, afterRounds });
    case "late":
      return short(script(kind, { isAfter: "expiry", afterRounds: 1 + random.int(1, 2) }));
    case "tooLate":
      return { ...short(script(kind, { isAfter: "lateWindow", afterRounds: 2 })), isBrief: true };
    case "secondTry":
      return script(kind, { plus: -HALF_A_TOKEN, afterRounds }, { afterRounds: afterRounds + 1 });
  }
}

const OWN_WEIGHTS = {
  exact: 4,
  short: 4,
  under: 2,
  over: 2,
  topUp: 4,
  wrongCurrency: 1,
  wrongNetwork: 2,
  never: 4,
} as const;

/** Returns the script for the payer of an order on a derived address, which later orders reuse. */
export function ownScript(random: Random): OrderScript {
  const afterRounds = random.pick([0, 0, 1]);
  const kind = random.weighted(OWN_WEIGHTS);
  switch (kind) {
    case "exact":
      return script(kind, { afterRounds });
    case "short":
      return script(kind, { plus: -HALF_A_TOKEN, afterRounds });
    case "under":
      return script(kind, { percent: 90, afterRounds });
    case "over":
      return script(kind, { percent: 130, afterRounds });
    case "topUp":
      return script(kind, { percent: 40, afterRounds }, { percent: 60, afterRounds: afterRounds + random.int(0, 3) });
    case "wrongCurrency":
      return script(kind, { isOtherCurrency: true, afterRounds });
    case "wrongNetwork":
      return script(kind, { isOtherNetwork: true, afterRounds });
    case "never":
      return short(script(kind));
  }
}

const DEDICATED_WEIGHTS = {
  exact: 4,
  under: 2,
  over: 2,
  topUp: 4,
  topUpOver: 2,
  wrongCurrency: 1,
  lateTopUp: 2,
} as const;

/** Returns the script for the payer of an order on a dedicated address, where transfers add up. */
export function dedicatedScript(random: Random): OrderScript {
  const afterRounds = random.pick([0, 0, 1]);
  const later = afterRounds + random.int(0, 3);
  const kind = random.weighted(DEDICATED_WEIGHTS);
  switch (kind) {
    case "exact":
      return script(kind, { afterRounds });
    case "under":
      return script(kind, { percent: 90, afterRounds });
    case "over":
      return script(kind, { percent: 130, afterRounds });
    case "topUp":
      return script(kind, { percent: 40, afterRounds }, { percent: 60, afterRounds: later });
    case "topUpOver":
      return script(kind, { percent: 50, afterRounds }, { percent: 75, afterRounds: later });
    case "wrongCurrency":
      return script(kind, { isOtherCurrency: true, afterRounds });
    case "lateTopUp":
      return short(
        script(kind, { percent: 25 }, { percent: 75, isAfter: "expiry", afterRounds: 1 + random.int(1, 2) }),
      );
  }
}
