import { showTimes, startClock, tick } from "@/components/pay/client/clock";
import { copy } from "@/components/pay/client/copy";
import { answerShop } from "@/components/pay/client/framed";
import { leaveIfPaid, stay } from "@/components/pay/client/leave";
import { catchUp, follow } from "@/components/pay/client/live";
import { payFromSandbox } from "@/components/pay/client/sandbox";
import { find } from "@/components/pay/client/screen";
import { listenForWallets, loadWallets } from "@/components/pay/client/wallet-offer";

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest("button");
  if (button?.dataset["copy"]) copy(button);
  if (button?.id === "print") print();
  if (button?.id === "stay") stay();
  if (button?.id === "wallet-pay") loadWallets();
});

document.addEventListener("submit", async (event) => {
  const form = event.target as HTMLFormElement;
  if (form.className !== "sandbox") return;
  event.preventDefault();
  await payFromSandbox(form);
  catchUp();
});

function showConnection(): void {
  const notice = find("offline");
  if (notice) notice.hidden = navigator.onLine;
}

addEventListener("online", () => {
  showConnection();
  catchUp();
});
addEventListener("offline", showConnection);
addEventListener("pageshow", (event) => {
  if (event.persisted) catchUp();
});
document.addEventListener("visibilitychange", catchUp);

const isTimeKnown = startClock();
showTimes();
setInterval(() => {
  if (!document.hidden && tick()) catchUp();
}, 1_000);
showConnection();
answerShop();
leaveIfPaid();
listenForWallets();
if (isTimeKnown) follow();
else catchUp();
