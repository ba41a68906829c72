import Link from "next/link";
import { Button } from "@/components/ui/button";

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 px-4 text-center">
      <h1 className="font-semibold text-xl">This page does not exist</h1>
      <p className="text-ink-soft">The link may be mistyped or old.</p>
      <Button asChild>
        <Link href="/">Go to the start</Link>
      </Button>
    </main>
  );
}
