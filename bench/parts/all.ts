import { measureNodeCalls } from "@/bench/parts/calls";
import { measureConfirming } from "@/bench/parts/confirm";
import { measureCreates } from "@/bench/parts/creates";
import { measureDeliveries } from "@/bench/parts/deliveries";
import { measureDerived } from "@/bench/parts/derived";
import { measureLatency } from "@/bench/parts/latency";
import { measureMemory } from "@/bench/parts/memory";
import { measureScans } from "@/bench/parts/scan";
import { measureStarts } from "@/bench/parts/starts";
import { measureStreams } from "@/bench/parts/streams";
import { measurePageViews } from "@/bench/parts/views";
import type { Parts } from "@/bench/table/run-parts";

/** The parts of the benchmark's table, in order. */
export const PARTS: Parts = {
  creates: { what: "orders created and queried over HTTP", measure: measureCreates },
  derived: { what: "orders on derived addresses", measure: measureDerived },
  scan: { what: "a block with 76 transfers read, by each API", measure: measureScans },
  confirm: { what: "ten thousand final transfers confirmed through a distant node", measure: measureConfirming },
  latency: { what: "from a block to its callback", measure: measureLatency },
  deliveries: { what: "callbacks delivered", measure: measureDeliveries },
  views: { what: "the payment page viewed", measure: measurePageViews },
  streams: { what: "event streams kept open", measure: measureStreams },
  calls: { what: "calls for watching networks", measure: measureNodeCalls },
  starts: { what: "processes started", measure: measureStarts },
  memory: { what: "memory when idle and under load", measure: measureMemory },
};
