/** A customer's browser without JavaScript: it keeps cookies, submits forms and does not follow redirects. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  /** Returns the text of a page. @throws Error if the status is not 200 */
  async open(url: string): Promise<string> {
    const response = await this.#send(url, { method: "GET" });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}\n${text}`);
    return text;
  }

  /** Submits the first form of a page with its hidden fields and the given ones. */
  async submit(url: string, page: string, fields: Record<string, string> = {}): Promise<Response> {
    const [, tag = "", content = ""] = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(page) ?? [];
    const hidden = [...content.matchAll(/<(?:input|button)\b[^>]*>/gi)]
      .map(([input]) => [attribute(input, "name"), attribute(input, "value") ?? ""] as const)
      .filter((entry): entry is readonly [string, string] => entry[0] !== null);
    const values = Object.entries({ ...Object.fromEntries(hidden), ...fields });
    const body = tag.includes("multipart/form-data") ? new FormData() : new URLSearchParams();
    for (const [name, value] of values) body.append(name, value);
    const action = new URL(attribute(tag, "action") || url, url);
    return this.#send(action.href, { method: "POST", body, headers: { origin: action.origin } });
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string>), cookie };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return found?.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&quot;", '"') ?? null;
}
