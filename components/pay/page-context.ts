import type { Messages } from "@/components/pay/messages/en";

/** What every part of the page needs beside the order itself. */
export interface PageContext {
  t: Messages;
  /** Unix milliseconds by the server's clock. */
  nowMs: number;
  isSandbox: boolean;
}
