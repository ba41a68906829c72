import type { Localized } from "@/lib/domain/integrations/texts";
import type { AppSecret } from "@/lib/domain/keys/app-secret";

/** The page that asks a user whether an application may have a token. Its query is the application's. */
export const CONNECT_PAGE = "/dashboard/settings/plugins/connect";

/** The reason why an application gets no token; `what` is the wrong value as it was requested. */
export interface ConnectionRefusal {
  why: "nothingAsked" | "tooWide" | "noUrl" | "unprotected" | "ownPage";
  what: string;
}

/** A request of an application for a token of its own. */
export interface ConnectionRequest {
  /** The name that the application gives itself, which is not verified; "" if it gives none. */
  application: string;
  /** The URL to which the token goes; null: to the user, who enters it. */
  redirect: URL | null;
  /** True if the token goes there without https, which is accepted only for the user's own machine or network. */
  isUnprotected: boolean;
  permissions: readonly string[];
  /** Requested and not granted. */
  withheld: readonly string[];
}

/** A token on its way to the application that it was issued to. */
export interface IssuedToken {
  redirect: string;
  publicId: string;
  key: string;
  userId: string;
  permissions: readonly string[];
}

/** The flow by which applications request a token of their own in a user's browser. */
export interface IntegrationConnection {
  /** Reads a request. @param ownOrigin the origin of this service */
  read(query: URLSearchParams, ownOrigin: string): ConnectionRequest | ConnectionRefusal;
  /** Descriptions of the permissions by their names. */
  permissions: Localized<Readonly<Record<string, string>>>;
  /** The path to which the browser posts the ticket of an issued token as the field `ticket`. */
  connectionPath: string;
  /** Returns a ticket: the token, encrypted for the time of one redirect. */
  encryptToken(appSecret: AppSecret, token: IssuedToken, now: Date): string;
}
