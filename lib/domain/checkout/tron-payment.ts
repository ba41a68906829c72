import { bytesToHex, concatBytes, hexToBytes, sha256, stringToBytes } from "viem/utils";
import { transferCalldata } from "@/lib/domain/addresses/sweep";
import { TRON_FEE_LIMIT } from "@/lib/domain/checkout/tron-fee";

/** A payment for a TRON account to sign. Addresses are in canonical form; `units` are base units of the token. */
interface TronPayment {
  payer: string;
  recipient: string;
  contract: string;
  units: bigint;
  /** A recent block: the transaction is valid only on a chain that has it. The hash has 64 hexadecimal digits. */
  block: { height: number; hash: string };
  now: Date;
}

/** The time for which a transaction is valid. Nodes accept at most 24 hours. */
const VALID_MS = 12 * 3_600_000;
const TRIGGER_SMART_CONTRACT = 31;
const TYPE_URL = "type.googleapis.com/protocol.TriggerSmartContract";

/**
 * Returns an unsigned transaction that transfers tokens, in the form in which TRON's HTTP API and its wallets exchange transactions.
 * @see https://github.com/tronprotocol/protocol (core/Tron.proto, core/contract/smart_contract.proto)
 */
export function tronPayment({ payer, recipient, contract, units, block, now }: TronPayment) {
  const value = {
    data: transferCalldata(recipient, units).slice(2),
    owner_address: `41${payer.slice(2)}`,
    contract_address: `41${contract.slice(2)}`,
  };
  const raw = {
    contract: [{ parameter: { value, type_url: TYPE_URL }, type: "TriggerSmartContract" }],
    // The last two bytes of the height, and the bytes 8 to 15 of the block's id (developers.tron.network, TAPOS).
    ref_block_bytes: block.height.toString(16).padStart(16, "0").slice(12),
    ref_block_hash: block.hash.replace(/^0x/, "").slice(16, 32),
    expiration: now.getTime() + VALID_MS,
    fee_limit: TRON_FEE_LIMIT,
    timestamp: now.getTime(),
  };
  const trigger = concatBytes([
    bytesField(1, bytesOf(value.owner_address)),
    bytesField(2, bytesOf(value.contract_address)),
    bytesField(4, bytesOf(value.data)),
  ]);
  const parameter = concatBytes([bytesField(1, stringToBytes(TYPE_URL)), bytesField(2, trigger)]);
  const bytes = concatBytes([
    bytesField(1, bytesOf(raw.ref_block_bytes)),
    bytesField(4, bytesOf(raw.ref_block_hash)),
    intField(8, raw.expiration),
    bytesField(11, concatBytes([intField(1, TRIGGER_SMART_CONTRACT), bytesField(2, parameter)])),
    intField(14, raw.timestamp),
    intField(18, raw.fee_limit),
  ]);
  const hex = bytesToHex(bytes).slice(2);
  return { visible: false, txID: sha256(bytes).slice(2), raw_data: raw, raw_data_hex: hex };
}

const bytesOf = (hex: string) => hexToBytes(`0x${hex}`);

/** Returns a field of a protocol buffer that contains bytes, a text or a message. */
function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return concatBytes([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Returns a field of a protocol buffer that contains an integer. */
function intField(number: number, value: number): Uint8Array {
  return concatBytes([varint(number * 8), varint(value)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const isLast = rest < 128n;
    bytes.push(Number(rest & 127n) + (isLast ? 0 : 128));
    if (isLast) return Uint8Array.from(bytes);
  }
}
