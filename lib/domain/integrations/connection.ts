import type { Localized } from "@/lib/domain/integrations/texts";
import type { AppSecret } from "@/lib/domain/keys/app-secret";

/** The page on which a user approves the token request of an application. The application sets its query parameters. */
export const CONNECT_PAGE = "/dashboard/settings/plugins/connect";

/** The reason why an application gets no token; `what` is the invalid value of its request. */
export interface ConnectionRefusal {
  why: "nothingAsked" | "tooWide" | "noUrl" | "unprotected" | "ownPage";
  what: string;
}

/** A request of an application for its own token. */
export interface ConnectionRequest {
  /** The name that the application sent, which is not verified; "" if it sent none. */
  application: string;
  /** The URL to which the token is sent; null if it is shown to the user, who enters it. */
  redirect: URL | null;
  /** True if the token is sent without https, which is accepted only for the user's own machine or network. */
  isUnprotected: boolean;
  permissions: readonly string[];
  /** The permissions that were requested but not granted. */
  withheld: readonly string[];
}

/** An issued token, to be delivered to its application. */
export interface IssuedToken {
  redirect: string;
  publicId: string;
  key: string;
  userId: string;
  permissions: readonly string[];
}

/** The flow by which applications request their own token in a user's browser. */
export interface IntegrationConnection {
  /**
   * Reads a request.
   * @param ownOrigin the origin of this service
   */
  read(query: URLSearchParams, ownOrigin: string): ConnectionRequest | ConnectionRefusal;
  /** Descriptions of the permissions by their names. */
  permissions: Localized<Readonly<Record<string, string>>>;
  /** The path to which the browser posts the ticket of an issued token as the field `ticket`. */
  connectionPath: string;
  /** Returns a ticket: the token, encrypted for one short-lived redirect. */
  encryptToken(appSecret: AppSecret, token: IssuedToken, now: Date): string;
}
