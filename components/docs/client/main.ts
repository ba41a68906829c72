import { startCopying } from "@/components/docs/client/copy";
import { startLanguages } from "@/components/docs/client/languages";
import { startSearch } from "@/components/docs/client/search";
import { startTrying } from "@/components/docs/client/try";

const WIDE = "(min-width: 64rem)";

/** Expands the collapsed objects that contain the target of the URL, and scrolls to the target. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target?.closest("details"); box; box = box.parentElement?.closest("details")) box.open = true;
  target?.scrollIntoView();
}

/** Collapses the menu on small screens, where it would be above the text. */
function startMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>("[data-menu]");
  const wide = matchMedia(WIDE);
  const update = () => {
    if (menu) menu.open = wide.matches;
  };
  wide.addEventListener("change", update);
  update();
  menu?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
}

startMenu();
startCopying();
startLanguages();
startSearch();
startTrying();
addEventListener("hashchange", openTarget);
if (location.hash) openTarget();
