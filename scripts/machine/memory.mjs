/**
 * The Node flags of every launcher. By default, Node sizes the young generation by the machine's memory. In a busy process, the young
 * generation then uses 100 MB of the total of 280 MB.
 */
export const MEMORY = ["--max-semi-space-size=16"];
