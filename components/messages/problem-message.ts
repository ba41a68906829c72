import type { LanguageId } from "@/components/messages/languages";
import { type FieldError, type Problem, type Sentences, writeProblem } from "@/lib/domain/problems/problem";

/** The loaders of each language's sentences. They run only when there is a problem to show. */
const LOADERS: Readonly<Record<LanguageId, () => Promise<Sentences>>> = {
  en: loadEnglish,
  zh: async () => ({ ...(await loadEnglish()), ...(await import("@/components/messages/zh/problems")).problems }),
  es: async () => ({ ...(await loadEnglish()), ...(await import("@/components/messages/es/problems")).problems }),
  ru: async () => ({ ...(await loadEnglish()), ...(await import("@/components/messages/ru/problems")).problems }),
};

async function loadEnglish(): Promise<Sentences> {
  return (await import("@/lib/domain/problems/english")).english;
}

/** The error message of a form field. */
export interface FieldMessage {
  field: string;
  message: string;
}

/** Returns the message for a problem in a language, or the problem's code if the sentences cannot be loaded. */
export async function problemMessage(language: LanguageId, problem: Problem): Promise<string> {
  const sentences = await LOADERS[language]().catch(() => null);
  return sentences ? writeProblem(sentences, problem) : problem.code;
}

/** Returns the message for a problem in a language; null if there is no problem. */
export async function messageOrNull(language: LanguageId, problem: Problem | null): Promise<string | null> {
  return problem === null ? null : problemMessage(language, problem);
}

/** Returns the errors of fields as messages in a language. Errors that already have a message are unchanged. */
export function problemMessages(
  language: LanguageId,
  errors: readonly (FieldError | FieldMessage)[],
): Promise<FieldMessage[]> {
  return Promise.all(
    errors.map(async (error) =>
      "message" in error ? error : { field: error.field, message: await problemMessage(language, error) },
    ),
  );
}
