"use client";

import { Button } from "@/components/ui/button";

/** What a page shows when it could not be made: no detail, but the number under which the log has it. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 px-4 text-center">
      <h1 className="font-semibold text-xl">This page could not be made</h1>
      <p className="text-ink-soft">
        The service may be restarting, or its database may be away. Payments are still watched by the worker.
      </p>
      {error.digest ? <p className="font-mono text-ink-soft text-xs">Log entry {error.digest}</p> : null}
      <Button look="primary" onClick={reset}>
        Try again
      </Button>
    </main>
  );
}
