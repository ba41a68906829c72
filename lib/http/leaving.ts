import type { ServerResponse } from "node:http";

/** Connections of a server that is to stop: each ends with the answer that it waits for, and says so in that answer. */
export interface Leaving {
  /** Takes note of an answer that has begun to be made. */
  note(outgoing: ServerResponse): void;
  /** From here on every answer that has not begun to leave carries `Connection: close`. */
  begin(): void;
  isLeaving(): boolean;
}

/** Makes the notes of one server. */
export function createLeaving(): Leaving {
  const open = new Set<ServerResponse>();
  let hasBegun = false;
  return {
    note(outgoing) {
      if (hasBegun) outgoing.shouldKeepAlive = false;
      open.add(outgoing);
      outgoing.once("close", () => open.delete(outgoing));
    },
    begin() {
      hasBegun = true;
      for (const outgoing of open) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
    },
    isLeaving: () => hasBegun,
  };
}
