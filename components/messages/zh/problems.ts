import { addressProblems } from "@/components/messages/zh/address-problems";

/**
 * What stories answer when something cannot be done, by the English sentence that they answer: {holes} stand for what differs, and
 * what stands in them is looked up too. A test finds every sentence that is not here.
 */
export const problems: Readonly<Record<string, string>> = {
  "The service could not be reached. Nothing was lost; try again": "无法连接服务。没有任何丢失，请重试",
  // who may, and who is it
  "Your role may look at this but not change it": "您的角色只能查看，不能更改",
  "Only an owner of this shop may do this": "只有本店铺的所有者可以执行此操作",
  "This cannot be allowed. Go back to the application, and connect anew": "无法允许此请求。请返回该应用并重新连接",
  "You went to another shop in another window. Reload this page, and look which shop it shows":
    "您在另一个窗口切换到了别的店铺。请重新加载本页，并确认显示的是哪个店铺",
  "You do not belong to this shop any more. Reload the page": "您已不属于此店铺。请重新加载页面",
  "Your session has ended. Sign in again": "您的会话已结束，请重新登录",
  "That took too long. Sign in again": "用时过长，请重新登录",
  "Enter your password": "请输入密码",
  "This is not your password": "密码不正确",
  "Too many wrong passwords. Try again in {minutes} min": "密码错误次数过多，请在 {minutes} 分钟后重试",
  "Your password was just changed elsewhere. Sign in again": "您的密码刚在别处更改，请重新登录",
  "Use at least {min} characters; this has {length}. A few random words are easy to remember":
    "至少需要 {min} 个字符，目前为 {length} 个。几个随机的词容易记住",
  "Use at most {max} characters; this has {length}": "最多 {max} 个字符，目前为 {length} 个",
  "Verify your e-mail address first: sign out, choose Forgot your password?, and set a password by the mailed link":
    "请先验证您的邮箱：退出登录，选择“忘记密码？”，并通过邮件中的链接设置密码",
  "Your e-mail address cannot be verified, because this installation sends no mail. Use an authenticator app, or ask the operator to set SMTP_URL":
    "无法验证您的邮箱，因为此系统不发送邮件。请使用身份验证器应用，或请运营者设置 SMTP_URL",
  "Use more than three different characters": "请使用三种以上不同的字符",
  "This password is one of the most common ones. A few random words are easy to remember and hard to guess":
    "这是最常见的密码之一。几个随机的词容易记住，也难以猜到",
  "Do not use your e-mail address, or the name of your shop or of this service, as the password":
    "请不要把您的邮箱、店铺名称或本服务的名称用作密码",
  "Enter a code: of your authenticator app, or a recovery code": "请输入身份验证器的验证码或恢复码",
  "Too many wrong codes. Try again in {minutes} min": "验证码错误次数过多，请在 {minutes} 分钟后重试",
  "Too many wrong codes. Try again later": "验证码错误次数过多，请稍后重试",
  "This code is wrong, or was used already. Wait for the next one": "验证码错误或已使用过，请等待下一个",
  "Too many tries. Wait a minute and try again": "尝试次数过多，请一分钟后重试",
  "Too many tries. Try again in a few minutes": "尝试次数过多，请几分钟后重试",
  // second factors
  "A shop of yours asks for a second factor, and this is your last. Add another first":
    "您的一个店铺要求双重验证，而这是您最后一个验证方式。请先添加另一个",
  "Your authenticator app is set up already. Remove it first": "身份验证器已设置。请先将其移除",
  "Begin anew: reload this page": "请重新加载本页后重新开始",
  "This is not the code that belongs to it now. Is the clock of your phone right?":
    "验证码与当前时间不符。您手机的时间准确吗？",
  "You have no second factor yet": "您还没有双重验证方式",
  "There is no authenticator app any more": "身份验证器已不存在",
  "There is no such passkey any more": "此通行密钥已不存在",
  "That took too long, or was used already. Try again": "用时过长，或已使用过。请重试",
  "This passkey is not known here. Sign in with your password": "此通行密钥在这里未登记。请使用密码登录",
  "The passkey was not accepted. Try again": "通行密钥未被接受，请重试",
  "This passkey counted backwards, as a copy of it would: it is refused. Sign in another way, remove it, and add a new one":
    "此通行密钥的计数倒退，像是复制品，因此被拒绝。请用其他方式登录，将其移除并添加新的",
  "You have {most} passkeys. Remove one that you do not use": "您已有 {most} 个通行密钥。请移除一个不用的",
  "Give the passkey a name, 1 to {length} characters": "请为通行密钥命名，1 至 {length} 个字符",
  "This passkey is here already": "此通行密钥已存在",
  "It is signed out already": "它已退出登录",
  // accounts, shops and people
  "This installation sends no mail. Ask whoever runs it for a new password":
    "此服务器不发送邮件。请联系其管理者设置新密码",
  "This link was used, or is older than 30 minutes. Ask for a new one":
    "此链接已被使用，或已超过 30 分钟。请请求新的链接",
  "Somebody has this e-mail address. Sign in instead": "此邮箱已有人使用。请直接登录",
  "This is not the set-up code of this installation": "这不是本服务器的设置码",
  "Enter the name of your shop, 1 to 100 characters": "请输入店铺名称，1 至 100 个字符",
  '"{email}" is not an e-mail address': "“{email}”不是电子邮箱",
  "Enter your e-mail address": "请输入电子邮箱",
  "Nobody new can register at this installation. Ask whoever runs it": "此服务器不接受新注册。请联系其管理者",
  "This invitation was used, taken back or is older than a week. Ask for a new one":
    "此邀请已使用、已撤回或已超过一周。请索取新的邀请",
  "This invitation is for {invited}, and you are signed in as {email}":
    "此邀请是发给 {invited} 的，而您以 {email} 登录",
  "This invitation does not wait any more. Reload the page": "此邀请已不再等待。请重新加载页面",
  "Somebody has registered this e-mail address just now. Reload the page and sign in":
    "刚刚有人注册了此邮箱。请重新加载页面并登录",
  "{count} invitations wait already. Take some back first": "已有 {count} 个邀请在等待。请先撤回一些",
  "This person belongs to the shop already": "此人已属于本店铺",
  "This person does not belong to the shop any more. Reload the page": "此人已不属于本店铺。请重新加载页面",
  "Choose a role": "请选择角色",
  "A shop needs an owner. Make somebody else one first": "店铺需要所有者。请先指定另一位",
  "Add an authenticator app or a passkey of your own first, under Security":
    "请先在“安全”中为自己添加身份验证器或通行密钥",
  "Only whoever runs this installation may make shops": "只有本服务器的管理者可以创建店铺",
  "Only an operator of this installation may do this": "只有本服务器的运营者可以执行此操作",
  "Enter a reason": "请填写原因",
  '"{name}" is no network of this version, and has never been used here': "此版本没有网络“{name}”，此处也从未使用过它",
  "You belong to {count} shops already": "您已属于 {count} 个店铺",
  // orders and transfers
  "You have no order with this id": "您没有此编号的订单",
  "This order is paid already": "此订单已付款",
  "This order is paid: it cannot be cancelled": "此订单已付款，无法取消",
  "This order has expired already": "此订单已过期",
  "This order is cancelled already": "此订单已取消",
  "A transfer for this order has arrived, so only a user can cancel it, in the back office":
    "此订单已有转账到账，因此只能由用户在后台取消",
  "A transfer of the whole amount has arrived: it is being confirmed, or is listed among the unmatched transfers, where it can be assigned":
    "全额转账已到账：正在确认，或列在未匹配的转账中，可在那里分配",
  "A payment of this order is being confirmed: it cannot be cancelled now": "此订单的付款正在确认，现在无法取消",
  "The payer of this order has not chosen a network yet, so nothing is asked for that could be paid":
    "付款人尚未选择网络，因此还没有可支付的金额",
  "Say why, for those who look at this order later": "请写明原因，供日后查看此订单的人了解",
  "It is being sent at this moment": "此刻正在发送",
  "There is no such transfer": "没有这笔转账",
  "This transfer pays an order already": "这笔转账已支付一个订单",
  "This transfer is not linked to this order": "这笔转账未与此订单关联",
  "This order is paid, so its transfers cannot be unlinked": "此订单已付款，因此无法解除其转账的关联",
  "This is a customer's deposit: it pays no order": "这是客户的充值，不支付任何订单",
  "The chain took this transfer back: there is nothing to assign": "链上已撤回这笔转账，没有可分配的款项",
  "The chain took this transfer back: there is nothing to refund": "链上已撤回这笔转账，没有可退的款项",
  "This transfer is not final yet: note its refund once it is confirmed": "这笔转账尚未最终确认：请在确认后再登记退款",
  "This is no transaction id of {network}": "这不是 {network} 的交易编号",
  "This is the payment itself, not its refund": "这是付款本身，不是其退款",
  "Too many refunds were noted at once. Wait a moment and try again": "一次登记的退款过多。请稍候再试",
  "This transfer is being matched at this moment. Try again": "这笔转账正在匹配，请重试",
  "This is {token}, which pays no order. {advice}": "这是 {token}，不能支付订单。{advice}",
  "It cannot be assigned: send it back, or accept it by marking its order as paid by hand.":
    "无法分配：请退回，或手动将其订单标记为已付款。",
  "Nobody waits for this any more: it was acknowledged, or the chain has the transfer again":
    "已无需处理：已被确认知晓，或该转账已重新上链",
  "amount is missing; it must be {rule}": "缺少金额；应为 {rule}",
  "fiat_amount is missing, though fiat is given; it must be {rule}": "缺少金额；应为 {rule}",
  "is missing, though fiat_amount is given; it must be {rule}": "缺少货币；应为 {rule}",
  "is missing, though fiat is given; it must be {rule}": "缺少金额；应为 {rule}",
  "is missing; it must be {rule}": "缺少内容；应为 {rule}",
  "{given} is not a number; it must be {rule}": "{given} 不是数字；应为 {rule}",
  "{given} is written too long; it must be {rule}": "{given} 过长；应为 {rule}",
  "{given} is not above 0; it must be {rule}": "{given} 不大于 0；应为 {rule}",
  "{given} has more than 6 decimals; it must be {rule}": "{given} 超过 6 位小数；应为 {rule}",
  "{given} is too large; it must be {rule}": "{given} 过大；应为 {rule}",
  "{given} is switched off; it must be {rule}": "{given} 已关闭；应为 {rule}",
  "{given} is unknown; it must be {rule}": "{given} 未知；应为 {rule}",
  "has {length} characters; it must be {rule}": "有 {length} 个字符；应为 {rule}",
  "currency {currency} is switched off on {network}": "{network} 上的 {currency} 已关闭",
  "{name} takes no new orders at the moment: {why}": "{name} 目前不接受新订单：{why}",
  "{name} takes no new orders at the moment; ask again in a minute": "{name} 目前不接受新订单，请一分钟后重试",
  "Every network of yours": "您的所有网络",
  "Nothing is free for this amount on your receiving addresses for {network} at this moment; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over":
    "您在 {network} 的收款地址目前都无法为此金额腾出名额；请在“设置 → 收款地址”中添加地址，或等待：金额会保留到其订单到期",
  "Every amount for this price is reserved on all your receiving addresses for {name}; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over":
    "您在 {name} 的所有收款地址上，此价格的金额都已被占用；请在“设置 → 收款地址”中添加地址，或等待：金额会保留到其订单到期",
  "{what} no active receiving address; add one {where}in the back office under Settings → Receiving addresses":
    "{what}没有可用的收款地址；请在“设置 → 收款地址”中添加",
  'network "{id}" has': "网络 {id} ",
  "network is left to the payer, though you have": "网络由付款人选择，但您",
  "There is no rate of {currency} in {fiat}: {why}; ask again, or set a fixed rate in the back office under Settings → Prices":
    "没有 {currency} 兑 {fiat} 的汇率：{why}；请重试，或在“设置 → 价格”中设置固定汇率",
  "the market is too small a number to count with": "市场汇率数值过小，无法计算",
  "no source of rates has given a fresh one": "没有汇率来源给出新的汇率",
  "the sources of rates contradict each other ({left})": "各汇率来源互相矛盾（{left}）",
  ...addressProblems,
  // keys and callbacks
  "Name the key by where it is used, 1 to 60 characters": "请按用途为密钥命名，1 至 60 个字符",
  "The API key was revoked or has ended; use another key from Settings → API keys":
    "此 API 密钥已撤销或已到期；请在“设置 → API 密钥”中选用其他密钥",
  "This key is revoked already, or was rotated. Reload the page": "此密钥已撤销或已轮换。请重新加载页面",
  "Choose from 0 hours to 7 days": "请选择 0 小时至 7 天",
  'Type "{name}" to confirm': "请输入“{name}”以确认",
  "Choose at least one": "请至少选择一项",
  "Choose a format": "请选择格式",
  "Give at most {most} address ranges": "最多 {most} 个地址或网段",
  '"{typed}" is no IP address and no range such as 203.0.113.0/24':
    "“{typed}”不是 IP 地址，也不是 203.0.113.0/24 这样的网段",
  "The address {problem}": "该地址{problem}",
  "is longer than {most} characters": "超过 {most} 个字符",
  '"{typed}" is not an absolute http or https URL such as {example}':
    "“{typed}”不是完整的 http 或 https 网址，例如 {example}",
  "must not contain a user name or password": "不能包含用户名或密码",
  'has the host "{host}", which is no valid name': "的主机名“{host}”无效",
  "That was the tenth test in ten minutes; try again in {seconds} s": "十分钟内已测试十次；请在 {seconds} 秒后重试",
  "It cannot be signed: {why}": "无法签名：{why}",
  "No answer after {took}: {why}": "{took} 后仍无应答：{why}",
  "Status {status} after {took}: {meaning}": "状态 {status}，用时 {took}：{meaning}",
  "your server acknowledges it": "您的服务器已确认收到",
  "only 200 acknowledges a callback; this one would be sent again": "只有 200 表示确认收到；否则会重新发送",
  // prices
  "Enter the three letters of a currency, such as EUR": "请输入货币的三个字母，例如 EUR",
  "Choose how the rate is found": "请选择汇率的计算方式",
  "Enter a percentage from 0 to 50 with at most two decimals, such as 1.5":
    "请输入 0 至 50 的百分比，最多两位小数，例如 1.5",
  "Enter what one token costs, a number above 0 such as 0.92": "请输入一个代币的价格，大于 0 的数字，例如 0.92",
  "Enter what one token costs": "请输入一个代币的价格",
  "Choose a number from 0 to 6": "请选择 0 至 6 的数字",
  // payment pages
  "Use no line breaks or control characters": "不能包含换行或控制字符",
  '"{typed}" is no colour. Use six hexadecimal digits such as #0b7a4b':
    "“{typed}”不是颜色。请用六位十六进制数，例如 #0b7a4b",
  "This address is too long": "此地址过长",
  "Enter a page such as {example} or an e-mail address such as help@shop.example.com":
    "请输入网页（例如 {example}）或电子邮箱（例如 help@shop.example.com）",
  "Enter the address of an image such as {example}": "请输入图片的地址，例如 {example}",
  '"{typed}" is no origin. Write it like https://shop.example.com, without a path':
    "“{typed}”不是来源。请写成 https://shop.example.com 的形式，不带路径",
  "Use at most {most} origins": "最多 {most} 个来源",
  '"{typed}" is no language. Write it like en or zh-Hans': "“{typed}”不是语言代码，请写成 en 或 zh-Hans 的形式",
  "Use at most {most} languages": "最多 {most} 种语言",
  "{colour} is too pale to be read on the light page: its contrast is {shown}:1, and {least}:1 is needed. A darker shade such as {right} would be right":
    "{colour} 在浅色页面上过淡，难以阅读：对比度为 {shown}:1，需要 {least}:1。较深的色调（例如 {right}）更合适",
  "Somebody else changed the logo at the same time. Save again": "有人同时更改了标志。请重新保存",
  "The image could not be fetched: {why}": "无法获取图片：{why}",
  "The image cannot be used: {why}": "无法使用此图片：{why}",
  "it is not a PNG, JPEG, WebP or GIF image. Others, such as SVG, are not taken":
    "不是 PNG、JPEG、WebP 或 GIF 图片。不接受 SVG 等其他格式",
  "it has {width} × {height} pixels; at most {most} on a side are taken":
    "它有 {width} × {height} 像素；每边最多 {most}",
  "it cannot be read as an image: it is damaged, or broke off before its end": "无法识别为图片：已损坏或不完整",
  "it has too many details to be shown small; use a simpler one": "细节过多，无法缩小显示；请用更简单的图片",
  "Nothing is free for the new amount at this moment; the order stays as it was":
    "目前没有可用于新金额的收款位置；订单保持不变",
  "The new way to pay is not offered at this moment; the order stays as it was": "目前不提供新的付款方式；订单保持不变",
  "Nobody can say at this moment what the new price comes to; the order stays as it was":
    "目前无法换算新的价格；订单保持不变",
  "This order was asked for in {count} ways already, and all stay held; use a new order number":
    "此订单已有 {count} 种付款要求，且均被保留；请使用新的订单号",
  "Choose at least one network": "请至少选择一个网络",
  "Choose networks of the list": "请从列表中选择网络",
  "Type a number from 1 to 10,000": "请输入 1 到 10,000 之间的数字",
  "This key cannot be added: choose one whose addresses only your shop uses":
    "无法添加此公钥：请选择其地址仅供您的店铺使用的公钥",
  "You have added this key already": "您已添加过此公钥",
  "This can spend your money. It is not stored and was not written to any log, but it was sent: move your money to a new wallet, and give the extended PUBLIC key, which begins with xpub":
    "它可以动用您的资金。我们没有保存，也没有写入任何日志，但它已被发送：请把资金转到新钱包，并改为提供以 xpub 开头的扩展公钥",
  "That is an extended PRIVATE key. {rest}": "这是扩展私钥。{rest}",
  "That has the form of a private key. {rest}": "这看起来是私钥。{rest}",
  "Those are the words of a wallet. {rest}": "这是钱包的助记词。{rest}",
  "That is a key of a Bitcoin account. Export the key of {path}, which begins with xpub":
    "这是比特币账户的公钥。请导出 {path} 的公钥，以 xpub 开头",
  "That is no extended public key: it begins with xpub and has 111 characters. Export it for {path}":
    "这不是扩展公钥：扩展公钥以 xpub 开头，共 111 个字符。请导出 {path} 的公钥",
  "A character of the key is mistyped: its checksum does not fit. Copy it from the wallet again":
    "公钥中有字符输错：校验和不符。请从钱包重新复制",
  "{what}. Export the key of the account itself: {path}": "{what}。请导出账户本身的公钥：{path}",
  "That is a key further down": "这是更下层的公钥",
  "That is the key of the whole wallet, not of one account": "这是整个钱包的公钥，不是某个账户的",
  "That is a key above the accounts": "这是账户之上层级的公钥",
  "That is a key three steps down, but not of an account: its last step must be hardened (')":
    "这是第三层的公钥，但不是账户的：最后一步必须是硬化路径（'）",
  "That is the key of a branch of an account, one step too far down": "这是账户分支的公钥，深了一层",
  "That is the key of one address, two steps too far down": "这是单个地址的公钥，深了两层",
  "Confirm that you know that nobody has audited these contracts": "请确认您知道这些合约未经审计",
  "This treasury cannot be added: choose one that only your shop uses": "无法添加此金库：请选择仅供您的店铺使用的金库",
  "You have added this treasury already": "您已添加过此金库",
  "This treasury was removed, or cannot be opened. Reload the page": "此金库已被移除或无法打开。请重新加载页面",
};
