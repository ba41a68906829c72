import { getContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

/** A handler that responds, in the API's envelope, that a path under /api/ does not exist. It requires no key. */
export const unknownApiPath = refusePath(() => getContext().api);
