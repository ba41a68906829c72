import { readPlatformKeys } from "@/lib/domain/keys/key-pair";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { isSignedEpayRsa } from "@/lib/integrations/epay-rsa/signature";
import { refuseAmbiguous } from "@/lib/integrations/shared/epay/create-order";
import { type EpayRequest, textIn } from "@/lib/integrations/shared/epay/fields";
import { authenticatePlugin, type Plugin, type PluginContext } from "@/lib/plugins/plugin-caller";

/** The authenticated shop of a request, and the key that signs the response. */
export interface EpayRsaCaller {
  plugin: Plugin;
  platformPrivateKey: string;
}

const MAX_SECONDS_APART = 300;
const TIMESTAMP = /^\d{10}$/;

/**
 * Returns the shop that signed a request, if the signature is at most 300 seconds old.
 * @throws AppError 10001 without a pid or with a field that contains another field, 10002
 */
export async function authenticateEpayRsa(
  ctx: PluginContext,
  { fields }: EpayRequest,
  now: Date,
): Promise<EpayRsaCaller> {
  const publicId = textIn(fields, "pid");
  if (publicId === "") throw new AppError(problem("pid_missing"));
  const signType = textIn(fields, "sign_type");
  if (signType !== "RSA") throw new AppError(problem("sign_type_not_rsa", { given: signType.slice(0, 20) }));
  checkTimestamp(textIn(fields, "timestamp"), now);
  const named = { integration: "epay-rsa", publicId };
  const isSigned = (secret: string) => isSignedEpayRsa(fields, readPlatformKeys(secret).shopPublicKey);
  const { plugin, key } = await authenticatePlugin(ctx, named, isSigned, now);
  refuseAmbiguous(fields);
  return { plugin, platformPrivateKey: readPlatformKeys(key).platformPrivateKey };
}

function checkTimestamp(given: string, now: Date): void {
  const time = Math.floor(now.getTime() / 1_000);
  const isClose = TIMESTAMP.test(given) && Math.abs(time - Number(given)) <= MAX_SECONDS_APART;
  if (isClose) return;
  throw new AppError(problem("timestamp_too_far", { given: given.slice(0, 20), max: MAX_SECONDS_APART, time }));
}

/**
 * Refuses a request whose signature was made for creating an order. The signed text does not name the path, and the payer's browser knows
 * the signed fields of pay/submit. Otherwise the payer could read the shop's orders with them.
 * @throws AppError 10002
 */
export function refuseCreateSignature({ fields }: EpayRequest): void {
  if (textIn(fields, "notify_url") !== "") throw new AppError(problem("signature_of_other_path"));
}
