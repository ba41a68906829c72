"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { getContext } from "@/app/context";
import { textOf } from "@/app/form-fields";
import { LANGUAGE_COOKIE, languageOf } from "@/components/messages/languages";

const YEAR_S = 365 * 24 * 3600;

/** Stores the language that the user of this browser chose, signed in or not. */
export async function chooseLanguage(form: FormData): Promise<void> {
  const language = languageOf(textOf(form, "language"));
  if (!language) return;
  const secure = getContext().env.publicUrl.startsWith("https:");
  (await cookies()).set(LANGUAGE_COOKIE, language, {
    maxAge: YEAR_S,
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    secure,
  });
  revalidatePath("/", "layout");
}
