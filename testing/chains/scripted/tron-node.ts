import { tronFalsifications } from "@/chaos/faults/tron-falsifications";
import type { Network } from "@/lib/domain/networks";
import { toBase58Address } from "@/sandbox/tron/network";
import { answerEvm, decimals, hexAddress, hexFamily, receipt } from "@/testing/chains/scripted/evm-node";
import { asTestChain, type ScriptedBlock, ScriptedChain } from "@/testing/chains/scripted/scripted-chain";
import { serveScript } from "@/testing/chains/scripted/serve-script";

const PAYER = `0x${"9a".repeat(20)}`;
const SOLID_LAG = 8;
/** The response of a TRON node for data that it does not have. */
const NOTHING = {};
const NO_HASH = "0".repeat(64);

/** Starts a scripted TRON node with both of its APIs; the first URL is JSON-RPC, the second the HTTP API. */
export async function startScriptedTron(network: Network) {
  const chain = new ScriptedChain(
    network,
    {
      ...hexFamily(network.chainId),
      newAddress: (random) => toBase58Address(hexAddress(random)),
      finalLag: SOLID_LAG,
      deepest: SOLID_LAG,
      noises: ["fakeToken", "lookAlike", "zero", "failed"],
      falsifications: tronFalsifications,
    },
    PAYER,
  );
  const node = await serveScript(({ method, params }) =>
    method.startsWith("/") ? answerHttp(chain, method, params[0] as Fields) : answerEvm(chain, method, params, 1),
  );
  return asTestChain(chain, [`${node.url}/jsonrpc`, node.url], node.stop);
}

interface Fields {
  num?: number;
  id_or_num?: string;
  value?: string;
  contract_address?: string;
}

function answerHttp(chain: ScriptedChain, path: string, fields: Fields): unknown {
  switch (path) {
    case "/wallet/getblock":
      return show(findBlock(chain, fields.id_or_num), false);
    case "/walletsolidity/getblock":
      return show(chain.block(chain.minHeight), false);
    case "/wallet/getblockbynum":
      return show(chain.block(fields.num ?? 0), true);
    case "/wallet/gettransactioninfobyblocknum":
      return infosOf(chain, chain.block(fields.num ?? 0));
    case "/wallet/gettransactioninfobyid": {
      const found = chain.find(`0x${fields.value}`);
      return infosOf(chain, found?.block ?? null).find(({ id }) => id === fields.value) ?? NOTHING;
    }
    case "/wallet/triggerconstantcontract": {
      const answer = decimals(chain.network, `0x${fields.contract_address?.slice(2)}`);
      return answer === "0x"
        ? { result: { code: "CONTRACT_VALIDATE_ERROR" } }
        : { result: { result: true }, constant_result: [answer.slice(2)] };
    }
    default:
      return { Error: `no such path: ${path}` };
  }
}

function findBlock(chain: ScriptedChain, at: string | undefined): ScriptedBlock | null {
  if (at === undefined) return chain.newest;
  return at.length === 64 ? chain.blockByHash(`0x${at}`) : chain.block(Number(at));
}

/** Returns a block in the format of the HTTP API. The first block has no number, and a block without transactions has no list of them. */
function show(block: ScriptedBlock | null, isWhole: boolean): object {
  if (block === null) return NOTHING;
  const { height, hash, parentHash, time, transactions } = block;
  const raw_data = {
    ...(height > 0 && { number: height }),
    parentHash: height === 0 ? NO_HASH : parentHash.slice(2),
    timestamp: time.getTime(),
  };
  const sent = transactions.map(({ id, isSuccess }) => ({
    txID: id.slice(2),
    ret: [{ contractRet: isSuccess ? "SUCCESS" : "REVERT" }],
  }));
  return {
    blockID: hash.slice(2),
    block_header: { raw_data },
    ...(isWhole && sent.length > 0 && { transactions: sent }),
  };
}

/** Returns the receipts of a block. They are available after the next block; until then the list is empty. */
function infosOf(chain: ScriptedChain, block: ScriptedBlock | null) {
  if (block === null || block.height >= chain.height) return [];
  return block.transactions.map((transaction) => {
    const callsContract = transaction.transfers.length > 0;
    return {
      id: transaction.id.slice(2),
      blockNumber: block.height,
      blockTimeStamp: block.time.getTime(),
      receipt: callsContract ? { result: transaction.isSuccess ? "SUCCESS" : "REVERT" } : {},
      ...(!transaction.isSuccess && { result: "FAILED" }),
      log: receipt(block, transaction).logs.map(({ address, topics, data }) => ({
        address: address.slice(2),
        topics: topics.map((topic) => topic.slice(2)),
        data: data.slice(2),
      })),
    };
  });
}
