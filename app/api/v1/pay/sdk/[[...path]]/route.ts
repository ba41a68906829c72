import { getApiContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

const PATHS = [
  "order/add",
  "order/checkout",
  "order/detail",
  "order/list",
  "order/cancel",
  "payment-methods",
  "merchant/detail",
  "plugin/activate",
  "event/list",
];

const refuse = refusePath(
  getApiContext,
  PATHS.map((path) => `POST /api/v1/pay/sdk/${path}`),
);

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
};
