import type { FileForm } from "@/lib/domain/reports";

const TYPES = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Returns a response that downloads a file, streamed while it is generated. */
export function fileAnswer(bytes: ReadableStream<Uint8Array>, name: string, { kind }: FileForm): Response {
  return new Response(bytes, {
    headers: {
      "content-type": TYPES[kind],
      "content-disposition": `attachment; filename="${name}.${kind}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // A proxy that buffers responses would store the whole file.
      "x-accel-buffering": "no",
    },
  });
}
