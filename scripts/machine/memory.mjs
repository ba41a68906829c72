/**
 * The Node flags of every launcher. By default, Node sizes the young generation by the machine's memory, and a busy process keeps all of
 * it: 100 MB of 280.
 */
export const MEMORY = ["--max-semi-space-size=16"];
