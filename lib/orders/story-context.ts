import type { Log } from "@/lib/log";

/** What stories about orders need besides the database and the time. */
export interface StoryContext {
  /** Origin of the installation, for links in callbacks. */
  publicUrl: string;
  log: Log;
}
