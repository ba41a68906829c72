import * as z from "zod";

/** A function that queries the node's HTTP API and returns the unparsed response. */
export type TronAsk = (path: string, fields: Readonly<Record<string, unknown>>) => Promise<unknown>;

const Hash = z.string().regex(/^[0-9a-f]{64}$/i);
/** An address of 20 bytes; some nodes prepend the byte 0x41 of TRON's addresses. */
const Address = z
  .string()
  .regex(/^(41)?[0-9a-f]{40}$/i)
  .transform((text) => `0x${text.slice(-40).toLowerCase()}`);
const INVALID_HEIGHT = "blockID, and number, parentHash and timestamp of raw_data, do not belong to one block";
const Words = z.string().regex(/^([0-9a-f]{2})*$/i);

const headerShape = {
  blockID: Hash,
  block_header: z.object({
    raw_data: z.object({
      number: z.number().int().nonnegative().default(0),
      parentHash: Hash.default("0".repeat(64)),
      /** Milliseconds since the Unix epoch. */
      timestamp: z.number().int().nonnegative().default(0),
    }),
  }),
};

/** A header as /wallet/getblock returns it; only the first block has no number. A block's id begins with its height. */
export const TronHeader = z.object(headerShape).refine(hasItsHeight, INVALID_HEIGHT);
export type TronHeader = z.infer<typeof TronHeader>;

export const TronBlock = z
  .object({ ...headerShape, transactions: z.array(z.object({ txID: Hash })).default([]) })
  .refine(hasItsHeight, INVALID_HEIGHT);
export type TronBlock = z.infer<typeof TronBlock>;

/**
 * The effects of a transaction. A failed one has `result` FAILED at the top level and a `receipt.result` other than
 * SUCCESS.
 */
const infoShape = z.object({
  id: Hash,
  blockNumber: z.number().int().nonnegative().default(0),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(z.object({ address: Address, topics: z.array(Hash).default([]), data: Words.default("") })).default([]),
});

/** The effects of a transaction, checked: a failed one has no logs, and one with logs has the result SUCCESS. */
export const TronInfo = infoShape.refine(
  ({ result, receipt, log }) => log.length === 0 || (result !== "FAILED" && receipt.result === "SUCCESS"),
  {
    path: ["receipt", "result"],
    message: "logs of a failed transaction",
  },
);
export type TronInfo = z.infer<typeof TronInfo>;

/** The response of a constant call: hex data, or an error code if there is no such contract. */
export const TronCall = z
  .object({
    result: z.object({ result: z.boolean().optional(), code: z.string().optional() }),
    constant_result: z.array(Words).default([]),
  })
  .refine(({ result, constant_result }) => result.code !== undefined || constant_result.length > 0, {
    path: ["constant_result"],
    message: "neither a result nor an error code",
  });

/** Returns true if a block's id contains its height. The parent id of the first block contains none. */
function hasItsHeight({
  blockID,
  block_header,
}: {
  blockID: string;
  block_header: { raw_data: { number: number; parentHash: string; timestamp: number } };
}): boolean {
  const { number, parentHash, timestamp } = block_header.raw_data;
  return heightOf(blockID) === number && (number === 0 || (heightOf(parentHash) === number - 1 && timestamp > 0));
}

function heightOf(id: string): number {
  return Number.parseInt(id.slice(0, 16), 16);
}

/** Returns true for `{}`, which a node returns with HTTP 200 for missing data. */
export function isNothing(answer: unknown): boolean {
  return answer !== null && typeof answer === "object" && !Array.isArray(answer) && Object.keys(answer).length === 0;
}
