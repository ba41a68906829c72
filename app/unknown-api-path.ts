import { getContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

/** Answers in the API's envelope that a path under /api/ does not exist. Requires no key. */
export const unknownApiPath = refusePath(() => getContext().api);
