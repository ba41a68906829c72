import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext } from "@/lib/http/api-route";
import type { Work } from "@/lib/http/rate-limit";
import type { GreenfieldPlugin } from "@/lib/integrations/greenfield/authenticate";
import type { Permission } from "@/lib/integrations/greenfield/permissions";

/** An authenticated request for a store. */
export interface StoreCall {
  call: ApiCall;
  plugin: GreenfieldPlugin;
  now: Date;
}

/** A route below a store. */
export interface StoreRoute {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below the store; a segment that begins with ":" matches any one segment. */
  path: string;
  permission: Permission;
  work: Work;
  /**
   * @param id the second segment of the path
   * @param part the fourth segment of the path, which names a part of the thing with this id
   */
  answer(ctx: ApiContext, asked: StoreCall, id: string, part: string): Promise<object>;
}

/** Returns the query of a request. */
export const queryOf = ({ target }: ApiCall) => new URLSearchParams(target.slice(`${target}?`.indexOf("?") + 1));
