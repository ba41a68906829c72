import { getContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

/** A handler for nonexistent paths under /api/. It responds with an error in the API's envelope and requires no key. */
export const unknownApiPath = refusePath(() => getContext().api);
