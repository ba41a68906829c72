import { encodeAbiParameters, type Hex, keccak256, toHex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";

/** The mnemonic whose accounts local chains usually fund with test tokens; its keys are public. */
export const PAYERS_MNEMONIC = "test test test test test test test test test test test junk";

/** The number of payers: few enough to fund quickly, but enough that concurrent programs seldom use the same account. */
export const PAYERS_COUNT = 8;

/** The balance of each payer in base units of every token: more than any test spends. */
export const PLENTY = 10n ** 40n;

/** The storage slot of TestToken.balanceOf, the fifth variable of the contract. */
const BALANCE_SLOT = 4n;

/** Returns a payer with its key. */
export function payerAccount(index: number): HDAccount {
  return mnemonicToAccount(PAYERS_MNEMONIC, { addressIndex: index });
}

/** Returns the storage slot of an address's balance in a TestToken, and its value for `baseUnits`. */
export function balanceEntry(address: Hex, baseUnits: bigint): { slot: Hex; value: Hex } {
  const key = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [address, BALANCE_SLOT]);
  return { slot: keccak256(key), value: toHex(baseUnits, { size: 32 }) };
}
