import { answerRpc, runMethod } from "@/sandbox/nodes/json-rpc-answer";
import { type JsonServer, serveJson } from "@/sandbox/nodes/json-server";
import { serveWebSockets } from "@/sandbox/nodes/web-socket-server";
import type { Chain } from "@/sandbox/solana/chain";
import { accountMethods } from "@/sandbox/solana/rpc/account-methods";
import { newManners } from "@/sandbox/solana/rpc/age";
import { clusterMethods } from "@/sandbox/solana/rpc/cluster";
import { makeControl } from "@/sandbox/solana/rpc/control";
import { historyMethods } from "@/sandbox/solana/rpc/history";
import { sendingMethods } from "@/sandbox/solana/rpc/sending";
import { Subscriptions } from "@/sandbox/solana/subscriptions";

const CONTROL_PATH = "/control";

const ANNOUNCE_MS = 50;
const PORT_TRIES = 50;

/**
 * Serves a chain as Solana's JSON-RPC, with its control calls only at CONTROL_PATH, and its WebSocket server one port above, where
 * Solana's clients expect it.
 */
export async function serveChain(chain: Chain, now: () => number): Promise<JsonServer> {
  const subscriptions = new Subscriptions(chain);
  const { http, sockets } = await takePorts(answerFor(chain, now), subscriptions);
  const timer = setInterval(() => subscriptions.announce(), ANNOUNCE_MS);
  return {
    url: http.url,
    close: async () => {
      clearInterval(timer);
      await Promise.all([http.close(), sockets.close()]);
    },
  };
}

type Answer = Parameters<typeof serveJson>[0];

async function takePorts(answer: Answer, subscriptions: Subscriptions, tries = PORT_TRIES) {
  const http = await serveJson(answer);
  try {
    const port = Number(new URL(http.url).port) + 1;
    return { http, sockets: await serveWebSockets(port, (socket) => subscriptions.accept(socket)) };
  } catch (error) {
    await http.close();
    if (tries <= 1) throw error;
    return takePorts(answer, subscriptions, tries - 1);
  }
}

function answerFor(chain: Chain, now: () => number): Answer {
  const manners = newManners();
  const groups = [
    clusterMethods(chain, manners),
    historyMethods(chain, manners),
    accountMethods(chain),
    sendingMethods(chain),
  ];
  const methods = new Map(groups.flat());
  const control = makeControl(chain, manners, now);
  const controls = new Map(control.methods);
  return async ({ path, body }) => {
    if (path === CONTROL_PATH) {
      return { status: 200, body: await answerRpc(body, (name, params) => runMethod(controls, name, params)) };
    }
    const answer = await answerRpc(body, (name, params) => {
      control.failIfRequested(name);
      return runMethod(methods, name, params);
    });
    return { status: 200, body: answer };
  };
}
