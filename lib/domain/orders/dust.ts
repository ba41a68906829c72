/** The largest sum that can be dust, in millionths of a token: 0.1 token. */
const MAX_DUST_MICRO = 100_000n;
/** The divisor for the share of the amount below which a sum counts as dust: 1%. */
const PARTS = 100n;

/**
 * Returns the largest sum that counts as dust for an amount on a dedicated address, in base units: below 1% of the amount, and at most 0.1
 * token. Dust is recorded and counted but never changes the status, because anyone can send it to a public address.
 * @param unitsPerMicro base units in a millionth of the token
 */
export function maxDustUnits(dueUnits: bigint, unitsPerMicro: bigint): bigint {
  const belowShare = (dueUnits - 1n) / PARTS;
  const fixed = MAX_DUST_MICRO * unitsPerMicro;
  return belowShare < fixed ? belowShare : fixed;
}
