import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createEndpoints } from "@/lib/chains/endpoints/endpoints";
import { ChainError } from "@/lib/chains/endpoints/source";
import { inAnyVersion, SOLANA_PROTOCOL } from "@/lib/chains/solana/protocol";
import { getNetwork } from "@/lib/domain/networks";

const network = getNetwork("solana");
type Answer = { result: unknown } | { error: { code: number; message: string } };
const UNSUPPORTED = {
  error: { code: -32015, message: "Transaction version (2) is not supported by the requesting client" },
};
const INVALID = {
  error: { code: -32602, message: "Invalid params: invalid value: integer `127`, expected at most 1" },
};

interface Node {
  url: string;
  /** The versions that calls declared, in order. */
  declared: number[];
  answer: (version: number) => Answer | number;
}

const closing: (() => unknown)[] = [];
let clock = 0;
let endpointErrors: string[] = [];
beforeEach(() => {
  [clock, endpointErrors] = [Date.UTC(2026, 10, 1), []];
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a node with these responses, keyed by the version that the call declares; a number is an HTTP status. */
async function nodeThat(answer: Node["answer"]): Promise<Node> {
  const node: Node = { url: "", declared: [], answer };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, params } = JSON.parse(body);
    if (method === "getGenesisHash") return response.end(JSON.stringify({ id: 1, result: network.chainId }));
    node.declared.push(params[0]);
    const given = node.answer(params[0]);
    if (typeof given === "number") return response.writeHead(given).end("<html>");
    response.end(JSON.stringify({ id: 1, ...given }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return node;
}

function poolOf(...nodes: Node[]) {
  const onEndpointError = ({ kind }: { kind: string }) => endpointErrors.push(kind);
  const options = { urls: nodes.map(({ url }) => url), now: () => new Date(clock), onEndpointError };
  const endpoints = createEndpoints(network, options, SOLANA_PROTOCOL);
  const request = { method: "getTransaction", ...inAnyVersion((version) => [version]) };
  const parse = (result: unknown) => z.string().parse(result);
  return { endpoints, ask: () => endpoints.ask({ ...request, parse }) };
}

/** Creates the responses of a node that accepts no declared version above `highest` and has a transaction of `version`. */
const aged = (highest: number, version = 0): Node["answer"] => {
  return (declared) => {
    if (declared > highest) return INVALID;
    return declared < version ? UNSUPPORTED : { result: `read as ${declared}` };
  };
};

describe("the versions that a call declares", () => {
  test.each([
    { highest: 255, declared: [127], answer: "read as 127" },
    { highest: 1, declared: [127, 1], answer: "read as 1" },
    { highest: 0, declared: [127, 1, 0], answer: "read as 0" },
  ])("are lowered for a node that refuses more than $highest; that is remembered, and not an error", async (row) => {
    const node = await nodeThat(aged(row.highest));
    const { ask, endpoints } = poolOf(node);
    expect(await ask()).toBe(row.answer);
    expect(await ask()).toBe(row.answer);
    expect(node.declared).toEqual([...row.declared, row.declared.at(-1)]);
    expect(endpoints.all[0]).toMatchObject({ errors: 0, availableAt: null, doubtedUntil: null });
    expect(endpointErrors).toEqual([]);
    clock += 6_000;
    node.answer = aged(255);
    expect(await ask()).toBe("read as 127");
    expect(await ask()).toBe("read as 127");
  });

  test("are not learnt from a node that refuses every one of them", async () => {
    const node = await nodeThat(() => INVALID);
    const { ask, endpoints } = poolOf(node);
    await expect(ask()).rejects.toMatchObject({ kind: "refused" });
    expect(endpoints.all[0]?.lacks.size).toBe(0);
    expect(endpoints.all[0]?.errors).toBe(1);
  });

  test("are not lowered by an error that has nothing to do with them", async () => {
    const node = await nodeThat(() => 502);
    const { ask } = poolOf(node);
    await expect(ask()).rejects.toMatchObject({ kind: "unavailable" });
    expect(node.declared).toEqual([127]);
  });
});

describe("a transaction of a version that a node cannot show", () => {
  test("is asked of a newer node, and of that one first from then on", async () => {
    const old = await nodeThat(aged(0, 1));
    const new_ = await nodeThat(aged(255, 1));
    const { ask } = poolOf(old, new_);
    expect(await ask()).toBe("read as 127");
    old.declared.length = 0;
    expect(await ask()).toBe("read as 127");
    expect(old.declared).toEqual([]);
    expect(endpointErrors).toEqual([]);
  });

  test("is unreadable when every node refuses it, without a cool-down or an error for any of them", async () => {
    const { ask, endpoints } = poolOf(await nodeThat(aged(1, 2)), await nodeThat(aged(255, 200)));
    await expect(ask()).rejects.toMatchObject({ kind: "unreadable", isUnanimous: true });
    for (const endpoint of endpoints.all)
      expect(endpoint).toMatchObject({ errors: 0, availableAt: null, doubtedUntil: null });
    expect(endpointErrors).toEqual([]);
  });

  test("is not proven unreadable while another node is silent, or does not know it", async () => {
    const old = await nodeThat(aged(0, 1));
    await expect(poolOf(old, await nodeThat(() => 502)).ask()).rejects.toMatchObject({
      kind: "unreadable",
      isUnanimous: false,
    });
    const { endpoints } = poolOf(old, await nodeThat(() => ({ result: null })));
    const request = { method: "getTransaction", ...inAnyVersion((version) => [version]) };
    const asked = endpoints.askOrNull({
      ...request,
      parse: (result) => (result === null ? null : z.string().parse(result)),
    });
    await expect(asked).rejects.toMatchObject({ kind: "unreadable", isUnanimous: false });
  });
});

describe("an unknown transaction version", () => {
  const malformed = (result: unknown) => nodeThat(() => ({ result }));

  test("is unreadable where all that answered show the same, and never by one look at it", async () => {
    const { ask } = poolOf(await malformed({}), await malformed({}), await nodeThat(() => 502));
    await expect(ask()).rejects.toMatchObject({ kind: "unreadable", isUnanimous: false });
  });

  test("is a contradiction where they show different ones, or one does not know it", async () => {
    await expect(poolOf(await malformed({}), await malformed(1)).ask()).rejects.toMatchObject({ kind: "inconsistent" });
    const lagging = await nodeThat(() => ({ error: { code: -32004, message: "Block not available for slot 4" } }));
    await expect(poolOf(await malformed({}), lagging).ask()).rejects.toMatchObject({ kind: "inconsistent" });
  });

  test("is never concluded from silence", async () => {
    const { ask } = poolOf(await nodeThat(() => 502), await nodeThat(() => 429));
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChainError);
    expect(error).not.toMatchObject({ kind: "unreadable" });
  });
});
