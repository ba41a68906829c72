import { getApiContext } from "@/app/context";
import { refusePath } from "@/lib/http/api-route";

const refuse = refusePath(getApiContext, ["POST /api/v1/pay/sdk/order/add", "POST /api/v1/pay/sdk/order/detail"]);

export {
  refuse as DELETE,
  refuse as GET,
  refuse as HEAD,
  refuse as OPTIONS,
  refuse as PATCH,
  refuse as POST,
  refuse as PUT,
};
