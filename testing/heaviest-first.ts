import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take the longest, longest first. */
export const HEAVIEST = [
  "testing/properties/money.",
  "lib/chains/tron/contract-json-rpc.",
  "scripts/machine/processes.",
  "testing/answers/tron.",
  "lib/chains/tron/contract-http.",
  "workers/worker.",
  "lib/chains/solana/contract-accounts.",
  "lib/chains/evm/contract.",
  "lib/chains/solana/contract-slots.",
  "chaos/chains/evm-chain.",
  "lib/chains/solana/source.",
  "workers/block-time.",
  "sandbox/main.",
];

/** A long file that begins last keeps one worker busy while the other has nothing left to do, so they begin first. */
export class HeaviestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, two) => rankOf(one) - rankOf(two));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const cursor = HEAVIEST.findIndex((name) => moduleId.includes(`/${name}`));
  return cursor < 0 ? HEAVIEST.length : cursor;
}
