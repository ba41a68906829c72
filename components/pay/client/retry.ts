import { main } from "@/components/pay/client/screen";

/** Reloads the page once the server can serve it again. Until then, the current page stays readable. */
function retryLater(): void {
  setTimeout(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!answer || answer.status === 429 || answer.status > 499) retryLater();
    else location.reload();
  }, Number(main().dataset["retry"]) * 1_000);
}

retryLater();
