import { createSocket } from "node:dgram";
import ipaddr from "ipaddr.js";

/** What a name server says of a name: its addresses, a failure, or nothing at all. */
export type DnsAnswer = readonly string[] | "SERVFAIL" | "NXDOMAIN" | "silence";

/** A name server on loopback; `answer` is asked per name and family. Gives its "ip:port". */
export async function startDns(
  answer: (name: string, family: 4 | 6) => DnsAnswer,
): Promise<{ server: string; close: () => Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const question = query.subarray(12, end);
    const family = query.readUInt16BE(end - 4) === 28 ? 6 : 4;
    const said = answer(nameOf(question), family);
    if (said === "silence") return;
    const code = said === "SERVFAIL" ? 2 : said === "NXDOMAIN" ? 3 : 0;
    const records = typeof said === "string" ? [] : said.map((address) => record(address));
    const head = Buffer.alloc(12);
    [query.readUInt16BE(0), 0x8180 | code, 1, records.length, 0, 0].forEach((value, index) => {
      head.writeUInt16BE(value, index * 2);
    });
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function nameOf(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join(".").toLowerCase();
}

/** Points to the name of the question, class IN, one second. */
function record(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const type = bytes.length === 4 ? 1 : 28;
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}
