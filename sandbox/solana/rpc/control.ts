import { z } from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/json-rpc-answer";
import type { Chain } from "@/sandbox/solana/chain";

const Count = z.number().int().min(1).max(1_000_000);
const Fork = z.object({ reinclude: z.boolean().default(true), skip: z.boolean().default(false) }).default({
  reinclude: true,
  skip: false,
});
const Lag = z.object({ confirmed: z.number().int().min(0), finalized: z.number().int().min(0) });
const Failure = z.object({
  count: z.number().int().min(0),
  code: z.number().int().default(-32603),
  message: z.string().default("Internal error"),
  /** Only calls of this method; null = any. */
  method: z.string().nullable().default(null),
});
type Failure = z.infer<typeof Failure>;

/** What only a local chain can be told to do. */
export interface Control {
  methods: [string, RpcMethod][];
  /** @throws RpcProblem when this call was told to fail. */
  failIfTold(method: string): void;
}

/**
 * solana_advance [slots] · solana_skip [slots] · solana_fork [depth, {reinclude, skip}] ·
 * solana_setLag [{confirmed, finalized}] · solana_failNext [{count, code, message, method}].
 * Each answers the head's slot.
 */
export function makeControl(chain: Chain, now: () => number): Control {
  let failure: Failure | null = null;
  const telling = (tell: (params: readonly unknown[]) => void): RpcMethod => {
    return (params) => {
      tell(params);
      return chain.slot("processed");
    };
  };
  return {
    methods: [
      ["solana_advance", telling(([slots = 1]) => chain.advance(Count.parse(slots), now()))],
      ["solana_skip", telling(([slots = 1]) => chain.skip(Count.parse(slots)))],
      ["solana_fork", telling(([depth, options]) => chain.fork(Count.parse(depth), Fork.parse(options)))],
      ["solana_setLag", telling(([lag]) => chain.setLag(Lag.parse(lag)))],
      [
        "solana_failNext",
        telling(([told]) => {
          failure = Failure.parse(told);
        }),
      ],
    ],
    failIfTold: (method) => {
      if (!failure || failure.count === 0 || (failure.method ?? method) !== method) return;
      failure = { ...failure, count: failure.count - 1 };
      throw new RpcProblem(failure.code, failure.message);
    },
  };
}
