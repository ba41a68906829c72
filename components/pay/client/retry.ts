import { main } from "@/components/pay/client/screen";

/** Reloads the page as soon as the server can show it. Until then, the page is not reloaded, so that the user can read it. */
function retryLater(): void {
  setTimeout(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!answer || answer.status === 429 || answer.status > 499) retryLater();
    else location.reload();
  }, Number(main().dataset["retry"]) * 1_000);
}

retryLater();
