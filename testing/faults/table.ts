import { describe, expect, test } from "vitest";
import type { Lie } from "@/chaos/chains/chain";
import { TRANSPORT_FAULTS } from "@/chaos/faults/transport-faults";
import { beginFault, type useFaultyEndpoints } from "@/testing/faults/endpoint-faults";

interface Table {
  lies: Readonly<Record<string, Lie>>;
  /** Blocks until a transfer is final, and how many more until final blocks are read a second time. */
  blocks: { final: number; verify: number };
  /** Lies under which the cursor may pass a payment; a second reading that a node answers truly gets it. */
  hiding: readonly string[];
  /** Which of the chain's endpoints misbehaves, and which stands beside it. */
  sick?: number;
  beside?: number;
}

/** Whoever only lies about who it is must be met by a worker that does not know it yet. */
const IDENTITY = /^wrong chain/;
/** Beside an endpoint that works, one fault of each way to fail says as much as all. */
const WAYS_TO_FAIL = ["403", "429", "429 with Retry-After", "HTML with status 200", "truncated JSON", "no answer"];
const PATIENCE_MS = 300;
const STEP_MS = 5_000;
const ROUNDS = 3;

/** Every fault, once until it ends and once for good beside an endpoint that works. */
export function testFaults(endpoints: ReturnType<typeof useFaultyEndpoints>, table: Table): void {
  const { blocks, hiding, sick = 0, beside = 0 } = table;
  const faults = Object.entries({ ...TRANSPORT_FAULTS, ...table.lies });

  /** Two orders are paid once the endpoint misbehaves, one was seen before and is not yet final. */
  async function begin(name: string, make: Lie, others: readonly string[]) {
    const endpoint = await endpoints.endpoint(sick);
    const settings = name.startsWith("no answer") ? { timeoutMs: PATIENCE_MS } : {};
    const network = await endpoints.watch([endpoint.url, ...others], settings);
    network.mayMiss = hiding.includes(name);
    await network.pay();
    await network.mine(1);
    await network.until(async () => (await network.seen()) === 1);
    endpoint.fault = beginFault(make);
    if (IDENTITY.test(name)) await network.restart();
    await network.pay(2);
    await network.mine(1);
    await network.rounds(ROUNDS, STEP_MS);
    return { endpoint, network };
  }

  describe("nothing false is written while the only endpoint does this, and all is paid once it has ended:", () => {
    test.each(faults)("%s", async (name, make) => {
      const { endpoint, network } = await begin(name, make, []);
      // What the only endpoint hides at both readings nobody can know of.
      if (!network.mayMiss) await network.mine(blocks.final);
      await network.rounds(ROUNDS, STEP_MS);
      expect(endpoint.counts.faulted).toBeGreaterThan(0);
      endpoint.fault = undefined;
      await network.pay();
      await network.mine(blocks.final + blocks.verify);
      await network.until(network.isTrue);
    });
  });

  describe("nothing false is written and all is paid while one of two endpoints does this for good:", () => {
    test.each(faults.filter(([name]) => WAYS_TO_FAIL.includes(name) || name in table.lies))(
      "%s",
      async (name, make) => {
        const well = await endpoints.endpoint(beside);
        const { endpoint, network } = await begin(name, make, [well.url]);
        await network.mine(blocks.final + blocks.verify);
        await network.until(network.isTrue);
        expect(endpoint.counts.faulted).toBeGreaterThan(0);
      },
    );
  });
}
