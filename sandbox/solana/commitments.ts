import { RpcProblem } from "@/sandbox/nodes/json-rpc-answer";

export type Commitment = "processed" | "confirmed" | "finalized";

/** The distance of each commitment from the head, in slots. */
export interface Lag {
  confirmed: number;
  finalized: number;
}

/**
 * The maximum distance of `finalized` from the head. It is shorter than the lifetime of a blockhash, so that the blockhash of a final
 * block is always valid.
 */
const MAX_FINALIZED_LAG = 100;

/** The kinds of halt: no slots pass, no slots are confirmed, or no slots become final. */
export const STANDSTILLS = ["head", "confirmed", "finalized"] as const;
export type Standstill = (typeof STANDSTILLS)[number];

/** The confirmed and finalized slots of the chain. They never decrease, regardless of the lag. */
export class Commitments {
  #lag: Lag;
  #confirmed: number;
  #finalized: number;
  /** The current halt; null if there is none. */
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

  /**
   * Sets the lag.
   * @throws RpcProblem if `finalized` exceeds its maximum or `confirmed` exceeds `finalized`
   */
  setLag(lag: Lag): void {
    this.#lag = checked(lag);
  }

  /** Makes confirmed slots final from now on, as under Alpenglow. */
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
  throw new RpcProblem(
    -32602,
    `finalized may lag at most ${MAX_FINALIZED_LAG} slots, and confirmed no more than finalized`,
  );
}
