import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type AddressPolicy, judgePeer } from "@/lib/callbacks/address-rule";
import { PostFailure } from "@/lib/callbacks/post-failure";

export interface Target {
  /** Name or literal address, for TLS. */
  host: string;
  port: number;
  isTls: boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
}

/**
 * Connects to the first of the vetted addresses that answers, and to nothing else; the other end is judged once more.
 * TLS is verified for the host whatever the environment says. The socket is ready to write to.
 * @throws the last address's error, or PostFailure.
 */
export async function connectToVetted(
  target: Target,
  addresses: readonly string[],
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<Socket> {
  let lastError: unknown = new PostFailure("the host has no address");
  for (const address of addresses) {
    try {
      const socket = await untilReady(
        connectTcp({ host: address, port: target.port, noDelay: true }),
        "connect",
        signal,
      );
      judgeSocket(socket, policy);
      return target.isTls ? await upgrade(socket, target, signal) : socket;
    } catch (error) {
      if (signal.aborted || error instanceof PostFailure) throw error;
      lastError = error;
    }
  }
  throw lastError;
}

function judgeSocket(socket: Socket, policy: AddressPolicy): void {
  const what = judgePeer(socket.remoteAddress ?? "", policy);
  if (!what) return;
  socket.destroy();
  throw new PostFailure(`the connection ended at ${what}; callbacks go to public addresses only`);
}

function upgrade(socket: Socket, target: Target, signal: AbortSignal): Promise<Socket> {
  const tls = connectTls({
    socket,
    host: target.host,
    servername: isIP(target.host) === 0 ? target.host : "",
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
    ...(target.ca === undefined ? {} : { ca: target.ca }),
  });
  return untilReady(tls, "secureConnect", signal);
}

function untilReady(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    socket.once("close", () => fail(new PostFailure("the connection was closed at once")));
    socket.on("error", fail);
    socket.once(event, () => {
      signal.removeEventListener("abort", abort);
      resolve(socket);
    });
    if (signal.aborted) abort();
  });
}
