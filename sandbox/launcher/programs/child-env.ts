import type { LocalNode } from "@/sandbox/launcher/local-node";

interface ChildSettings {
  databaseUrl: string;
  appSecret: string;
  baseUrl: string;
  port: number;
  host: string;
  nodes: readonly LocalNode[];
  /** The file with the URL of the local rate server. */
  ratesFile: string;
  /** The URLs to which emails and Telegram messages are sent. */
  post: { smtpUrl: string; telegramUrl: string };
}

/** Returns the environment of the sandbox's web and worker processes. Settings of a live installation in `source` are not passed on. */
export function childEnv(source: NodeJS.ProcessEnv, settings: ChildSettings): NodeJS.ProcessEnv {
  const kept = Object.entries(source).filter(
    ([name]) => !/_(RPC_URLS|RPC_HEADERS|RPC_BUDGETS|WS_URLS|QUORUM)$/.test(name) && !name.startsWith("NEXTAUTH_"),
  );
  const rpcUrls = settings.nodes.map((node) => [
    `${node.networkId.toUpperCase()}_RPC_URLS`,
    node.serviceUrls.join(","),
  ]);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(rpcUrls),
    NODE_ENV: "production",
    STABLEGATE_SANDBOX: "1",
    DATABASE_URL: settings.databaseUrl,
    APP_SECRET: settings.appSecret,
    PUBLIC_URL: settings.baseUrl,
    PORT: String(settings.port),
    HOST: settings.host,
    RATES_FILE: settings.ratesFile,
    SMTP_URL: settings.post.smtpUrl,
    MAIL_FROM: "Stablegate sandbox <stablegate@sandbox.example>",
    TELEGRAM_API_URL: settings.post.telegramUrl,
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    RATE_LIMIT_CREATES: "off",
    RATE_LIMIT_READS: "off",
    RATE_LIMIT_VIEWS: "off",
    EVENT_STREAMS_PER_ADDRESS: "off",
    TRUSTED_PROXIES: "0",
  };
}
