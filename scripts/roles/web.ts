import { getContext } from "@/app/context";
import { hasUsers } from "@/db/queries/people/users";
import { isDatabaseAway } from "@/db/unavailable";
import { readEnv } from "@/lib/env";
import { setUpCode } from "@/lib/merchants/vault";
import { startWeb, type WebServer } from "@/server";

/** `npm run web`: the web process in the foreground, until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const env = readEnv(process.env);
  const web = await startWeb({ env });
  stopOnSignals(web);
  console.log(`Stablegate listens at ${web.url}; payers and merchants reach it at ${env.publicUrl}`);
  if (await isUnclaimed()) {
    console.log(
      `Nobody is registered yet: open ${env.publicUrl}/register with the set-up code ${setUpCode(env.appSecret)}`,
    );
  }
}

async function isUnclaimed(): Promise<boolean> {
  try {
    return !(await hasUsers(getContext().pool.db));
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw new Error("The database is not set up for this version; run npm run migrate first", { cause: error });
  }
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
