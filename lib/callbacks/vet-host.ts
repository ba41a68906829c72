import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { PostFailure } from "@/lib/callbacks/post-failure";
import { type AddressPolicy, checkPeer } from "@/lib/domain/callbacks/address-rule";

/** Every address of a name; empty when there is none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

const HOSTS_FILE = "/etc/hosts";
const QUERY = { timeout: 900, tries: 2 };
const [NO_DATA, NO_NAME] = ["ENODATA", "ENOTFOUND"];

/**
 * Finds every address of a host and judges them all: one that is not allowed refuses the host.
 * Literal addresses and localhost are never looked up.
 * @throws PostFailure when there is no address, or a bad one.
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
  if (addresses.length === 0) throw new PostFailure(`the name ${host} has no address`);
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
    if (problem) throw new PostFailure(`the name ${name} could not be looked up (${problem})`);
    return [];
  };
}

function vet(host: string, addresses: readonly string[], policy: AddressPolicy): readonly string[] {
  for (const address of addresses) {
    const what = checkPeer(address, policy);
    if (what) throw new PostFailure(`${host} leads to ${what}; callbacks go to public addresses only`);
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
