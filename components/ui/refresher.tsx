"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Reads the page anew every few seconds while somebody looks at it. */
export function Refresher({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && router.refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
