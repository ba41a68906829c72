import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { genesisAccounts } from "@/sandbox/solana/accounts/mints";
import { readMint, readTokenAccount, toUiAmount } from "@/sandbox/solana/accounts/token-account";
import { type Address, address, type EncodedAccount, lamports, toBase58 } from "@/sandbox/solana/kit";
import { accountKeys, type SentTransaction } from "@/sandbox/solana/transactions/message";
import type { Loaded, Meta, TokenBalance } from "@/sandbox/solana/transactions/stored-transaction";
import { isIncluded, type TransactionError, toTransactionError } from "@/sandbox/solana/transactions/transaction-error";

/** The time at which transactions run. */
export interface BankTime {
  slot: number;
  unixTime: number;
  /** The recent blocks, newest first. A lookup table can be created only with the slot of a recent block. */
  recent: readonly { slot: number; hash: string }[];
}

export type Outcome = { included: true; meta: Meta } | { included: false; error: TransactionError; logs: string[] };

interface Simulation {
  error: TransactionError | null;
  logs: string[];
  unitsConsumed: number;
  account(key: string): EncodedAccount | null;
}

const SYSTEM_PROGRAM = address("11111111111111111111111111111111");
const FIRST_TABLE_ADDRESS = 56;
const ADDRESS_BYTES = 32;

/** The accounts of the chain at one moment, and the virtual machine that changes them. */
export class Bank {
  readonly #svm: LiteSVM;
  /** A cache of accounts by owner, valid since the last transaction. */
  readonly #owned = new Map<Address, EncodedAccount[]>();

  private constructor(svm: LiteSVM) {
    this.#svm = svm.withTransactionHistory(0n).withBlockhashCheck(false).withSigverify(true);
  }

  /** Creates the bank of a new chain. */
  static genesis(): Bank {
    const svm = new LiteSVM();
    for (const { owner, data, lamports: balance, ...rest } of genesisAccounts((space) =>
      svm.minimumBalanceForRentExemption(space),
    )) {
      const account = { ...rest, data, lamports: lamports(balance), programAddress: owner };
      svm.setAccount({ ...account, executable: false, space: BigInt(data.length) });
    }
    return new Bank(svm);
  }

  /** Restores the bank that `snapshot` saved. */
  static restore(snapshot: Uint8Array): Bank {
    return new Bank(LiteSVM.fromBytes(snapshot));
  }

  /**
   * Returns a snapshot as of slot 0. A restored machine counts programs as deployed in its own slot, so they would be missing in earlier
   * slots.
   */
  snapshot(): Uint8Array {
    const { slot } = this.#svm.getClock();
    this.#setSlot(0n);
    const bytes = this.#svm.toBytes();
    this.#setSlot(slot);
    return bytes;
  }

  account(key: string): EncodedAccount | null {
    const account = this.#svm.getAccount(address(key));
    return account.exists ? account : null;
  }

  programAccounts(program: Address): EncodedAccount[] {
    const owned = this.#owned.get(program) ?? this.#svm.getProgramAccounts(program);
    this.#owned.set(program, owned);
    return owned;
  }

  balance(key: string): number {
    return Number(this.#svm.getBalance(address(key)) ?? 0n);
  }

  rent(space: number): number {
    return Number(this.#svm.minimumBalanceForRentExemption(BigInt(space)));
  }

  decimals(mint: string): number {
    const account = this.account(mint);
    return (account && readMint(account)?.decimals) ?? 0;
  }

  /** Runs a transaction. Only an included transaction changes the state. */
  run(sent: SentTransaction, time: BankTime): Outcome {
    this.#owned.clear();
    this.#setTime(time);
    const loaded = this.loadedAddresses(sent);
    const keys = accountKeys(sent, loaded);
    const before = this.#balances(keys);
    const result = this.#svm.sendTransaction(sent.transaction);
    const error = result instanceof FailedTransactionMetadata ? toTransactionError(result) : null;
    const meta = result instanceof FailedTransactionMetadata ? result.meta() : result;
    if (error && !isIncluded(error)) return { included: false, error, logs: meta.logs() };
    const after = this.#balances(keys);
    const sum = (balances: readonly number[]) => balances.reduce((total, lamports) => total + BigInt(lamports), 0n);
    return {
      included: true,
      meta: {
        err: error,
        fee: Number(sum(before.lamports) - sum(after.lamports)),
        preBalances: before.lamports,
        postBalances: after.lamports,
        preTokenBalances: before.tokens,
        postTokenBalances: after.tokens,
        innerInstructions: innerInstructions(meta),
        logMessages: meta.logs(),
        loadedAddresses: loaded,
        computeUnitsConsumed: Number(meta.computeUnitsConsumed()),
      },
    };
  }

  /** Returns the effects of a transaction without executing it. */
  simulate(sent: SentTransaction, time: BankTime, { checkSignatures }: { checkSignatures: boolean }): Simulation {
    this.#setTime(time);
    this.#svm.withSigverify(checkSignatures);
    try {
      const result = this.#svm.simulateTransaction(sent.transaction);
      const isFailed = result instanceof FailedTransactionMetadata;
      const accounts = isFailed ? [] : result.postAccounts();
      return {
        error: isFailed ? toTransactionError(result) : null,
        logs: result.meta().logs(),
        unitsConsumed: Number(result.meta().computeUnitsConsumed()),
        account: (key) => accounts.find((account) => account.address === key) ?? this.account(key),
      };
    } finally {
      this.#svm.withSigverify(true);
    }
  }

  /** Returns the addresses that a transaction loads from lookup tables. */
  loadedAddresses(sent: SentTransaction): Loaded {
    const entries = (table: string, indexes: readonly number[]) => {
      const data = this.account(table)?.data ?? new Uint8Array(0);
      return indexes.map((index) => {
        const at = FIRST_TABLE_ADDRESS + ADDRESS_BYTES * index;
        return data.length >= at + ADDRESS_BYTES ? toBase58(data.slice(at, at + ADDRESS_BYTES)) : SYSTEM_PROGRAM;
      });
    };
    return {
      writable: sent.lookups.flatMap((table) => entries(table.accountKey, table.writableIndexes)),
      readonly: sent.lookups.flatMap((table) => entries(table.accountKey, table.readonlyIndexes)),
    };
  }

  #balances(keys: readonly string[]): { lamports: number[]; tokens: TokenBalance[] } {
    return {
      lamports: keys.map((key) => this.balance(key)),
      tokens: keys.flatMap((key, accountIndex) => {
        const account = this.account(key);
        const token = account && readTokenAccount(account);
        if (!token) return [];
        const { mint, owner, amount } = token;
        const uiTokenAmount = toUiAmount(amount, this.decimals(mint));
        return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount }];
      }),
    };
  }

  #setSlot(slot: bigint): void {
    const clock = this.#svm.getClock();
    clock.slot = slot;
    this.#svm.setClock(clock);
  }

  #setTime({ slot, unixTime, recent }: BankTime): void {
    const clock = this.#svm.getClock();
    clock.slot = BigInt(slot);
    clock.unixTimestamp = BigInt(unixTime);
    this.#svm.setClock(clock);
    this.#svm.setSlotHashes(recent.map(({ slot, hash }) => ({ slot: BigInt(slot), hash })));
  }
}

function innerInstructions(meta: ReturnType<FailedTransactionMetadata["meta"]>): Meta["innerInstructions"] {
  return meta.innerInstructions().flatMap((list, index) => {
    if (list.length === 0) return [];
    const instructions = list.map((inner) => {
      const instruction = inner.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: toBase58(instruction.data()),
        stackHeight: inner.stackHeight(),
      };
    });
    return [{ index, instructions }];
  });
}
