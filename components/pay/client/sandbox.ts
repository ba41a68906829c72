import { announceStatus } from "@/components/pay/client/screen";

/** Pays from the sandbox wallet without leaving the page, which then follows the payment. */
export async function payFromSandbox(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector("button");
  if (!button) return;
  const { busy = "", done = "", failed = "" } = form.dataset;
  button.disabled = true;
  button.textContent = busy;
  const isSent = await fetch(form.action, { method: "POST", headers: { accept: "application/json" } }).then(
    (answer) => answer.ok,
    () => false,
  );
  button.textContent = isSent ? done : failed;
  button.disabled = isSent;
  announceStatus(isSent ? done : failed);
}
