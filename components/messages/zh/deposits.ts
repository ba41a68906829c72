import type { deposits as en } from "@/components/messages/en/deposits";
import type { Translation } from "@/components/messages/en/translation";

export const deposits: Translation<typeof en> = {
  title: "充值",
  hint: "固定属于客户的地址，以及已最终确认的到账。",
  customer: "客户",
  address: "地址",
  received: "已收到",
  count: "转账笔数",
  open: "{count, number} 笔尚未最终确认",
  reversed: "{count, number} 笔因链重组被移除",
  last: "最近转账",
  never: "暂无",
  nothing: "暂无到账",
  none: "还没有客户拥有专属地址",
  noneHint: "您的服务器通过 deposit-address 申请。这需要一次只服务一位付款人的地址：请先添加地址列表或公钥。",
  toAddresses: "收款地址",
  nothingFits: "没有符合条件的充值地址",
  lookFor: "可按您的服务器给出的客户名称或其开头查找，也可输入完整地址。",
  showAll: "显示全部充值",
  transfers: "转到此地址的转账",
  noTransfers: "此地址尚未收到任何款项。",
  details: "详情",
  page: "客户页面",
  id: "编号",
  notifyUrl: "通知发送至",
  noNotifyUrl: "未设置：可通过 event/list 和 deposit/list 查询",
  since: "分配时间",
  lost: "{count, number} 笔已确认的充值因链重组被移除，不再计入已收金额。请在区块浏览器中核实；若再次上链，会自动重新确认。",
  closed: "此地址已暂停或移除：客户页面会提示请勿转账。到账仍会计入。可在“设置 → 收款地址”中重新启用。",
  broken:
    "此地址的存储内容与其校验码不符：数据库被更改，或 APP_SECRET 不同。该地址已暂停，且不会在任何地方显示。请在“设置 → 收款地址”中查看。",
};
