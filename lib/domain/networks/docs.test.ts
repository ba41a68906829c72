import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NETWORKS, type Network } from "@/lib/domain/networks";
import { overrideNetwork } from "@/lib/domain/networks/override";

const PAGE = "docs/networks.md";
const text = readFileSync(PAGE, "utf8");
const lines = text.split("\n");

/** Returns the line of a network in the table of assumptions. */
function lineOf({ id, chainId, blockMs, finality, pace, explorer }: Network): string {
  const { by, depth, ms } = finality;
  const rule = ms === undefined ? `${depth} blocks` : `${depth} blocks and ${ms / 1_000} s`;
  const cells = [
    `\`${id}\``,
    chainId,
    `${blockMs / 1_000} s`,
    by === "finalized" ? `\`finalized\`, else ${rule}` : rule,
    `every ${pace.everyMs / 1_000} s, the last ${pace.behindMs / 1_000} s again`,
    `[${explorer.name}](${new URL(explorer.tx).origin})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

test("the facts on the operators' page equal those of the table", () => {
  const table = lines.slice(lines.findIndex((line) => line.startsWith("| id | chain id |")) + 2);
  expect(table.slice(0, NETWORKS.length)).toEqual(NETWORKS.map(lineOf));
  expect(table[NETWORKS.length]).toBe("");
});

test("the page has every network's name, its tokens, and the sources of its facts", () => {
  const ofNetwork = (start: string) => lines.find((line) => line.startsWith(start)) ?? "";
  for (const { id, name, standard, aliases, tokens } of NETWORKS) {
    const line = ofNetwork(`| \`${id}\` | ${aliases.map((alias) => `\`${alias}\``).join(", ")}`);
    expect(line).toContain(`${name} (${standard})`);
    expect(line.match(/USD[TC]\b/g)).toEqual(tokens.map(({ currency }) => currency));
    expect(ofNetwork(`- **${id}**: `)).not.toBe("");
  }
});

test("the page's example of a networks file is valid", () => {
  const [, json = "{}"] = text.match(/```json\n([\s\S]*?)```/) ?? [];
  const example: Record<string, object> = JSON.parse(json);
  expect(Object.keys(example)).toEqual(["bsc", "base"]);
  const rights = { mayLowerSafety: false, mayReplaceTokens: false };
  for (const [id, override] of Object.entries(example)) {
    const row = NETWORKS.find((network) => network.id === id);
    expect(row && overrideNetwork(row, override, rights)).toMatchObject({ problems: [] });
  }
});
