import { z } from "zod";
import type { Endpoint } from "@/lib/chains/endpoints/endpoint";
import type { Endpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { Slot } from "@/lib/chains/solana/wire";

/** The certificate over the block with which Alpenglow began; null before (solana.com/docs/rpc/http/getaggenesiscert). */
const Certificate = z.object({ block: z.object({ slot: Slot.min(1) }) }).nullable();

const METHOD_NOT_FOUND = -32601;
const ASK_AGAIN_MS = 600_000;

/**
 * Knows whether validators still vote by transactions. With Alpenglow they do not, and blocks may be empty; the chain says
 * since which slot. It does not go back on that, so what an endpoint once said stays; silence, and a node that does not
 * know the method, mean "not yet", and are asked again ten minutes later.
 */
export function createConsensusReader(endpoints: Endpoints, now: () => Date) {
  /** The first slot without votes, as each endpoint tells it. */
  const begins = new Map<string, number>();
  const askAgainAt = new Map<string, Date>();

  async function ask(source: string): Promise<void> {
    askAgainAt.set(source, new Date(now().getTime() + ASK_AGAIN_MS));
    const parse = (result: unknown, endpoint: Endpoint) => {
      const certificate = Certificate.parse(result);
      if (certificate) begins.set(endpoint.name, certificate.block.slot + 1);
      return null;
    };
    const parseError = (code: number) => (code === METHOD_NOT_FOUND ? null : undefined);
    const request = { method: "getAgGenesisCert", params: [], except: source, feature: "consensusSwitch" as const };
    await endpoints
      .ask<null>({ ...request, parse, parseError, mustVerifyChainId: () => true })
      .catch(nothingIfChainError);
  }

  return {
    /** Whether a slot's block may be without votes, as somebody other than `source` says, who showed it so. */
    async hasNoVotes(slot: number, source: string): Promise<boolean> {
      const isKnown = () => [...begins].some(([name, first]) => name !== source && slot >= first);
      if (!isKnown() && (askAgainAt.get(source) ?? new Date(0)) <= now()) await ask(source);
      return isKnown();
    },
  };
}

function nothingIfChainError(error: unknown): null {
  if (error instanceof ChainError) return null;
  throw error;
}
