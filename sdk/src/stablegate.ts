export type * from "./api.ts";
export { type CallbackEvent, type CallbackHeaders, type VerifyOptions, verifyCallback } from "./callback.ts";
export {
  type CreatedOrder,
  type LinkName,
  type OrderName,
  type PaymentMethod,
  Stablegate,
  type StablegateSettings,
  type WaitOptions,
} from "./client.ts";
export {
  ApiError,
  type ApiErrorCode,
  CallbackError,
  type CallbackErrorCode,
  ConnectionError,
  type ConnectionErrorCode,
  StablegateError,
  WaitTimeoutError,
} from "./errors.ts";
export type { CallOptions } from "./transport.ts";
