import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type AddressPolicy, checkPeer } from "@/lib/domain/callbacks/address-rule";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type Problem, problem } from "@/lib/domain/problems/problem";

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
    others.abort(new OutboundFailure(problem("outbound_other_address_connected")));
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
  let lastError: unknown = new OutboundFailure(problem("outbound_host_without_address"));
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
  if (addresses.length === 0) throw new OutboundFailure(problem("outbound_name_without_address", { host }));
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

/** An error that ends a request before a response came. Its problem may be shown to the merchant. */
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
    const first = stage.ms < left.ms ? stage : left;
    timer = setTimeout(() => controller.abort(new OutboundFailure(first.problem)), first.ms);
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
