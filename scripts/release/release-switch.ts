import path from "node:path";
import type { Replaced, ReplaceRequest } from "@/scripts/release/control";
import type { HeldSocket } from "@/scripts/release/held-socket";
import { readSettings } from "@/scripts/release/home";
import { type RunningRelease, runRelease, waitUntilHealthy } from "@/scripts/release/run-release";

/** The time within which the previous release must be healthy again. */
const RESTORE_MS = 120_000;

interface SwitchOptions {
  home: string;
  socket: HeldSocket | null;
  print(text: string): void;
  /** Called if the release ends by itself. */
  onEnd(code: number): void;
}

/** A started release and the reason why it is not healthy; null if it is healthy. */
interface Attempt {
  release: RunningRelease | null;
  problem: string | null;
}

/** Runs one release at a time on a held socket, and replaces it on request. */
export class ReleaseSwitch {
  readonly #options: SwitchOptions;
  #running: RunningRelease | null = null;
  #isReplacing = false;
  #ended: { release: RunningRelease; code: number } | null = null;

  constructor(options: SwitchOptions) {
    this.#options = options;
  }

  /** Starts a release with the settings that `.env` contains now. */
  begin(folder: string): RunningRelease {
    const { home, socket } = this.#options;
    const release = runRelease({ folder, home, settings: readSettings(home, process.env), socket });
    this.#running = release;
    void release.ended.then(({ code }) => {
      this.#ended = { release, code };
      this.#reportEnd();
    });
    return release;
  }

  /** Reports that the release ended by itself, unless it is being replaced. */
  #reportEnd(): void {
    if (this.#isReplacing || this.#running === null || this.#ended?.release !== this.#running) return;
    this.#options.onEnd(this.#ended.code || 1);
  }

  /** Stops the running release. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.stop();
  }

  /** Stops the running release and starts another. If that does not become healthy, the previous release is started again. */
  async replace({ release, limitMs }: ReplaceRequest): Promise<Replaced> {
    const previous = this.#running;
    if (!previous || this.#isReplacing)
      return { isHealthy: false, reason: "was not started, because another upgrade is running", isRestored: true };
    this.#isReplacing = true;
    try {
      return await this.#replaceRunning(previous, release, limitMs);
    } finally {
      this.#isReplacing = false;
      this.#reportEnd();
    }
  }

  async #replaceRunning(previous: RunningRelease, folder: string, limitMs: number): Promise<Replaced> {
    const { print } = this.#options;
    const from = path.basename(previous.folder);
    const to = path.basename(folder);
    print(`Replacing release ${from} with ${to} …`);
    await previous.stop();
    if (!this.#running) return { isHealthy: false, reason: "was not started, because of a signal", isRestored: false };
    const next = await this.#attempt(folder, limitMs);
    if (next.problem === null) return { isHealthy: true };
    print(`Release ${to} ${next.problem}; starting ${from} again …`);
    await next.release?.stop();
    const reason = next.release ? withErrors(next.problem, next.release) : next.problem;
    if (!this.#running) return { isHealthy: false, reason, isRestored: false };
    const restored = await this.#attempt(previous.folder, RESTORE_MS);
    return { isHealthy: false, reason, isRestored: restored.problem === null };
  }

  /** Starts a release and waits until it is healthy. */
  async #attempt(folder: string, limitMs: number): Promise<Attempt> {
    try {
      const release = this.begin(folder);
      return { release, problem: await waitUntilHealthy(release, this.#options.socket, limitMs) };
    } catch (error) {
      // For example: `.env` cannot be read any more, or no memory is left for another process.
      const reason = error instanceof Error ? error.message : String(error);
      return { release: null, problem: `could not be started (${reason})` };
    }
  }
}

/** Adds the last errors of a release to the reason why it is not healthy. */
export function withErrors(reason: string, { lastErrors }: RunningRelease): string {
  const errors = lastErrors();
  return errors ? `${reason}. Its last errors:\n${errors}` : reason;
}
