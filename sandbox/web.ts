import { getContext } from "@/app/context";
import { EnvError, readEnv } from "@/lib/env";
import { payOrder } from "@/sandbox/wallets/pay-order";
import { createWalletDoor } from "@/sandbox/wallets/wallet-door";
import { startWeb, type WebServer } from "@/server";

/** The web process of the sandbox: the real one, and the button "Pay from the sandbox wallet". */
async function run(): Promise<void> {
  const env = readEnv(process.env);
  const pay = (tradeId: string) => payOrder(getContext().pool.db, (id) => env.rpcUrls.get(id)?.[0], tradeId);
  const door = createWalletDoor(pay, () => performance.now());
  stopOnSignals(await startWeb({ env, routes: [["POST", "/sandbox/pay/{tradeId}", door]] }));
}

function stopOnSignals(web: WebServer): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void web.close().finally(() => process.exit(0));
    });
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof EnvError || !(error instanceof Error) ? error : error.stack}\n`);
  process.exit(1);
});
