import { associatedAccount } from "@/lib/chains/solana-accounts";
import type { Network } from "@/lib/domain/networks";
import { watchedTokens } from "@/lib/domain/token";
import type { SolanaMemory } from "@/lib/transfers/solana-scan";

/** The token accounts of receiving addresses: the associated ones, each worked out once, and others that were found. */
export function tokenAccounts(network: Network, memory: SolanaMemory, owners: Iterable<string>): string[] {
  return [...owners].flatMap((owner) => {
    const known = memory.accounts.get(owner);
    if (known) return known;
    const accounts = [...watchedTokens(network).keys()].map((mint) => associatedAccount(owner, mint));
    memory.accounts.set(owner, accounts);
    return accounts;
  });
}
