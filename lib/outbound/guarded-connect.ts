import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type AddressPolicy, checkPeer } from "@/lib/domain/callbacks/address-rule";

export interface Target {
  /** Name or literal address, for TLS. */
  host: string;
  port: number;
  isTls: boolean;
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
  /** Told when one of its addresses is connected to, before TLS. */
  onConnected?: () => void;
}

/** RFC 8305, "Connection Attempt Delay". */
const NEXT_ADDRESS_MS = 250;
/** So that a name with a thousand addresses does not make a thousand connections of one delivery. All are checked. */
const MAX_ADDRESSES = 8;

/**
 * Connects to whichever of the vetted addresses answers first, and to nothing else: the next one is tried when one fails or
 * has not answered for 250 ms, beside it. The other end of each is checked once more.
 * TLS is verified for the host whatever the environment says. The socket is ready to write to.
 * @throws the last address's error, or OutboundFailure.
 */
export async function connectToVetted(
  target: Target,
  addresses: readonly string[],
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<Socket> {
  const [only] = addresses;
  if (only !== undefined && addresses.length === 1) return connectTo(only, target, policy, signal);
  const others = new AbortController();
  const race = AbortSignal.any([signal, others.signal]);
  try {
    return await firstReady(addresses.slice(0, MAX_ADDRESSES), (address) => connectTo(address, target, policy, race));
  } finally {
    others.abort(new OutboundFailure("another address of the host was first"));
  }
}

async function connectTo(address: string, target: Target, policy: AddressPolicy, signal: AbortSignal): Promise<Socket> {
  const socket = await untilReady(connectTcp({ host: address, port: target.port, noDelay: true }), "connect", signal);
  checkSocket(socket, policy);
  target.onConnected?.();
  return target.isTls ? upgrade(socket, target, signal) : socket;
}

/** An OutboundFailure is final for all addresses: time is over, or one leads where nobody may go. */
function firstReady(addresses: readonly string[], connect: (address: string) => Promise<Socket>): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let lastError: unknown = new OutboundFailure("the host has no address");
  let timer: NodeJS.Timeout | undefined;
  let begun = 0;
  let running = 0;
  let isOver = false;
  const end = (settle: () => void) => {
    clearTimeout(timer);
    isOver = true;
    settle();
  };
  const failed = (error: unknown) => {
    running -= 1;
    lastError = error;
    if (isOver) return;
    if (error instanceof OutboundFailure) end(() => reject(error));
    else next();
  };
  const next = () => {
    clearTimeout(timer);
    const address = addresses[begun];
    if (address === undefined) return running === 0 ? end(() => reject(lastError)) : undefined;
    begun += 1;
    running += 1;
    connect(address).then((socket) => (isOver ? socket.destroy() : end(() => resolve(socket))), failed);
    if (begun < addresses.length) timer = setTimeout(next, NEXT_ADDRESS_MS);
  };
  next();
  return promise;
}

function checkSocket(socket: Socket, policy: AddressPolicy): void {
  const what = checkPeer(socket.remoteAddress ?? "", policy);
  if (!what) return;
  socket.destroy();
  throw new OutboundFailure(`the connection ended at ${what}; requests go to public addresses only`);
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
    const closed = () => fail(new OutboundFailure("the connection was closed at once"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("close", closed);
    socket.on("error", fail);
    socket.once(event, () => {
      socket.removeListener("close", closed);
      signal.removeEventListener("abort", abort);
      resolve(socket);
    });
    if (signal.aborted) abort();
  });
}

/** Every address of a name; empty when there is none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const HOSTS_FILE = "/etc/hosts";
const QUERY = { timeout: 900, tries: 2 };
const NO_DATA = "ENODATA";
const NO_NAME = "ENOTFOUND";

/**
 * Finds every address of a host and checks them all: one that is not allowed refuses the host.
 * Literal addresses and localhost are never looked up.
 * @throws OutboundFailure when there is no address, or a bad one.
 */
export async function vetHost(
  host: string,
  policy: AddressPolicy,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return vet(host, [host], policy);
  if (/(^|\.)localhost$/i.test(host)) {
    const loopback = ["127.0.0.1", "::1"];
    const opened = loopback.filter((address) => checkPeer(address, policy) === null);
    return vet(host, opened.length > 0 ? opened : loopback, policy);
  }
  const addresses = await resolve(host, signal);
  if (addresses.length === 0) throw new OutboundFailure(`the name ${host} has no address`);
  return vet(host, addresses, policy);
}

interface Sources {
  /** "ip:port" of name servers to ask instead of the machine's. */
  servers?: readonly string[];
  hostsFile?: string;
}

/** Asks the hosts file, then DNS, as the machine is set up. */
export const resolveName: Resolve = resolveBy();

/**
 * A resolver that asks the hosts file, then DNS for both families at once, without taking a thread: slow names delay nobody else.
 */
export function resolveBy({ servers, hostsFile = HOSTS_FILE }: Sources = {}): Resolve {
  return async (name, signal) => {
    const listed = await readHostsFile(hostsFile, name);
    if (listed.length > 0) return listed;
    const resolver = new Resolver(QUERY);
    if (servers) resolver.setServers(servers);
    signal.addEventListener("abort", () => resolver.cancel(), { once: true });
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (addresses.length > 0) return addresses;
    const codes = results.map((result) => (result.status === "rejected" ? String(result.reason?.code) : NO_DATA));
    const problem = codes.find((code) => code !== NO_DATA && code !== NO_NAME);
    if (problem) throw new OutboundFailure(`the name ${name} could not be looked up (${problem})`);
    return [];
  };
}

function vet(host: string, addresses: readonly string[], policy: AddressPolicy): readonly string[] {
  for (const address of addresses) {
    const what = checkPeer(address, policy);
    if (what) throw new OutboundFailure(`${host} leads to ${what}; requests go to public addresses only`);
  }
  return addresses;
}

async function readHostsFile(file: string, name: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const wanted = name.toLowerCase();
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(wanted) ? [address] : [];
  });
}

/** Why a question got no answer, in words that its merchant may read. */
export class OutboundFailure extends Error {
  override readonly name = "OutboundFailure";
}

const NOT_TRUSTED = "the certificate of the host comes from an authority that is not trusted";
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host's network cannot be reached",
  EADDRNOTAVAIL: "the host's network cannot be reached",
  EMFILE: "this service has no more connections to spare",
  HPE_HEADER_OVERFLOW: "the headers of the answer are too long",
  CERT_HAS_EXPIRED: "the certificate of the host has expired",
  CERT_NOT_YET_VALID: "the certificate of the host is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of the host is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate of the host is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the certificate of the host cannot be verified: the intermediate one is not sent with it, or its authority is not trusted",
};

/** The words for whatever ended a question. System errors are named without addresses. */
export function wordsOf(error: unknown): string {
  if (error instanceof OutboundFailure) return error.message;
  if (!(error instanceof Error)) return "something unknown went wrong";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (WORDS[code]) return WORDS[code];
  if (code.startsWith("HPE_")) return "the answer is no valid HTTP";
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return "the host does not speak TLS as we do";
  if ("syscall" in error) return `the connection failed (${code})`;
  return code ? `${error.message.slice(0, 200)} (${code})` : error.message.slice(0, 200);
}

/** How long something may take, and what to say when that is over. */
export interface Stage {
  ms: number;
  problem: string;
}

/** The time of one question: that of the stage it is in, and that of all of them together. */
export interface Deadline {
  /** Aborted with an OutboundFailure when either is over. */
  signal: AbortSignal;
  /** Begins the next stage; left out: there is only the time of the whole. */
  begin(stage?: Stage): void;
  end(): void;
}

/** Lets a question run until `total` is over. */
export function startDeadline(total: Stage): Deadline {
  const controller = new AbortController();
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const begin = (stage = total) => {
    clearTimeout(timer);
    const left = { ms: Math.max(0, total.ms - (performance.now() - startedMs)), problem: total.problem };
    const { ms, problem } = stage.ms < left.ms ? stage : left;
    timer = setTimeout(() => controller.abort(new OutboundFailure(problem)), ms);
  };
  return { signal: controller.signal, begin, end: () => clearTimeout(timer) };
}

/** What `work` gives, unless the time is over first. @throws the signal's reason */
export function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
