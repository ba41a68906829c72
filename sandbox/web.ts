import { getContext } from "@/app/context";
import { EnvError, readEnv } from "@/lib/config/env";
import type { Route } from "@/lib/http/listener";
import { payDeposit } from "@/sandbox/wallets/pay-deposit";
import { payOrder } from "@/sandbox/wallets/pay-order";
import { createWalletHandler } from "@/sandbox/wallets/wallet-handler";
import { ROOT } from "@/scripts/root";
import { startWeb, type WebServer } from "@/server";

/** The web process of the sandbox: the production process plus the buttons "Pay from the sandbox wallet". */
async function run(): Promise<void> {
  const env = readEnv(process.env);
  const rpcUrl = (id: string) => env.rpcUrls.get(id)?.[0];
  const clock = () => performance.now();
  const payment = createWalletHandler("pay", (id) => payOrder(getContext().pool.db, rpcUrl, id), clock);
  const deposit = createWalletHandler("deposit", (id) => payDeposit(getContext().pool.db, rpcUrl, id), clock);
  const routes: Route[] = [
    ["POST", "/sandbox/pay/{id}", payment],
    ["POST", "/sandbox/deposit/{id}", deposit],
  ];
  stopOnSignals(await startWeb({ env, routes, folder: ROOT }));
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
