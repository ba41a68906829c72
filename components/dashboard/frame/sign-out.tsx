"use client";

import { LogOut } from "lucide-react";
import { signOut } from "next-auth/react";
import { Button } from "@/components/ui/button";

/** Ends the session, on the server too. */
export function SignOut({ isIcon = false }: { isIcon?: boolean }) {
  return isIcon ? (
    <Button look="quiet" size="icon" aria-label="Sign out" title="Sign out" onClick={leave}>
      <LogOut aria-hidden />
    </Button>
  ) : (
    <Button onClick={leave}>Sign out</Button>
  );
}

/** A whole page load, so that nothing of the session stays in memory. */
async function leave() {
  await signOut({ redirect: false });
  window.location.assign("/login");
}
