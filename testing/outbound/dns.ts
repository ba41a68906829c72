import { createSocket } from "node:dgram";
import ipaddr from "ipaddr.js";

/** A CNAME record: a different name, with its addresses. */
interface Alias {
  cname: string;
  addresses: readonly string[];
}

/** The response of a name server: addresses, a different name, a failure, or no response. */
export type DnsAnswer = readonly string[] | Alias | "SERVFAIL" | "NXDOMAIN" | "silence";

/** Starts a name server on loopback that calls `answer` for each name and family. @returns its "ip:port" and the queries it received */
export async function startDns(
  answer: (name: string, family: 4 | 6) => DnsAnswer,
): Promise<{ server: string; asked: string[]; close: () => Promise<void> }> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const question = query.subarray(12, end);
    const family = query.readUInt16BE(end - 4) === 28 ? 6 : 4;
    asked.push(`${nameOf(question)} ${family}`);
    const answered = answer(nameOf(question), family);
    if (answered === "silence") return;
    const code = answered === "SERVFAIL" ? 2 : answered === "NXDOMAIN" ? 3 : 0;
    const records = typeof answered === "string" ? [] : recordsOf(answered);
    const head = Buffer.alloc(12);
    [query.readUInt16BE(0), 0x8180 | code, 1, records.length, 0, 0].forEach((value, index) => {
      head.writeUInt16BE(value, index * 2);
    });
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
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

/**
 * Returns the records of a response, of class IN and valid for one second. The owner of the addresses is the queried name, or the name
 * that it points to.
 */
function recordsOf(answered: readonly string[] | Alias): Buffer[] {
  const owner = Buffer.from([0xc0, 12]);
  if (!("cname" in answered)) return answered.map((address) => addressRecord(owner, address));
  const target = nameBytes(answered.cname);
  return [record(owner, 5, target), ...answered.addresses.map((address) => addressRecord(target, address))];
}

function addressRecord(owner: Buffer, address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  return record(owner, bytes.length === 4 ? 1 : 28, bytes);
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  return Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 1, 0, data.length]), data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
