/** The outcomes of an order. `unmatched` refers to a transfer. */
export type Outcome = "created" | "seen" | "paid" | "expired" | "cancelled" | "underpaid" | "unmatched";

export type AlertCondition =
  | "paymentsStopped"
  | "networkUnread"
  | "networkBehind"
  | "callbacksFailing"
  | "dumpOld"
  | "diskFull"
  | "certificateExpires";

/**
 * The threshold of each condition, and the time for which it must hold before the operator is alerted. `deploy/prometheus/alerts.yml` has
 * the same numbers; a test compares them.
 */
export const ALERT_LIMITS = {
  /**
   * The minimum number of payments expected from the orders of the last two hours, based on the share of orders that were paid in the week
   * before. The condition holds if no payment arrived.
   */
  paymentsStopped: { expectedPayments: 5, forMs: 600_000 },
  networkUnread: { forMs: 120_000 },
  /** The delay in seconds above which the condition holds. Idle networks are read up to ten minutes late by design. */
  networkBehind: { seconds: 900, forMs: 300_000 },
  /** The minimum number of one merchant's pending callbacks that failed at least five times in a row. */
  callbacksFailing: { count: 1, forMs: 900_000 },
  dumpOld: { seconds: 129_600, forMs: 600_000 },
  diskFull: { freeShare: 0.1, forMs: 300_000 },
  certificateExpires: { days: 14, forMs: 600_000 },
} as const satisfies Record<AlertCondition, { forMs: number } & Record<string, number>>;

/** The state of a machine of the installation. */
export interface MachineReport {
  disks: readonly Disk[];
  /** The time of the newest dump, in Unix seconds; null if the folder has none; absent if no folder is set. */
  lastDumpAt?: number | null;
  /** The expiry of PUBLIC_URL's certificate, in Unix seconds; null while unknown; absent if PUBLIC_URL is http. */
  certificateEndsAt?: number | null;
}

export interface Disk {
  folder: "data" | "dumps";
  freeBytes: number;
  sizeBytes: number;
}

/** The order counts of one network, for the condition about payments. */
export interface NetworkOrders {
  network: string;
  /** The counts of the last two hours. */
  created: number;
  paid: number;
  /** The counts of the seven days before. */
  pastCreated: number;
  pastPaid: number;
}

export interface NetworkReading {
  network: string;
  isClosed: boolean;
  isLeased: boolean;
  behindBlocks: number | null;
  blockSeconds: number;
}

/** The facts from which the conditions are evaluated. */
export interface InstallationFacts {
  orders: readonly NetworkOrders[];
  networks: readonly NetworkReading[];
  /** Merchants with failing callbacks, and the number of those callbacks. */
  failingMerchants: readonly { merchantId: string; count: number }[];
  machines: readonly (MachineReport & { machine: string })[];
  /** The host of PUBLIC_URL. */
  host: string;
}

/** A condition that holds. */
export interface FoundAlert {
  condition: AlertCondition;
  subject: string;
  /** The problem, for the operator. */
  title: string;
  advice: string;
}

/** Returns all conditions that hold. */
export function findAlerts(facts: InstallationFacts, now: Date): FoundAlert[] {
  return [
    ...facts.orders.flatMap(stoppedPayments),
    ...facts.networks.filter(({ isClosed }) => !isClosed).flatMap(networkAlerts),
    ...facts.failingMerchants.flatMap(failingCallbacks),
    ...facts.machines.flatMap((machine) => [...machineAlerts(machine, now)]),
    ...certificateAlerts(facts, now),
  ];
}

function stoppedPayments({ network, created, paid, pastCreated, pastPaid }: NetworkOrders): FoundAlert[] {
  const expected = pastCreated === 0 ? 0 : (created * pastPaid) / pastCreated;
  if (paid > 0 || expected < ALERT_LIMITS.paymentsStopped.expectedPayments) return [];
  const title = `${created} orders on ${network} in two hours, none of them paid`;
  const advice = `Based on the previous week, about ${Math.round(expected)} payments are expected. Pay a small order yourself, and compare the ledger with an explorer.`;
  return [{ condition: "paymentsStopped", subject: network, title, advice }];
}

function networkAlerts({ network, isLeased, behindBlocks, blockSeconds }: NetworkReading): FoundAlert[] {
  const found: FoundAlert[] = [];
  if (!isLeased)
    found.push({
      condition: "networkUnread",
      subject: network,
      title: `No worker reads ${network}`,
      advice: "Check that a worker is running and has an RPC URL for this network.",
    });
  const seconds = (behindBlocks ?? 0) * blockSeconds;
  if (seconds > ALERT_LIMITS.networkBehind.seconds)
    found.push({
      condition: "networkBehind",
      subject: network,
      title: `Reads of ${network} are ${behindBlocks} blocks behind its head (about ${Math.round(seconds / 60)} minutes)`,
      advice: "Check the endpoints with npm run doctor, and add another one.",
    });
  return found;
}

function failingCallbacks({ merchantId, count }: { merchantId: string; count: number }): FoundAlert[] {
  if (count < ALERT_LIMITS.callbacksFailing.count) return [];
  const title = `${count} callbacks of merchant ${merchantId} fail repeatedly`;
  const advice = "The back office lists them under Callbacks, with the responses of the merchant's server.";
  return [{ condition: "callbacksFailing", subject: merchantId, title, advice }];
}

function* machineAlerts(machine: InstallationFacts["machines"][number], now: Date): Generator<FoundAlert> {
  for (const { folder, freeBytes, sizeBytes } of machine.disks)
    if (freeBytes < sizeBytes * ALERT_LIMITS.diskFull.freeShare)
      yield {
        condition: "diskFull",
        subject: `${machine.machine} ${folder}`,
        title: `The disk of the ${folder} folder on ${machine.machine} has ${Math.floor(freeBytes / 1e6)} MB left`,
        advice: "Free some space or enlarge the disk: PostgreSQL stops when it is full.",
      };
  if (machine.lastDumpAt === undefined) return;
  const ageSeconds = now.getTime() / 1_000 - (machine.lastDumpAt ?? 0);
  if (ageSeconds <= ALERT_LIMITS.dumpOld.seconds) return;
  yield {
    condition: "dumpOld",
    subject: machine.machine,
    title: machine.lastDumpAt
      ? `The newest dump on ${machine.machine} is ${Math.floor(ageSeconds / 3_600)} hours old`
      : `There is no dump on ${machine.machine}`,
    advice: "Check the program that makes the dumps; npm run dump makes one now.",
  };
}

/**
 * Returns the certificate alerts, based on the machine that reported the latest expiry. The proxy may have renewed the certificate after a
 * different machine checked it.
 */
function certificateAlerts({ machines, host }: InstallationFacts, now: Date): FoundAlert[] {
  const ends = machines.flatMap(({ certificateEndsAt }) => certificateEndsAt ?? []);
  if (ends.length === 0) return [];
  const days = (Math.max(...ends) - now.getTime() / 1_000) / 86_400;
  if (days >= ALERT_LIMITS.certificateExpires.days) return [];
  const title =
    days < 0
      ? `The certificate of ${host} has expired`
      : `The certificate of ${host} expires in ${Math.floor(days)} days`;
  const advice = "Renew it at the reverse proxy, and check why it was not renewed automatically.";
  return [{ condition: "certificateExpires", subject: host, title, advice }];
}
