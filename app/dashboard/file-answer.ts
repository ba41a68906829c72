import type { FileForm } from "@/lib/domain/reports";

const TYPES = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** A file to keep, sent while it is made. */
export function fileAnswer(bytes: ReadableStream<Uint8Array>, name: string, { kind }: FileForm): Response {
  return new Response(bytes, {
    headers: {
      "content-type": TYPES[kind],
      "content-disposition": `attachment; filename="${name}.${kind}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // A proxy that keeps answers back would hold all of it.
      "x-accel-buffering": "no",
    },
  });
}
