/**
 * Waits for statements that were sent together on one connection, which saves their round trips. They must not depend on each other's
 * order, and must be sent by asynchronous functions: if one of these threw an error before it returns its promise, those before it would
 * not be waited for. Rejects only after all have ended: a statement that is sent later on the connection of a transaction that was rolled
 * back would take effect by itself.
 * @throws the error of the statement that failed first; in a transaction, those after it fail because of it
 */
export async function allEnded<T extends readonly unknown[] | []>(
  sent: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const errors: unknown[] = [];
  // A statement of the ORM is sent each time that it is awaited.
  const running = sent.map((one) =>
    Promise.resolve(one).catch((error: unknown) => {
      errors.push(error);
      throw error;
    }),
  );
  await Promise.allSettled(running);
  if (errors.length > 0) throw errors[0];
  return Promise.all(running) as Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }>;
}
