import { findNetwork } from "@/lib/domain/networks";
import { COMMAND_LINE } from "@/lib/domain/networks/closure";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { reopenNetwork } from "@/lib/networks/close-network";
import { runCommand } from "@/scripts/installation/run-command";

/** `npm run reopen-network -- NAME`: reopens a closed network. It can run beside the installation, and can be repeated. */
async function run(): Promise<void> {
  const [name, ...rest] = process.argv.slice(2);
  if (!name || rest.length > 0) throw new Error("Specify one network, for example: npm run reopen-network -- bsc");
  const by = { userId: null, name: COMMAND_LINE };
  await runCommand("reopen-network", async ({ db, now }) => {
    const opened = await reopenNetwork(db, { network: name, by }, now);
    if ("problem" in opened) throw new Error(`Nothing was changed. ${inEnglish(opened.problem)}.`);
    const title = findNetwork(opened.network)?.name ?? opened.network;
    console.log(
      opened.isNew
        ? `${title} is open again. It takes orders once its worker has read up to the newest block.`
        : `${title} is not closed; nothing was changed.`,
    );
  });
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
