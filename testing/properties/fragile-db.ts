import { AsyncLocalStorage } from "node:async_hooks";
import { type DbPool, openDb } from "@/db/client";

/** The error of a process that crashed: all its later statements fail too. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** A process that crashes once it has sent this number of statements. */
interface CrashingProcess {
  statementsLeft: number;
}

const crashing = new AsyncLocalStorage<CrashingProcess>();

/**
 * Runs work in a process that crashes before the statement with the number `statement`, counted from 1. PostgreSQL rolls back the open
 * transactions. Every later statement of this process fails as well, even after this function has thrown. Neither concurrent work nor code
 * that catches errors of single rows can therefore continue.
 * @throws Crash, or an error with it as its cause
 */
export function crashBefore<T>(statement: number, work: () => Promise<T>): Promise<T> {
  return crashing.run({ statementsLeft: statement - 1 }, work);
}

/** Opens a pool whose statements fail in processes that crashed. */
export function openFragileDb(url: string): DbPool {
  const watch = () => {
    const process = crashing.getStore();
    if (process?.statementsLeft === 0) throw new Crash("The process crashed before this statement");
    if (process) process.statementsLeft -= 1;
    return () => {};
  };
  return openDb(url, { work: "none", max: 4, applicationName: "stablegate-test", watch, preparesRepeated: true });
}
