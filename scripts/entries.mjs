/** The programs of live mode and their entry files. */
export const LIVE_ENTRIES = {
  start: "scripts/roles/start.ts",
  upgrade: "scripts/roles/upgrade.ts",
  live: "scripts/roles/live.ts",
  prepare: "scripts/supervisor/prepare.ts",
  web: "scripts/roles/web.ts",
  worker: "scripts/roles/worker.ts",
  single: "scripts/roles/single.ts",
  migrate: "scripts/roles/migrate.ts",
  doctor: "scripts/roles/doctor.ts",
  dump: "scripts/roles/dump.ts",
  restore: "scripts/roles/restore.ts",
  "move-database": "scripts/roles/move-database.ts",
  "rotate-app-secret": "scripts/roles/rotate-app-secret.ts",
  "rotate-signing-key": "scripts/roles/rotate-signing-key.ts",
  "reset-password": "scripts/roles/reset-password.ts",
  "close-network": "scripts/roles/close-network.ts",
  "reopen-network": "scripts/roles/reopen-network.ts",
};

/** The programs that only the sandbox and developers run. */
export const SANDBOX_ENTRIES = {
  sandbox: "sandbox/main.ts",
  "sandbox-web": "sandbox/web.ts",
  pay: "sandbox/pay.ts",
  refund: "sandbox/refund.ts",
  "solana-node": "sandbox/solana/main.ts",
  bench: "bench/main.ts",
  "bench-bare": "bench/bare/main.ts",
  "bench-web": "bench/web.ts",
  "bench-worker": "bench/worker.ts",
  chaos: "chaos/main.ts",
  fuzz: "fuzz/main.ts",
  property: "testing/properties/main.ts",
};

/** The programs of the package that contains the sandbox. */
export const PACKAGED_SANDBOX = ["sandbox", "sandbox-web", "pay", "refund", "solana-node"];

export const ENTRIES = { ...LIVE_ENTRIES, ...SANDBOX_ENTRIES };
