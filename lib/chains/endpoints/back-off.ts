/** Something that an endpoint's answers taught about it, and until when it is believed. */
export interface BackOff {
  until: Date;
  /** For how long it was believed from the last time on. */
  ms: number;
}

const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;

/**
 * The lesson that an answer teaches. It is believed for some seconds at first, for what was refused may have been refused
 * only for a moment, and twice as long whenever the endpoint is tried again and answers the same. Calls that were on
 * their way together teach it once.
 */
export function nextBackOff(old: BackOff | null | undefined, now: Date, longestMs = LONGEST_MS): BackOff {
  if (old && isBackingOff(old, now)) return old;
  const ms = old ? Math.min(longestMs, old.ms * 2) : FIRST_MS;
  return { until: new Date(now.getTime() + ms), ms };
}

/** Whether a lesson counts now; one that was never drawn does not. */
export function isBackingOff(lesson: BackOff | null | undefined, now: Date): boolean {
  return lesson ? lesson.until > now : false;
}
