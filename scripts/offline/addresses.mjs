import { Halt, main, say } from "../machine/toolchain.mjs";
import { askHidden } from "./ask.mjs";

const USUAL = 20;
const MOST = 500;
/** The highest account that a hardened step can name, and then some for the count. */
const HIGHEST = 1_000_000;
const USE = `For example: npm run addresses -- solana 20
That prints the addresses of the accounts 0 to 19; a second number says with which account to begin.`;

/** Reads the command line. It takes no seed phrase, which would be in the shell's history and in the list of processes. */
function readArguments([chain, count = String(USUAL), first = "0", ...rest]) {
  if (chain !== "solana") throw new Halt(`Of which network? This knows solana alone. ${USE}`);
  const isNumber = (text) => /^\d{1,7}$/.test(text);
  if (!isNumber(count) || !isNumber(first) || rest.length > 0)
    throw new Halt(
      `How many, and from which account? Two numbers, nothing else. ${USE}\nIf those were the words of a wallet: they are in this shell's history now. Move what the wallet has to a new one.`,
    );
  if (Number(count) < 1 || Number(count) > MOST) throw new Halt(`From 1 to ${MOST} addresses at once. ${USE}`);
  if (Number(first) > HIGHEST) throw new Halt(`Begin with an account from 0 to ${HIGHEST}. ${USE}`);
  return { count: Number(count), first: Number(first) };
}

/** The words of a wallet: typed, or new and shown on a terminal alone, where nothing keeps them. */
async function findWords({ newWords, readWords }) {
  const typed = await askHidden("The words of the wallet (they are not shown), or Enter for a new wallet: ");
  if (typed.trim() !== "") {
    const words = readWords(typed);
    if (words) return words;
    throw new Halt(
      "Nothing was printed: those are not the words of a wallet (12 to 24 English words whose last one is a checksum). Compare them with your note and run it again.",
    );
  }
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Halt("Nothing was printed: a new wallet's words are shown on a terminal alone, and this is none.");
  const words = newWords();
  process.stderr.write(
    `\n${words}\n\nWrite these words on paper. They are kept nowhere, and are the only way to the money.\n\n`,
  );
  if (readWords(await askHidden("Type them once more (they are not shown): ")) !== words)
    throw new Halt("Nothing was printed: what you typed is not what was shown. Run it again for another wallet.");
  return words;
}

/** Nothing is installed by this command: it asks no network for anything. */
async function loadPackages() {
  try {
    return await import("./solana.mjs");
  } catch (error) {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Halt("Its packages are not installed yet. Run npm ci first; after that this needs no network.");
  }
}

// Addresses for the list of Settings, Receiving addresses, derived here and nowhere else: no program of the service knows these words.
await main(async () => {
  const { count, first } = readArguments(process.argv.slice(2));
  const solana = await loadPackages();
  const addresses = await solana.solanaAddresses(await findWords(solana), first, count);
  say(addresses.join("\n"));
});
