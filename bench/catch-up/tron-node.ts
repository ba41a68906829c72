/** A TRON node in its own process, for a long chain. It prints "Listening on <url>" and ends on SIGTERM. Runs unbuilt. */
import { startTronNode } from "@/sandbox/nodes/tron-node";

const node = await startTronNode({ blockMs: null, statesKept: 0 });
process.once("SIGTERM", () => void node.stop().then(() => process.exit(0)));
console.log(`Listening on ${node.url}`);
