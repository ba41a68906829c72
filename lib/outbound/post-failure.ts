/** Why a post did not get an answer, in words that its merchant may read. */
export class PostFailure extends Error {
  override readonly name = "PostFailure";
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before an answer came",
  EPIPE: "the connection was closed before an answer came",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host's network cannot be reached",
  EADDRNOTAVAIL: "the host's network cannot be reached",
  EMFILE: "this service has no more connections to spare",
  HPE_HEADER_OVERFLOW: "the headers of the answer are too long",
};

/** The words for whatever ended a post. System errors are named without addresses. */
export function wordsOf(error: unknown): string {
  if (error instanceof PostFailure) return error.message;
  if (!(error instanceof Error)) return "something unknown went wrong";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (WORDS[code]) return WORDS[code];
  if (code.startsWith("HPE_")) return "the answer is no valid HTTP";
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return "the host does not speak TLS as we do";
  return code ? `${error.message.slice(0, 200)} (${code})` : error.message.slice(0, 200);
}

interface Stage {
  ms: number;
  /** What to say when the time is over. */
  problem: string;
}

/**
 * Runs one stage of a post within its own time and that of the whole post.
 * @throws PostFailure with the stage's problem, or with the reason of `total`, whichever comes first.
 */
export async function within<T>(
  stage: Stage,
  total: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(new PostFailure(stage.problem)), stage.ms);
  const signal = AbortSignal.any([total, own.signal]);
  const over = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([run(signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
