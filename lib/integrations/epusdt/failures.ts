import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import { countFailure } from "@/lib/http/authenticate";

/** Runs the work of a signed request. A refused signature counts as a failure of the client's address. */
export async function countingFailures<T>(
  api: ApiContext,
  call: ApiCall,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 10002;
    throw isRefusal ? await countFailure(api, call, error, now) : error;
  }
}
