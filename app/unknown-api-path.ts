import { getContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

/** Answers in the API's envelope that a path under /api/ does not exist. No key is needed. */
export const unknownApiPath = refusePath(() => getContext().api);
