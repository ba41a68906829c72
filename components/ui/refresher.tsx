"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Reloads the page every few seconds while it is visible. */
export function Refresher({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
