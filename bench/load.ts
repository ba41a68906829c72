import { connect, type Socket } from "node:net";

/** The measurements of a run of equal work. */
export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** All durations, in order of completion. */
  durationsMs: number[];
}

/** Work that one of several workers repeats; `index` is unique across all workers. */
export type Work = (index: number, worker: number) => Promise<void>;

let nextIndex = 0;

/** Runs `work` repeatedly in `workers` concurrent loops for `seconds`. */
export async function measureFor(seconds: number, workers: number, work: Work): Promise<Measured> {
  const endsAt = performance.now() + seconds * 1_000;
  return measure(workers, work, () => performance.now() < endsAt);
}

/** Runs `work` exactly `times` times. */
export async function measureTimes(times: number, workers: number, work: Work): Promise<Measured> {
  let left = times;
  return measure(workers, work, () => left-- > 0);
}

/**
 * Starts `work` at a constant rate for `seconds`, whether or not earlier work has finished. A duration is measured from the time at which
 * the work was due. If all `workers` are busy, work starts late.
 */
export async function measureAt(perSecond: number, seconds: number, workers: number, work: Work): Promise<Measured> {
  const beganAt = performance.now();
  let due = 0;
  const next = () => (due < perSecond * seconds ? beganAt + (due++ / perSecond) * 1_000 : null);
  const durationsMs: number[] = [];
  const loop = async (_: unknown, worker: number) => {
    for (let at = next(); at !== null; at = next()) {
      const waitMs = at - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      await work(nextIndex++, worker);
      durationsMs.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: workers }, loop));
  return summary(durationsMs, performance.now() - beganAt);
}

async function measure(workers: number, work: Work, hasMore: () => boolean): Promise<Measured> {
  const durationsMs: number[] = [];
  const startedAt = performance.now();
  const loop = async (_: unknown, worker: number) => {
    while (hasMore()) {
      const beganAt = performance.now();
      await work(nextIndex++, worker);
      durationsMs.push(performance.now() - beganAt);
    }
  };
  await Promise.all(Array.from({ length: workers }, loop));
  return summary(durationsMs, performance.now() - startedAt);
}

function summary(durationsMs: number[], elapsedMs: number): Measured {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { perSecond: (durationsMs.length / elapsedMs) * 1_000, p50Ms: at(0.5), p99Ms: at(0.99), durationsMs };
}

/** A keep-alive HTTP connection that parses little more than the status, because it must use less CPU time than the server. */
export class Connection {
  readonly #port: number;
  #socket: Socket;
  readonly #head: string;
  #answered: PromiseWithResolvers<string> | null = null;
  #received = "";

  constructor(port: number, apiKey: string) {
    this.#port = port;
    this.#socket = this.#open();
    this.#head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: `;
  }

  /**
   * Posts ASCII JSON and resolves to the body of a 200.
   * @throws Error on any other status
   */
  async post(path: string, json: string): Promise<string> {
    const answer = await this.ask(`POST ${path} ${this.#head}${json.length}\r\n\r\n${json}`);
    if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(answer);
    return answer.slice(answer.indexOf("\r\n\r\n") + 4);
  }

  /** Sends a complete request and resolves to the complete response, with one character per byte. */
  ask(request: string): Promise<string> {
    if (this.#socket.destroyed) this.#socket = this.#open();
    this.#received = "";
    this.#answered = Promise.withResolvers();
    this.#socket.write(request);
    return this.#answered.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Opens the connection again if the server closed it while it was idle. */
  #open(): Socket {
    const socket = connect(this.#port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => this.#receive(text));
    socket.on("error", (error) => this.#answered?.reject(error));
    socket.on("close", () => this.#answered?.reject(new Error("the server closed the connection")));
    return socket;
  }

  /** Receives a response. It ends at its Content-Length; without one it has no body. */
  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, headEnd))?.[1] ?? 0);
    if (this.#received.length >= headEnd + 4 + length) this.#answered?.resolve(this.#received);
  }
}
