/**
 * Node's flags of every launcher. By itself Node sizes the space of young objects by the machine's memory, and a busy process keeps all
 * of it: 100 MB of 280.
 */
export const MEMORY = ["--max-semi-space-size=16"];
