import * as z from "zod";
import { type RpcMethod, RpcProblem } from "@/sandbox/nodes/json-rpc-answer";
import type { Chain } from "@/sandbox/solana/chain";
import { STANDSTILLS } from "@/sandbox/solana/commitments";
import { Age, type Manners } from "@/sandbox/solana/rpc/age";
import { Signature } from "@/sandbox/solana/rpc/params";

const At = z.number().int().nonnegative().optional();
const Count = z.number().int().min(1).max(1_000_000);
const Fork = z.object({ reinclude: z.boolean().default(true), skip: z.boolean().default(false) }).default({
  reinclude: true,
  skip: false,
});
const Lag = z.object({ confirmed: z.number().int().min(0), finalized: z.number().int().min(0) });
const Still = z.enum(STANDSTILLS).nullable();
const Failure = z.object({
  count: z.number().int().min(0),
  code: z.number().int().default(-32603),
  message: z.string().default("Internal error"),
  /** The method whose calls fail; null for all methods. */
  method: z.string().nullable().default(null),
});
type Failure = z.infer<typeof Failure>;
/** A version is one byte whose highest bit marks it as a version. */
const Version = z.number().int().min(2).max(127).nullable().default(2);

/** The control calls that only a local chain has. */
export interface Control {
  methods: [string, RpcMethod][];
  /**
   * Fails the call if a failure was requested.
   * @throws RpcProblem if a failure of this call was requested
   */
  failIfRequested(method: string): void;
}

/**
 * Returns the control calls: solana_advance [slots, timestamp in ms since 1970 (default: now)] · solana_skip [slots] · solana_fork [depth,
 * {reinclude, skip}] · solana_setLag [{confirmed, finalized}] · solana_failNext [{count, code, message, method}] · solana_hold ["head" |
 * "confirmed" | "finalized" | null] · solana_switchToAlpenglow · solana_setAge [{highestVersion, unknownFilter, isBefore43}] ·
 * solana_setUnreadable [signature, version | null]. Each call returns the head's slot.
 */
export function makeControl(chain: Chain, manners: Manners, now: () => number): Control {
  let failure: Failure | null = null;
  const withParams = (notify: (params: readonly unknown[]) => void): RpcMethod => {
    return (params) => {
      notify(params);
      return chain.slot("processed");
    };
  };
  return {
    methods: [
      ["solana_advance", withParams(([slots = 1, at]) => chain.advance(Count.parse(slots), At.parse(at) ?? now()))],
      ["solana_skip", withParams(([slots = 1]) => chain.skip(Count.parse(slots)))],
      ["solana_fork", withParams(([depth, options]) => chain.fork(Count.parse(depth), Fork.parse(options)))],
      ["solana_setLag", withParams(([lag]) => chain.setLag(Lag.parse(lag)))],
      [
        "solana_failNext",
        withParams(([reported]) => {
          failure = Failure.parse(reported);
        }),
      ],
      ["solana_hold", withParams(([still]) => chain.hold(Still.parse(still), now()))],
      ["solana_switchToAlpenglow", withParams(() => chain.switchToAlpenglow())],
      [
        "solana_setAge",
        withParams(([age = {}]) => {
          manners.age = Age.parse(age);
        }),
      ],
      [
        "solana_setUnreadable",
        withParams(([named, reported]) => {
          const signature = Signature.parse(named);
          const version = Version.parse(reported);
          if (version === null) manners.unreadable.delete(signature);
          else manners.unreadable.set(signature, version);
        }),
      ],
    ],
    failIfRequested: (method) => {
      if (!failure || failure.count === 0 || (failure.method ?? method) !== method) return;
      failure = { ...failure, count: failure.count - 1 };
      throw new RpcProblem(failure.code, failure.message);
    },
  };
}
