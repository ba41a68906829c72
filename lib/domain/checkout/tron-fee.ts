/**
 * The maximum fee of a transfer in sun, for an account without energy. A transfer to an account that never held the token uses about
 * 130,000 units of energy at 100 to 420 sun (developers.tron.network, resource model).
 */
export const TRON_FEE_LIMIT = 100_000_000;
