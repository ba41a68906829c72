import { main } from "@/components/pay/client/screen";

/** Reloads the page as soon as it can be shown; until then the current page is not reloaded while it is being read. */
function retryLater(): void {
  setTimeout(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!answer || answer.status === 429 || answer.status > 499) retryLater();
    else location.reload();
  }, Number(main().dataset["retry"]) * 1_000);
}

retryLater();
