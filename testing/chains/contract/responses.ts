import { describe, expect, test } from "vitest";
import type { Falsification } from "@/chaos/chains/chain";
import { TRANSPORT_FAULTS } from "@/chaos/faults/transport-faults";
import { type ContractSection, openEndpoints } from "@/testing/chains/contract/driver";
import { beginFault } from "@/testing/faults/endpoint-faults";

/** The names of the faults that affect only an endpoint's identity. Only a worker that has not yet verified the endpoint detects them. */
const IDENTITY = /^wrong chain/;
/** The faults that are tested beside a working endpoint: one of each kind. */
const WAYS_TO_FAIL = ["403", "429", "429 with Retry-After", "HTML with status 200", "truncated JSON", "no answer"];
const PATIENCE_MS = 300;
const STEP_MS = 5_000;
const ROUNDS = 3;

/** Tests every invalid response, once temporarily and once permanently beside a working endpoint. */
export const testResponses: ContractSection = (endpoints, driver) => {
  const { blocks, hiding } = driver;
  const falsifications = driver.falsifications(() => endpoints.world.chain.height);
  const faults = Object.entries({ ...TRANSPORT_FAULTS, ...falsifications });

  /** Starts the fault after one payment was seen but is not yet final, then pays two more orders. */
  async function begin(name: string, make: Falsification, others: number) {
    const opened = await openEndpoints(endpoints, driver, others);
    const [endpoint] = opened;
    const urls = opened.map(({ url }) => url);
    const network = await endpoints.watch(urls, name.startsWith("no answer") ? { timeoutMs: PATIENCE_MS } : {});
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
      const { endpoint, network } = await begin(name, make, 0);
      // If the only endpoint hides a payment in both reads, the payment cannot be detected.
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
    test.each(faults.filter(([name]) => WAYS_TO_FAIL.includes(name) || name in falsifications))(
      "%s",
      async (name, make) => {
        const { endpoint, network } = await begin(name, make, 1);
        await network.mine(blocks.final + blocks.verify);
        await network.until(network.isTrue);
        expect(endpoint.counts.faulted).toBeGreaterThan(0);
      },
    );
  });
};
