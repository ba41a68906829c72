import { answerRpc, runMethod } from "@/sandbox/json-rpc-answer";
import { type JsonServer, serveJson } from "@/sandbox/json-server";
import type { Chain } from "@/sandbox/solana/chain";
import { accountMethods } from "@/sandbox/solana/rpc/account-methods";
import { clusterMethods } from "@/sandbox/solana/rpc/cluster";
import { makeControl } from "@/sandbox/solana/rpc/control";
import { historyMethods } from "@/sandbox/solana/rpc/history";
import { sendingMethods } from "@/sandbox/solana/rpc/sending";

export const CONTROL_PATH = "/control";

/** Serves a chain as Solana's JSON-RPC; its control calls are served at CONTROL_PATH alone. */
export async function serveChain(chain: Chain, now: () => number): Promise<JsonServer> {
  const groups = [clusterMethods(chain), historyMethods(chain), accountMethods(chain), sendingMethods(chain)];
  const methods = new Map(groups.flat());
  const control = makeControl(chain, now);
  const controls = new Map(control.methods);
  return serveJson(async ({ path, body }) => {
    if (path === CONTROL_PATH) {
      return { status: 200, body: await answerRpc(body, (name, params) => runMethod(controls, name, params)) };
    }
    const answer = await answerRpc(body, (name, params) => {
      control.failIfTold(name);
      return runMethod(methods, name, params);
    });
    return { status: 200, body: answer };
  });
}
