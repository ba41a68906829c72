import { main } from "@/components/pay/client/screen";

/** Shows the page anew as soon as it can be shown: what stands here meanwhile is not loaded again and again under who reads it. */
function retryLater(): void {
  setTimeout(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (!answer || answer.status === 429 || answer.status > 499) retryLater();
    else location.reload();
  }, Number(main().dataset["retry"]) * 1_000);
}

retryLater();
