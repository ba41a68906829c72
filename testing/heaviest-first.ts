import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first. */
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

/** A sequencer that starts long files first: a long file that starts last keeps one worker busy while the other one is idle. */
export class HeaviestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, two) => rankOf(one) - rankOf(two));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const cursor = HEAVIEST.findIndex((name) => moduleId.includes(`/${name}`));
  return cursor < 0 ? HEAVIEST.length : cursor;
}
