import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type AddressPolicy, checkPeer } from "@/lib/domain/callbacks/address-rule";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type Problem, problem } from "@/lib/domain/problems/problem";

export interface Target {
  /** A host name or an IP address, for TLS. */
  host: string;
  port: number;
  isTls: boolean;
  /** Trusted certificates in PEM, instead of those of the system. */
  ca?: string;
  /** Called when one of the addresses is connected, before TLS. */
  onConnected?: () => void;
}

/** The delay before the next address is tried as well (RFC 8305, "Connection Attempt Delay"). */
const NEXT_ADDRESS_MS = 250;
/**
 * The largest number of addresses to connect to, so that a name with a thousand addresses does not open a thousand
 * connections. All addresses are checked.
 */
const MAX_ADDRESSES = 8;

/**
 * Connects to the first of the vetted addresses that responds, and to no other address. Tries the next address
 * concurrently when one fails or has not responded for 250 ms. Checks the peer of each connection again. Verifies TLS
 * for the host, regardless of environment variables.
 * @returns a socket that is ready for writing
 * @throws the error of the last address, or OutboundFailure
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
    others.abort(new OutboundFailure(problem("outbound_other_address_connected")));
  }
}

async function connectTo(address: string, target: Target, policy: AddressPolicy, signal: AbortSignal): Promise<Socket> {
  const socket = await untilReady(connectTcp({ host: address, port: target.port, noDelay: true }), "connect", signal);
  checkSocket(socket, policy);
  target.onConnected?.();
  return target.isTls ? upgrade(socket, target, signal) : socket;
}

/**
 * Returns the first socket that is ready. An OutboundFailure ends the attempts at all addresses: the time limit is exceeded, or an address
 * is not allowed.
 */
function firstReady(addresses: readonly string[], connect: (address: string) => Promise<Socket>): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let lastError: unknown = new OutboundFailure(problem("outbound_host_without_address"));
  let timer: NodeJS.Timeout | undefined;
  let started = 0;
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
    const address = addresses[started];
    if (address === undefined) return running === 0 ? end(() => reject(lastError)) : undefined;
    started += 1;
    running += 1;
    connect(address).then((socket) => (isOver ? socket.destroy() : end(() => resolve(socket))), failed);
    if (started < addresses.length) timer = setTimeout(next, NEXT_ADDRESS_MS);
  };
  next();
  return promise;
}

function checkSocket(socket: Socket, policy: AddressPolicy): void {
  const kind = checkPeer(socket.remoteAddress ?? "", policy);
  if (!kind) return;
  socket.destroy();
  throw new OutboundFailure(problem("outbound_peer_not_public", { kind }));
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
    const closed = () => fail(new OutboundFailure(problem("outbound_closed_at_once")));
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

/** Returns all addresses of a name; none if it does not resolve. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const HOSTS_FILE = "/etc/hosts";
const QUERY = { timeout: 900, tries: 2 };
const NO_DATA = "ENODATA";
const NO_NAME = "ENOTFOUND";

/**
 * Resolves a host and checks all of its addresses. The host is refused if any address is not allowed. IP addresses and localhost are not
 * resolved.
 * @throws OutboundFailure if there is no address, or one is not allowed
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
  if (addresses.length === 0) throw new OutboundFailure(problem("outbound_name_without_address", { host }));
  return vet(host, addresses, policy);
}

interface Sources {
  /** The name servers to query as "ip:port", instead of those of the machine. */
  servers?: readonly string[];
  hostsFile?: string;
}

/** Queries the hosts file, then DNS, as the machine is configured. */
export const resolveName: Resolve = resolveBy();

/**
 * Returns a resolver that queries the hosts file, then DNS for both address families concurrently. It occupies no
 * thread, so that slow names do not delay other lookups.
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
    const code = codes.find((one) => one !== NO_DATA && one !== NO_NAME);
    if (code) throw new OutboundFailure(problem("outbound_name_not_resolved", { host: name, code }));
    return [];
  };
}

function vet(host: string, addresses: readonly string[], policy: AddressPolicy): readonly string[] {
  for (const address of addresses) {
    const kind = checkPeer(address, policy);
    if (kind) throw new OutboundFailure(problem("outbound_host_not_public", { host, kind }));
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

/** An error that ends a request before a response is received. Its problem may be shown to the merchant. */
export class OutboundFailure extends Error {
  override readonly name = "OutboundFailure";
  readonly problem: Problem;

  constructor(reason: Problem) {
    super(inEnglish(reason));
    this.problem = reason;
  }
}

const NOT_TRUSTED = problem("outbound_certificate_not_trusted");
const SYSTEM_ERRORS: Readonly<Record<string, Problem>> = {
  ECONNREFUSED: problem("outbound_connection_refused"),
  ECONNRESET: problem("outbound_connection_closed"),
  EPIPE: problem("outbound_connection_closed"),
  ETIMEDOUT: problem("outbound_connection_timed_out"),
  EHOSTUNREACH: problem("outbound_host_unreachable"),
  ENETUNREACH: problem("outbound_network_unreachable"),
  EADDRNOTAVAIL: problem("outbound_network_unreachable"),
  EMFILE: problem("outbound_no_connections_left"),
  HPE_HEADER_OVERFLOW: problem("outbound_headers_too_long"),
  CERT_HAS_EXPIRED: problem("outbound_certificate_expired"),
  CERT_NOT_YET_VALID: problem("outbound_certificate_not_yet_valid"),
  ERR_TLS_CERT_ALTNAME_INVALID: problem("outbound_certificate_other_name"),
  DEPTH_ZERO_SELF_SIGNED_CERT: problem("outbound_certificate_self_signed"),
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: problem("outbound_certificate_unverifiable"),
};

/** Returns the problem for an error that ended a request. System errors are named without addresses. */
export function toOutboundProblem(error: unknown): Problem {
  if (error instanceof OutboundFailure) return error.problem;
  if (!(error instanceof Error)) return problem("outbound_unknown");
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = SYSTEM_ERRORS[code];
  if (known) return known;
  if (code.startsWith("HPE_")) return problem("outbound_not_http");
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return problem("outbound_tls_failed");
  if ("syscall" in error) return problem("outbound_connection_failed", { code });
  const message = error.message.slice(0, 200);
  return problem("recorded_text", { text: code ? `${message} (${code})` : message });
}

/** The longest time that a stage of a request may take, and the problem when it takes longer. */
export interface Stage {
  ms: number;
  problem: Problem;
}

/** The time limits of a request: that of its current stage, and that of all stages together. */
export interface Deadline {
  /** Aborted with an OutboundFailure when either limit is exceeded. */
  signal: AbortSignal;
  /** Starts the next stage. Without a stage, only the total limit applies. */
  begin(stage?: Stage): void;
  end(): void;
}

/** Starts the total time limit of a request. */
export function startDeadline(total: Stage): Deadline {
  const controller = new AbortController();
  const startedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const begin = (stage = total) => {
    clearTimeout(timer);
    const left = { ms: Math.max(0, total.ms - (performance.now() - startedMs)), problem: total.problem };
    const first = stage.ms < left.ms ? stage : left;
    timer = setTimeout(() => controller.abort(new OutboundFailure(first.problem)), first.ms);
  };
  return { signal: controller.signal, begin, end: () => clearTimeout(timer) };
}

/** Returns the result of `work` unless the signal is aborted first. @throws the signal's reason */
export function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
