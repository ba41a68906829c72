/** What stories answer about receiving addresses when something cannot be done, as in problems.ts. */
export const addressProblems: Readonly<Record<string, string>> = {
  "Choose a network of the list": "请从列表中选择网络",
  "Paste the address from your wallet": "请粘贴您钱包中的地址",
  "Paste the address again": "请再次粘贴地址",
  "This is not the same address. Copy it from your wallet again": "两次的地址不同。请从钱包重新复制",
  "Paste the addresses from your wallet, one a line": "请粘贴您钱包中的地址，每行一个",
  "At most {most} addresses at once; these are {count}": "一次最多 {most} 个地址，目前为 {count} 个",
  "The same address as in line {line}": "与第 {line} 行的地址相同",
  "Use at most {most} characters": "最多 {most} 个字符",
  "This address cannot be added on {network}: choose one that only your shop uses":
    "此地址无法添加到 {network}：请选择只有您的店铺使用的地址",
  "You have added this address on {network} already": "您已在 {network} 添加过此地址",
  "Payments to this address are still open from the time it was {before}. Add it as {kind}, or wait until they have ended":
    "此地址作为{before}地址时的付款尚未结束。请以{kind}地址添加，或等待其结束",
  "This address is {before} on {network}: payers may pick the wrong network, so it is of one kind on all that share it. Add it as {kind}, or choose another":
    "此地址在 {network} 上是{before}地址：付款人可能选错网络，因此在共用它的网络上类型必须相同。请以{kind}地址添加，或另选一个",
  shared: "共享",
  dedicated: "专用",
  "This address was changed in the database, not here, so it stays out of use. Remove it and add the right one":
    "此地址在数据库中被改动，而不是在这里更改的，因此停用。请将其移除并添加正确的地址",
  "This address was removed already. Reload the page": "此地址已移除。请重新加载页面",
  "{shown} is not an address on {network}: it must be {form}": "{shown} 不是 {network} 的地址：应为 {form}",
  "{needed}. This one is an address of {owner}": "{needed}。这是 {owner} 的地址",
  "Ethereum and networks like it": "以太坊及同类网络",
  "0x followed by 40 hexadecimal digits": "0x 后接 40 个十六进制字符",
  "34 letters and digits that begin with T": "以 T 开头的 34 个字母和数字",
  "32 to 44 letters and digits without 0, O, I and l": "32 至 44 个字母和数字，不含 0、O、I 和 l",
  "That is the {currency} contract on {network}, not a wallet: money sent there is lost":
    "这是 {network} 上的 {currency} 合约，不是钱包：转到那里的钱会丢失",
  "The zero address belongs to nobody: money sent there is lost": "零地址不属于任何人：转到那里的钱会丢失",
  "The capital letters of {typed} do not fit its checksum: a character is mistyped. Copy the address from your wallet again":
    "{typed} 的大小写与校验和不符：有字符输错。请从钱包重新复制地址",
  "{typed} does not fit its checksum: a character is mistyped, or its capital letters were lost. Copy the address from your wallet again":
    "{typed} 与校验和不符：有字符输错，或大小写丢失。请从钱包重新复制地址",
  "{typed} is the hexadecimal form of an address, which has no checksum. If it is {shown}, give it in that form":
    "{typed} 是地址的十六进制形式，没有校验和。如果它是 {shown}，请用该形式填写",
  "{typed} is the {program} program, not a wallet: money sent there is lost":
    "{typed} 是 {program} 程序，不是钱包：转到那里的钱会丢失",
  "There is no such protocol. Reload the page": "没有此协议。请重新加载页面",
  "This protocol was never switched on. Reload the page": "此协议从未启用。请重新加载页面",
  "This key is revoked already, or has ended. Reload the page": "此密钥已撤销或已到期。请重新加载页面",
  "Choose what expiration_time means": "请选择 expiration_time 的含义",
  '"{typed}" is no currency that is known here': "“{typed}”不是本系统已知的货币",
  "There is no such network. Reload the page": "没有此网络。请重新加载页面",
  "Enter a whole number of days from {least} to {most}, or nothing":
    "请输入 {least} 到 {most} 之间的整数（天），或留空",
  "Enter a whole number of {unit} from {least} to {most}": "请输入 {least} 到 {most} 之间的整数（{unit}）",
  "Enter an amount above 0 with at most {decimals} decimals, or nothing":
    "请输入大于 0 的金额（最多 {decimals} 位小数），或留空",
  "Enter a percentage from {least} to {most} with at most 2 decimals, or nothing":
    "请输入 {least} 到 {most} 之间的百分比（最多 2 位小数），或留空",
  "{field}: an order must ask for at least {amount}, as set under Settings → Order terms":
    "{field}：按“设置 → 订单规则”，订单金额至少为 {amount}",
  "{field}: an order must ask for at most {amount}, as set under Settings → Order terms":
    "{field}：按“设置 → 订单规则”，订单金额最多为 {amount}",
  "{currency} on {network} is not offered; switch it on in the back office under Settings → Order terms, or ask for another":
    "未提供 {network} 上的 {currency}；请在“设置 → 订单规则”中开启，或改用其他方式",
  "The most must not be below the least": "最高金额不能低于最低金额",
  "The late window is 0 hours; it must be at least 1 hour while you have shared receiving addresses":
    "逾期付款有效时间为 0 小时；使用共用收款地址时至少须为 1 小时",
  "Offer at least one currency on one network: orders could not be paid otherwise":
    "请至少保留一个网络上的一种币种，否则订单无法付款",
  minutes: "分钟",
  hours: "小时",
  "Use a whole number from 1 to {most}, or a time such as 90 s, 10 min or 2 h, or leave it empty":
    "请填 1 至 {most} 的整数，或 90 s、10 min、2 h 这样的时间，或留空",
  "Use at most {most}: on {network} they take about a day": "最多 {most}：在 {network} 上约需一天",
  "Use at most 24 h": "最多 24 h",
  "The text is too old to be signed. Go back, show the addresses again, and sign what is shown then":
    "这段文字已过期。请返回，重新显示地址，并签署届时显示的文字",
  "That is no signature of this text: it has 130 hexadecimal characters. Sign the text as it stands here, and paste what your wallet answers":
    "这不是该文字的签名：签名有 130 个十六进制字符。请按原样签署这里的文字，并粘贴钱包返回的内容",
  "That was signed by {by}. Choose {wanted} in your wallet and sign again":
    "签名者是 {by}。请在钱包中选择 {wanted} 并重新签名",
  "Receiving addresses cannot be verified at the moment, so none is given out: the operator of this installation has to correct its settings, then ask again":
    "目前无法校验收款地址，因此不会分配任何地址：请由本系统的运营者修正设置后再试",
  "A receiving address does not fit its seal: it was changed in the database, so it was paused; check it in the back office under Settings → Receiving addresses, then ask again":
    "有一个收款地址与其校验封印不符：它在数据库中被更改，因此已暂停；请在“设置 → 收款地址”中检查后重试",
};
