import type { FailedTransactionMetadata } from "litesvm";

/** An error in Solana's JSON format: "BlockhashNotFound", {"InstructionError": [0, {"Custom": 1}]}. */
export type TransactionError = string | { [name: string]: unknown };

const INSTRUCTION_ERRORS =
  "GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError".split(
    " ",
  );
const TRANSACTION_ERRORS =
  "AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled".split(
    " ",
  );

/** Converts an error of litesvm, which numbers errors in the order of the lists above. */
export function toTransactionError(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "SanitizeFailure";
  if ("err" in error) return { InstructionError: [error.index, toInstructionError(error.err())] };
  if ("index" in error) return { DuplicateInstruction: error.index };
  const isRent = error.constructor.name === "TransactionErrorInsufficientFundsForRent";
  return {
    [isRent ? "InsufficientFundsForRent" : "ProgramExecutionTemporarilyRestricted"]: {
      account_index: error.accountIndex,
    },
  };
}

function toInstructionError(error: number | { code: number } | { msg: string }): TransactionError {
  if (typeof error === "number") return INSTRUCTION_ERRORS[error] ?? "GenericError";
  return "code" in error ? { Custom: error.code } : { BorshIoError: error.msg };
}

/** Returns true if a transaction with this error is still included in a block and pays its fee. */
export function isIncluded(error: TransactionError): boolean {
  return typeof error === "object" && ("InstructionError" in error || "InsufficientFundsForRent" in error);
}

/** Returns the error message that a node uses for this error. */
export function describeError(error: TransactionError): string {
  if (typeof error === "string") return WORDS.get(error) ?? sentence(error);
  const instruction = error["InstructionError"];
  if (!Array.isArray(instruction)) return sentence(Object.keys(error)[0] ?? "unknown error");
  const [index, reason] = instruction as [number, TransactionError];
  const custom = typeof reason === "object" ? reason["Custom"] : undefined;
  const text = typeof custom === "number" ? `custom program error: 0x${custom.toString(16)}` : sentence(String(reason));
  return `Error processing Instruction ${index}: ${text}`;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["AlreadyProcessed", "This transaction has already been processed"],
  ["AccountNotFound", "Attempt to debit an account but found no record of a prior credit."],
  ["BlockhashNotFound", "Blockhash not found"],
  ["InsufficientFundsForFee", "Insufficient funds for fee"],
]);

function sentence(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (email) => ` ${email.toLowerCase()}`);
}
