import { Halt, main, print } from "../machine/toolchain.mjs";
import { askHidden } from "./ask.mjs";

const USUAL = 20;
const MAX = 500;
/** The highest account that a hardened step can name, and then some for the count. */
const HIGHEST = 1_000_000;
const USE = `For example: npm run addresses -- solana 20
That prints the addresses of the accounts 0 to 19; a second number sets the first account.`;

/** Reads the command line. It takes no seed phrase, which would be in the shell's history and in the list of processes. */
function readArguments([chain, count = String(USUAL), first = "0", ...rest]) {
  if (chain !== "solana") throw new Halt(`The network must be solana, the only one that this supports. ${USE}`);
  const isNumber = (text) => /^\d{1,7}$/.test(text);
  if (!isNumber(count) || !isNumber(first) || rest.length > 0)
    throw new Halt(
      `Expected a count and optionally the first account, nothing else. ${USE}\nIf those were the words of a wallet, they are now in this shell's history. Move the funds of the wallet to a new one.`,
    );
  if (Number(count) < 1 || Number(count) > MAX) throw new Halt(`The count must be 1 to ${MAX}. ${USE}`);
  if (Number(first) > HIGHEST) throw new Halt(`Begin with an account from 0 to ${HIGHEST}. ${USE}`);
  return { count: Number(count), first: Number(first) };
}

/** The words of a wallet: typed, or new and shown on a terminal alone, where nothing keeps them. */
async function findWords({ newWords, readWords }) {
  const typed = await askHidden("The recovery phrase of the wallet (not shown), or Enter for a new wallet: ");
  if (typed.trim() !== "") {
    const words = readWords(typed);
    if (words) return words;
    throw new Halt(
      "Nothing was printed: this is not a valid recovery phrase (12 to 24 English words, the last one a checksum). Compare it with your note and run it again.",
    );
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Halt(
      "Nothing was printed: the phrase of a new wallet is shown only on a terminal, and the output is not one.",
    );
  const words = newWords();
  process.stderr.write(
    `\n${words}\n\nWrite these words on paper. They are not stored anywhere and are the only access to the money.\n\n`,
  );
  if (readWords(await askHidden("Type them again (not shown): ")) !== words)
    throw new Halt("Nothing was printed: the words differ from the ones shown. Run it again for another wallet.");
  return words;
}

/** Nothing is installed by this command: it asks no network for anything. */
async function loadPackages() {
  try {
    return await import("./solana.mjs");
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Halt("The packages are not installed yet. Run npm ci first; after that this works offline.");
  }
}

// Addresses for the list of Settings, Receiving addresses, derived here and nowhere else: no program of the service knows these words.
await main(async () => {
  const { count, first } = readArguments(process.argv.slice(2));
  const solana = await loadPackages();
  const addresses = await solana.solanaAddresses(await findWords(solana), first, count);
  print(addresses.join("\n"));
});
