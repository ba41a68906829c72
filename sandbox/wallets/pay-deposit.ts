import type { Db } from "@/db/client";
import { listDepositPageRows } from "@/db/queries/deposits/deposit-page";
import { displayAddress } from "@/lib/domain/addresses/address";
import { isId } from "@/lib/domain/id";
import { parseUnits } from "@/lib/domain/money";
import { getNetwork } from "@/lib/domain/networks";
import { openWalletOn } from "@/sandbox/wallets/open-wallet";
import { PayProblem } from "@/sandbox/wallets/pay-order";

/** The amount, in whole tokens, that the sandbox sends to a deposit address. A deposit has no requested amount. */
const AMOUNT = "25";

/**
 * Sends 25 of the first token of its network to a deposit address, from the sandbox wallet; returns as soon as the transfer is sent.
 * @throws PayProblem if there is no such address
 */
export async function payDeposit(
  db: Db,
  rpcUrl: (networkId: string) => string | undefined,
  id: string,
): Promise<{ transactions: string[] }> {
  const [row] = isId(id) ? await listDepositPageRows(db, [id]) : [];
  if (!row) throw new PayProblem(`There is no deposit address ${id}. Its id is in the response of deposit-address`);
  const network = getNetwork(row.network);
  const token = network.tokens.find(({ isOff }) => !isOff);
  const url = rpcUrl(network.id);
  if (!url || !token) throw new PayProblem(`The sandbox has no local chain of ${network.name}`);
  const baseUnits = parseUnits(AMOUNT, token.decimals) ?? 0n;
  const wallet = await openWalletOn(network, url);
  const to = displayAddress(network.family, row.address);
  return { transactions: [await wallet.transfer({ contract: token.contract, to, baseUnits })] };
}
