import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTronChain, type TronChain } from "@/testing/chains/tron";

const folder = path.resolve(process.env["FIXTURES_DIR"] ?? "../shared/fixtures", "tron");
const hasFixtures = existsSync(folder);
if (!hasFixtures) console.warn(`Skipped: no recorded TRON data in ${folder}; set FIXTURES_DIR to where it is.`);
const read = (name: string): object => JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")) as object;

let chain: TronChain;
beforeAll(async () => {
  chain = await startTronChain();
});
afterAll(() => chain?.stop());

/** Returns the path of each field of a value with its format, such as "receipt.result: word". */
function fieldsOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${at}[]`));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, one]) => fieldsOf(one, at ? `${at}.${name}` : name));
  }
  return [`${at}: ${formOf(value)}`];
}

function formOf(value: unknown): string {
  if (typeof value !== "string") return typeof value;
  if (/^[A-Z_]+$/.test(value)) return "word";
  if (!/^[0-9a-f]*$/.test(value)) return "text";
  return [40, 42, 64].includes(value.length) ? `${value.length} digits` : "hex";
}

async function infoOf(txId: string): Promise<object> {
  const body = JSON.stringify({ value: txId.slice(2) });
  const answer = await fetch(`${chain.node.url}/wallet/gettransactioninfobyid`, { method: "POST", body });
  return (await answer.json()) as object;
}

test.skipIf(!hasFixtures)(
  "receipts have the fields of TRON's receipts in the same formats, including all that describe a transfer",
  async () => {
    const recorded = [
      ...(read("gettransactioninfobyblocknum-84940364.partial") as object[]),
      read("gettransactioninfobyid-out_of_energy"),
    ].map((info) => new Set(fieldsOf(info)));
    const known = new Set(recorded.flatMap((fields) => [...fields]));
    const paid = await chain.pay(`0x${"ab".repeat(20)}`, 5n);
    const failed = await chain.fail(`0x${"ab".repeat(20)}`);
    await chain.mine(2);
    const own = fieldsOf(await infoOf(paid));
    const ownFailed = fieldsOf(await infoOf(failed));
    for (const fields of [own, ownFailed]) expect(fields.filter((field) => !known.has(field))).toEqual([]);
    const transfers = recorded.filter((fields) => fields.has("log[].data: 64 digits"));
    const always = [...known].filter((field) => transfers.every((fields) => fields.has(field)));
    expect(always).toContain("contract_address: 42 digits");
    const isOfStake = (field: string) => /^receipt\.energy_(usage|penalty_total):/.test(field);
    expect(always.filter((field) => !own.includes(field) && !isOfStake(field))).toEqual([]);
    expect(ownFailed).toContain("result: word");
    expect(ownFailed.some((field) => field.startsWith("log"))).toBe(false);
  },
);
