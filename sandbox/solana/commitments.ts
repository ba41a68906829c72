import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";

export type Commitment = "processed" | "confirmed" | "finalized";

/** How many slots behind the head each commitment is. */
export interface Lag {
  confirmed: number;
  finalized: number;
}

/** Less than a blockhash lives, so that one of a final block can always be used. */
const MAX_FINALIZED_LAG = 100;

/** What does not go on: no slots pass at all, nothing is confirmed any more, or nothing gets final. */
export const STANDSTILLS = ["head", "confirmed", "finalized"] as const;
export type Standstill = (typeof STANDSTILLS)[number];

/** How far the chain is confirmed and finalized: never less far than before, whatever the lag. */
export class Commitments {
  #lag: Lag;
  #confirmed: number;
  #finalized: number;
  /** Null = everything goes on. */
  still: Standstill | null = null;
  #isOne = false;

  constructor(lag: Lag, finalized: number) {
    this.#lag = checked(lag);
    this.#confirmed = finalized;
    this.#finalized = finalized;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  get finalized(): number {
    return this.#finalized;
  }

  /** @throws RpcProblem for a lag that no chain has. */
  setLag(lag: Lag): void {
    this.#lag = checked(lag);
  }

  /** From now on what is confirmed is final, as under Alpenglow. */
  unite(): void {
    this.#isOne = true;
    this.#finalized = this.#confirmed;
  }

  follow(head: number): void {
    if (this.still === "confirmed" || (this.still === "finalized" && this.#isOne)) return;
    this.#confirmed = Math.max(this.#confirmed, head - this.#lag.confirmed);
    if (this.still === "finalized") return;
    const finalized = this.#isOne ? this.#confirmed : head - this.#lag.finalized;
    this.#finalized = Math.max(this.#finalized, finalized);
  }
}

function checked(lag: Lag): Lag {
  if (lag.finalized <= MAX_FINALIZED_LAG && lag.confirmed <= lag.finalized) return lag;
  throw new RpcProblem(-32602, `finalized lags at most ${MAX_FINALIZED_LAG} slots, confirmed at most as many`);
}
