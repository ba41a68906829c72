import type { LanguageId } from "@/components/messages/languages";
import { messageOrNull } from "@/components/messages/problem-message";
import type { Problem } from "@/lib/domain/problems/problem";

/** Returns attempts, or callbacks with their last attempt, with the failure reasons in a language. */
export function describeErrors<Row extends { error: Problem | null }>(
  language: LanguageId,
  rows: readonly Row[],
): Promise<(Omit<Row, "error"> & { error: string | null })[]> {
  return Promise.all(rows.map(async (row) => ({ ...row, error: await messageOrNull(language, row.error) })));
}

/** Returns a callback with the failure reasons of its attempts in a language. */
export async function describeAttempts<
  Tried extends { error: Problem | null },
  Row extends { tries: readonly Tried[] },
>(language: LanguageId, callback: Row & { tries: readonly Tried[] }) {
  return { ...callback, tries: await describeErrors(language, callback.tries) };
}
