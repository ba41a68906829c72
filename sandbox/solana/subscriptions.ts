import * as z from "zod";
import { answerRpc, type RpcMethod, runMethod } from "@/sandbox/nodes/json-rpc-answer";
import type { TextSocket } from "@/sandbox/nodes/web-socket-server";
import type { Chain } from "@/sandbox/solana/chain";
import { commitmentOf, configAt, inContext, Signature } from "@/sandbox/solana/rpc/params";

/** Sends the notification once its condition is met. Returns true after it was sent. */
type Watch = () => boolean;

const WithId = z.object({ id: z.union([z.string(), z.number()]) });

/**
 * The WebSocket subscriptions: signatureSubscribe, which notifies a client when its transaction is in a block, and slotSubscribe, which
 * notifies a client of new slots.
 */
export class Subscriptions {
  readonly #chain: Chain;
  readonly #watches = new Map<number, Watch>();
  #lastId = 0;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Handles a socket's calls until it closes. */
  accept(socket: TextSocket): (text: string) => void {
    const own = new Set<number>();
    socket.onClose(() => {
      for (const id of own) this.#watches.delete(id);
    });
    const methods = new Map<string, RpcMethod>([
      ["signatureSubscribe", (params) => this.#watch(own, (id) => this.#signatureWatch(socket, id, params))],
      ["signatureUnsubscribe", ([id]) => this.#watches.delete(z.number().parse(id))],
      ["slotSubscribe", () => this.#watch(own, (id) => this.#slotWatch(socket, id))],
      ["slotUnsubscribe", ([id]) => this.#watches.delete(z.number().parse(id))],
    ]);
    return (text) => {
      const call = readCall(text);
      if (!call) return;
      answerRpc(call, (name, params) => runMethod(methods, name, params)).then((answer) =>
        socket.send(JSON.stringify(answer)),
      );
    };
  }

  /** Notifies subscribers of new events. */
  announce(): void {
    for (const [id, watch] of this.#watches) if (watch()) this.#watches.delete(id);
  }

  #watch(own: Set<number>, make: (id: number) => Watch): number {
    this.#lastId += 1;
    own.add(this.#lastId);
    this.#watches.set(this.#lastId, make(this.#lastId));
    return this.#lastId;
  }

  #slotWatch(socket: TextSocket, subscription: number): Watch {
    let last = this.#chain.slot("processed");
    return () => {
      const slot = this.#chain.slot("processed");
      if (slot > last) {
        const result = { slot, parent: slot - 1, root: this.#chain.slot("finalized") };
        socket.send(JSON.stringify({ jsonrpc: "2.0", method: "slotNotification", params: { result, subscription } }));
      }
      last = slot;
      return false;
    };
  }

  #signatureWatch(socket: TextSocket, subscription: number, params: readonly unknown[]): Watch {
    const signature = Signature.parse(params[0]);
    const commitment = commitmentOf(configAt(params, 1));
    return () => {
      const positionOf = this.#chain.blocks.positionOf(signature);
      const slot = this.#chain.slot(commitment);
      if (!positionOf || positionOf.slot > slot) return false;
      const result = inContext(slot, { err: positionOf.transaction.meta.err });
      const method = "signatureNotification";
      socket.send(JSON.stringify({ jsonrpc: "2.0", method, params: { result, subscription } }));
      return true;
    };
  }
}

/** Parses a message. Returns null if it is not a call with an id: pings have no id and get no response. */
function readCall(text: string): unknown {
  try {
    const call: unknown = JSON.parse(text);
    return WithId.safeParse(call).success ? call : null;
  } catch {
    return null;
  }
}
