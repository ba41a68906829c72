/** Ends this process with the message of an error. */
export function endWith(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Calls `stop` once at SIGTERM or SIGINT, and then ends this process. */
export function onSignal(stop: (signal: string) => Promise<unknown>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(signal).finally(() => process.exit(0));
    });
  }
}
