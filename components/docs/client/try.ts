const KEY = "docs-api-key";
const JSON_TYPE = "application/json";

/** Shows the forms that send requests to this installation, and attaches their handlers. */
export function startTrying(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(".try")) {
    form.hidden = false;
    const key = inputOf(form, "key");
    if (key) key.value = recallKey();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>("[type=submit]");
  if (button) button.disabled = true;
  try {
    const request = requestOf(form);
    const startedAt = performance.now();
    const response = await fetch(request.url, request);
    const text = await response.text();
    const ms = Math.round(performance.now() - startedAt);
    show(
      form,
      `HTTP ${response.status}, ${ms} ms, request ${response.headers.get("x-request-id") ?? "without an id"}`,
      text,
    );
  } catch (error) {
    show(form, "The request was not sent", error instanceof Error ? error.message : String(error));
  } finally {
    if (button) button.disabled = false;
  }
}

/**
 * Returns the request that a form describes.
 * @throws SyntaxError if its body is not JSON
 */
function requestOf(form: HTMLFormElement): RequestInit & { url: string } {
  const { method = "POST", path = "" } = form.dataset;
  const key = inputOf(form, "key")?.value.trim() ?? "";
  const query = new URLSearchParams();
  let url = path;
  for (const input of form.querySelectorAll<HTMLInputElement>("input[data-in]")) {
    const value = input.value.trim();
    if (input.dataset["in"] === "path") url = url.replace(`{${input.name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(input.name, value);
  }
  if (query.size > 0) url += `?${query}`;
  if (key) rememberKey(key);
  const headers: Record<string, string> = key ? { "X-API-Key": key } : {};
  if (method === "GET") return { url, method, headers };
  const body = form.querySelector("textarea")?.value ?? "";
  JSON.parse(body);
  return { url, method, body, headers: { ...headers, "Content-Type": JSON_TYPE } };
}

function show(form: HTMLFormElement, status: string, text: string): void {
  const box = form.querySelector<HTMLElement>(".result");
  const line = form.querySelector("[data-result-status]");
  const code = form.querySelector("[data-result]");
  if (!box || !line || !code) return;
  line.textContent = status;
  code.textContent = indented(text);
  box.hidden = false;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Stores the key for this tab, so that it need not be entered again on the next page. */
function rememberKey(key: string): void {
  try {
    sessionStorage.setItem(KEY, key);
  } catch {}
}

function recallKey(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
