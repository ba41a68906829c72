import type { AddressInfo } from "node:net";

/** The address of a listening server. */
export interface Listening {
  /** The URL for programs on this machine: "http://127.0.0.1:3000". */
  url: string;
  /** The address for display, with an explanation if it stands for all addresses of the machine. */
  listensAt: string;
  port: number;
}

/**
 * The wildcard addresses, which stand for all addresses of a machine. Each has the address by which the machine reaches itself, and its
 * description.
 */
const WILDCARDS: Readonly<Record<string, readonly [own: string, text: string]>> = {
  "0.0.0.0": ["127.0.0.1", "all IPv4 addresses of this machine"],
  "::": ["[::1]", "all IPv6 and IPv4 addresses of this machine"],
};

/** Describes the result of `server.address()`: the socket's actual address, which may be absent from the settings or differ from them. */
export function describeListening(bound: AddressInfo | string | null): Listening {
  if (bound === null || typeof bound === "string") {
    const listensAt = bound === null ? "a socket without an address" : `the socket ${bound}`;
    return { url: listensAt, listensAt, port: 0 };
  }
  const { address, family, port } = bound;
  const [own, text] = WILDCARDS[address] ?? [];
  const url = (host: string) => `http://${host}:${port}`;
  const listensAt = url(family === "IPv6" ? `[${address}]` : address);
  return { url: own ? url(own) : listensAt, listensAt: text ? `${listensAt} (${text})` : listensAt, port };
}
