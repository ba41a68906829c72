import type { Env } from "@/lib/config/env";
import { NETWORKS } from "@/lib/domain/networks";

/** Returns the settings of the processes: as in live mode, but without limits, and with callbacks to loopback allowed. */
export function benchEnv(databaseUrl: string, appSecret: string): Env {
  return {
    databaseUrl,
    databaseDirectUrl: null,
    databaseReplicaUrl: null,
    appSecret,
    publicUrl: "http://127.0.0.1",
    port: 0,
    host: "127.0.0.1",
    webConcurrency: 1,
    listenFd: null,
    networks: NETWORKS,
    networkChanges: [],
    rpcUrls: new Map([["ethereum", ["http://127.0.0.1:1"]]]),
    metricsToken: null,
    isMetricsLocal: false,
    workerMetricsPort: null,
    tracing: null,
    operator: { email: null, telegram: null },
    machineFolders: null,
    rpcHeaders: new Map(),
    quorums: new Map(),
    budgets: new Map(),
    rateSources: [],
    callbackAllowCidrs: ["127.0.0.0/8"],
    createsPerMinute: null,
    readsPerMinute: null,
    viewsPerMinute: null,
    streamsPerAddress: null,
    retentionDays: null,
    logLevel: "error",
    idleReading: "seldom",
    isSandbox: false,
    trustedProxies: 0,
    smtpUrl: null,
    mailFrom: null,
    telegramUrl: "https://api.telegram.org",
    registration: "closed",
  };
}
