import { Halt, main, print } from "../machine/toolchain.mjs";
import { askHidden } from "./ask.mjs";

const USUAL = 20;
const MAX = 500;
/**
 * The highest index that the first account can have. The sum of this index and the count stays well below the limit of a hardened
 * derivation step.
 */
const HIGHEST = 1_000_000;
const USE = `For example: npm run addresses -- solana 20
This prints the addresses of accounts 0 to 19; a second number sets the first account.`;

/** Parses the command line. It accepts no seed phrase, which would appear in the shell's history and in the process list. */
function readArguments([chain, count = String(USUAL), first = "0", ...rest]) {
  if (chain !== "solana")
    throw new Halt(`The network must be solana, the only network that this command supports. ${USE}`);
  const isNumber = (text) => /^\d{1,7}$/.test(text);
  if (!isNumber(count) || !isNumber(first) || rest.length > 0)
    throw new Halt(
      `Expected a count and optionally the first account, nothing else. ${USE}\nIf you entered a recovery phrase, it is now in this shell's history. Move the funds of the wallet to a new one.`,
    );
  if (Number(count) < 1 || Number(count) > MAX) throw new Halt(`The count must be 1 to ${MAX}. ${USE}`);
  if (Number(first) > HIGHEST) throw new Halt(`The first account must be 0 to ${HIGHEST}. ${USE}`);
  return { count: Number(count), first: Number(first) };
}

/**
 * Returns the recovery phrase of a wallet: entered by the user, or newly generated and shown only on a terminal, where it is not stored.
 */
async function findWords({ newWords, readWords }) {
  const typed = await askHidden("The recovery phrase of the wallet (not shown), or Enter for a new wallet: ");
  if (typed.trim() !== "") {
    const words = readWords(typed);
    if (words) return words;
    throw new Halt(
      "Nothing was printed: this is not a valid recovery phrase (12 to 24 English words, the last one a checksum). Compare it with your written copy and run the command again.",
    );
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Halt(
      "Nothing was printed: the phrase of a new wallet is shown only on a terminal, and the output is not a terminal.",
    );
  const words = newWords();
  process.stderr.write(
    `\n${words}\n\nWrite these words on paper. They are not stored anywhere and are the only access to the funds.\n\n`,
  );
  if (readWords(await askHidden("Type them again (not shown): ")) !== words)
    throw new Halt(
      "Nothing was printed: the words differ from the ones shown. Run the command again to create another wallet.",
    );
  return words;
}

/** Loads the packages. This command installs nothing and uses no network. */
async function loadPackages() {
  try {
    return await import("./solana.mjs");
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Halt("The packages are not installed yet. Run npm ci first; after that this works offline.");
  }
}

// Derives addresses for the list in Settings, Receiving addresses. Only this script derives them: no program of the service has access to
// the recovery phrase.
await main(async () => {
  const { count, first } = readArguments(process.argv.slice(2));
  const solana = await loadPackages();
  const addresses = await solana.solanaAddresses(await findWords(solana), first, count);
  print(addresses.join("\n"));
});
