/** The interval at which a process reports that it is alive. */
export const BEAT_MS = 1_000;

interface Limits {
  /** The number of beats without a report after which a process counts as frozen. */
  maxSilentBeats: number;
  /**
   * The number of beats without a first report after which a new process counts as frozen. Loading a program takes time on a busy machine.
   */
  maxStartBeats: number;
}

/** Watches processes that report every `BEAT_MS`. */
export interface FreezeWatch<Process> {
  add(process: Process): void;
  /** Records a report of a process. */
  recordHeartbeat(process: Process): void;
  remove(process: Process): void;
  stop(): void;
}

/**
 * Detects processes that stopped reporting. Silence is counted in beats of this process, not by a clock: while the whole machine is
 * suspended or this process is frozen too, no beats are counted, and clock jumps have no effect.
 * @param onFrozen is called once for each process, with the number of beats for which it was silent
 */
export function watchForFreezes<Process>(
  { maxSilentBeats, maxStartBeats }: Limits,
  onFrozen: (process: Process, beats: number) => void,
): FreezeWatch<Process> {
  const silent = new Map<Process, { beats: number; max: number }>();
  const timer = setInterval(() => {
    for (const [process, state] of silent) {
      state.beats += 1;
      if (state.beats <= state.max) continue;
      silent.delete(process);
      onFrozen(process, state.max);
    }
  }, BEAT_MS);
  return {
    add: (process) => void silent.set(process, { beats: 0, max: maxStartBeats }),
    recordHeartbeat: (process) => void (silent.has(process) && silent.set(process, { beats: 0, max: maxSilentBeats })),
    remove: (process) => void silent.delete(process),
    stop: () => clearInterval(timer),
  };
}
