import { z } from "zod";

/** Asks the node's HTTP API; answers are unparsed. */
export type TronAsk = (path: string, fields: Readonly<Record<string, unknown>>) => Promise<unknown>;

const Hash = z.string().regex(/^[0-9a-f]{64}$/i);
/** 20 bytes; some nodes write the 41 of TRON's addresses before them. */
const Address = z
  .string()
  .regex(/^(41)?[0-9a-f]{40}$/i)
  .transform((text) => `0x${text.slice(-40).toLowerCase()}`);
const Words = z.string().regex(/^([0-9a-f]{2})*$/i);

/** A header as /wallet/getblock serves it; the first block has no number. */
export const TronHeader = z.object({
  blockID: Hash,
  block_header: z.object({
    raw_data: z.object({
      number: z.number().int().nonnegative().default(0),
      parentHash: Hash.default("0".repeat(64)),
      /** Milliseconds. */
      timestamp: z.number().int().nonnegative().default(0),
    }),
  }),
});
export type TronHeader = z.infer<typeof TronHeader>;

export const TronBlock = TronHeader.extend({ transactions: z.array(z.object({ txID: Hash })).default([]) });
export type TronBlock = z.infer<typeof TronBlock>;

/** What a transaction did. A failed one has `result` FAILED at the top and another word than SUCCESS in its receipt. */
export const TronInfo = z.object({
  id: Hash,
  blockNumber: z.number().int().nonnegative().default(0),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(z.object({ address: Address, topics: z.array(Hash).default([]), data: Words.default("") })).default([]),
});
export type TronInfo = z.infer<typeof TronInfo>;

/** The answer of a trial call: hex words, or a code where there is no such contract. */
export const TronCall = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional() }),
  constant_result: z.array(Words).default([]),
});

/** What a node answers with HTTP 200 to what it does not have. */
export function isNothing(answer: unknown): boolean {
  return answer !== null && typeof answer === "object" && !Array.isArray(answer) && Object.keys(answer).length === 0;
}
