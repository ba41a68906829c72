import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("vi");

/** Vietnamese. */
export const vi: Messages = {
  lang: "vi",
  dir: "ltr",
  name: "Tiếng Việt",
  chooseLanguage: "Ngôn ngữ",

  chooseTitle: "Bạn muốn thanh toán bằng cách nào?",
  chooseStatus: "Đang chờ bạn chọn",
  chooseLead: (merchant, asked) =>
    `${merchant} yêu cầu **${asked}**. Hãy chọn mạng mà ví hoặc sàn của bạn dùng để gửi. Bước tiếp theo sẽ cho biết cần gửi gì và gửi đến đâu.`,
  chooseNone: (merchant) =>
    `Hiện chưa thể thanh toán cho ${merchant}. Trang này sẽ tự kiểm tra lại. **Đừng gửi gì cả.**`,
  chooseLegend: "Loại tiền và mạng",
  choose: "Tiếp tục",
  chooseProblem: {
    taken: "Hiện ở đó không còn chỗ trống cho số tiền này. Hãy chọn mạng khác hoặc thử lại sau một phút.",
    closed: "Lựa chọn này hiện không dùng được. Hãy chọn cách khác hoặc thử lại sau một phút.",
    unrated: "Hiện chưa tính được giá này tương ứng bao nhiêu. Hãy thử lại sau một phút.",
    enough: "Đơn hàng này đã được đề nghị năm cách thanh toán. Hãy thanh toán bằng một trong số đó.",
    often: "Đã chọn lại quá nhiều lần. Hãy thử lại sau một phút.",
  },
  chooseExpiredLead: "Đã hết thời gian chọn. **Đừng gửi gì cả:** đề nghị này đã kết thúc.",
  chooseCancelledLead: (merchant) => `${merchant} đã hủy đơn hàng này. **Đừng gửi gì cả.**`,

  waitingStatus: "Đang chờ thanh toán",
  waitingTitle: (currency, network) => `Gửi ${currency} qua ${network}`,
  underpaidStatus: "Đã nhận được một phần",
  underpaidTitle: (currency, network) => `Gửi phần ${currency} còn lại qua ${network}`,
  underpaidLead: (arrived, due) =>
    `Đã nhận **${arrived}** trên ${due}. Hãy gửi phần còn lại đến cùng địa chỉ trước khi hết giờ.`,
  partialTitle: "Đã nhận được một phần",
  partialLead: (merchant, arrived, due) =>
    `${merchant} đã ghi nhận **${arrived}** trên ${due}. **Đừng tự ý gửi phần còn lại.**`,

  elsewhereNetworkTitle: "Đã thanh toán qua mạng khác",
  elsewhereCurrencyTitle: "Đã thanh toán bằng loại tiền khác",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** đã đến qua **${network}**. Đơn hàng này yêu cầu ${currency} qua ${due}, nên khoản này không tự động được tính.`,
  lookAlikeTitle: "Đã thanh toán bằng token khác",
  bridged: (currency) => `${currency} qua cầu nối`,
  discontinued: (currency) => `${currency} đã ngừng hỗ trợ`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Bạn đã gửi **${arrived}** qua **${network}**. Ví hiển thị là ${symbol}, nhưng đó là token khác (${contract}), không phải ${currency} mà đơn hàng yêu cầu, nên không thanh toán được đơn hàng.`,
  lookAlikeSeen: (merchant) =>
    `**Khoản này đã đến một địa chỉ của ${merchant}.** Người bán thấy nó bên cạnh đơn hàng này.`,
  elsewhereSeen: (merchant) =>
    `**Khoản này đã đến một địa chỉ của ${merchant}.** Người bán thấy nó bên cạnh đơn hàng này và có thể chấp nhận.`,
  elsewhereContact: (merchant) =>
    `**Hãy liên hệ ${merchant}** và cung cấp mã giao dịch bên dưới. Người bán sẽ quyết định cách xử lý.`,
  keepId: (merchant: string) =>
    `**Hãy giữ lại mã giao dịch bên dưới.** ${merchant} thấy khoản này cạnh đơn hàng và sẽ quyết định cách xử lý.`,
  contactAsk: (merchant: string) => `Hãy liên hệ ${merchant} nếu bạn có thắc mắc.`,
  sentKeepId: "**Đã gửi rồi?** Hãy giữ lại mã giao dịch trong ví hoặc sàn của bạn.",
  paymentSeen: (merchant: string) => `${merchant} có thể thấy khoản thanh toán của bạn.`,
  elsewhereAgain: (merchant) => `**Đừng thanh toán lại,** trừ khi ${merchant} yêu cầu.`,
  elsewherePay: "Vẫn thanh toán lại đơn hàng này",
  elsewherePayNote: (merchant) =>
    `Chỉ khi ${merchant} yêu cầu bạn: số tiền gửi bây giờ sẽ cộng thêm vào số bạn đã gửi.`,
  otherAmountTitle: "Đã nhận một số tiền khác",
  otherAmountShort: (arrived, due, off) => `Đã nhận **${arrived}** thay vì ${due}: **thiếu ${off}.**`,
  otherAmountOver: (arrived, due, off) => `Đã nhận **${arrived}** thay vì ${due}: **thừa ${off}.**`,
  notMine: "Đây không phải khoản thanh toán của tôi",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** cũng đã đến qua **${network}**, nơi không được tính cho đơn hàng này. ${merchant} thấy khoản đó. Đừng gửi lại.`,
  transactionOn: (network) => `Giao dịch trên ${network}`,

  sourceTitle: "Tiền của bạn ở đâu?",
  sourceExchange: "Tài khoản sàn",
  sourceWallet: "Ứng dụng ví",
  sourceOther: "Sàn khác",
  exchangeNetwork: (exchange: string) => `Mạng tại ${exchange}`,
  exchangeFee: (fee: string) => `phí khoảng ${fee}`,
  exchangeMinimum: (minimum: string) => `tối thiểu khoảng ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} gửi tối thiểu khoảng ${minimum} ở đây,** nhiều hơn đơn hàng này. Hãy chọn mạng khác hoặc dùng ví.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} có thể không gửi ${currency} trên mạng này. Hãy kiểm tra biểu mẫu rút tiền trước.`,
  exchangeSlow: "**Việc rút tiền có thể mất vài phút.** Không cần memo hay tag.",
  amountLabel: "Số tiền",
  receivedLabel: "Số tiền phải đến nơi",
  remainingLabel: "Số tiền còn lại",
  addressLabel: "Đến địa chỉ này",
  copyAmount: "Sao chép số tiền",
  copyAddress: "Sao chép địa chỉ",
  copied: "Đã sao chép",
  amountCopied: "Đã sao chép số tiền",
  addressCopied: "Đã sao chép địa chỉ",
  copyFailed: "Không sao chép được. Hãy chọn văn bản và tự sao chép.",

  tailNote: (digits) =>
    `Các chữ số cuối, **${digits}**, chỉ thuộc về đơn hàng của bạn. Hãy nhập cả chúng và đừng làm tròn.`,
  exactNote: (amount) =>
    `**Gửi chính xác ${amount}.** Khoản thanh toán được nhận ra nhờ đúng số tiền này. Số tiền khác sẽ không khớp với đơn hàng của bạn.`,
  sumNote: (amount) =>
    `**Gửi ${amount}, hoặc số còn lại sau khi sàn trừ phí.** Địa chỉ này chỉ dành cho đơn hàng của bạn, nên mọi khoản đến đều được tính.`,
  restNote:
    "**Đến thiếu vì phí?** Khi đó trang này sẽ yêu cầu phần còn lại. Nếu đến nhiều hơn, phần trả thừa sẽ hiển thị tại đây.",
  exchangeNote: (amount) =>
    `**Thanh toán từ sàn?** Hãy kiểm tra số tiền nhận được đúng là ${amount}: có sàn trừ phí vào số bạn nhập, có sàn cộng thêm phí.`,
  onlyNote: (currency, network) =>
    `**Chỉ ${currency} qua ${network}.** Bất cứ thứ gì khác gửi đến địa chỉ này sẽ không thanh toán đơn hàng và có thể bị mất.`,

  sameTokenNote: (currency, shown) => `Một số ví hiển thị ${currency} này là **${shown}**. Đó là cùng một loại.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Không phải ${name}** (${contract}): ví hiển thị là ${symbol}, nhưng đó là token khác và không thanh toán được.`,

  qrLegend: "Nội dung mã QR",
  qrAddress: "Địa chỉ",
  qrWallet: "Ví",
  qrAddressCaption: "Chỉ có địa chỉ, dùng cho mọi ví hoặc sàn. Bạn tự nhập số tiền.",
  qrWalletCaption: "Địa chỉ và số tiền, cho ví đọc được yêu cầu thanh toán. Hãy kiểm tra cả hai trước khi gửi.",
  qrAddressAlt: (address) => `Mã QR của địa chỉ ${address}`,
  qrWalletAlt: (amount, address) => `Mã QR yêu cầu ${amount} đến ${address}`,

  showQr: "Hiện mã QR",
  walletOpen: "Mở trong ví",
  walletPay: "Thanh toán bằng ví",
  walletUnloaded: "Không tải được. Hãy tải lại trang.",
  walletChoose: "Chọn ví của bạn",
  walletConnect: "Mở ví và cho phép trang này xem tài khoản của bạn.",
  walletConfirm: (amount, network) =>
    `So sánh số tiền và địa chỉ trong ví rồi xác nhận tại đó: ${amount} trên ${network}.`,
  walletSent: (network) => `Ví của bạn đã gửi. Trang này chờ đến khi ${network} hiển thị giao dịch.`,
  walletNothing: "Chưa gửi gì cả.",
  walletRejected: "Bạn đã từ chối trong ví.",
  walletBusy: "Ví vẫn đang chờ bạn trả lời. Hãy mở ví rồi thử lại.",
  walletNetwork: (network) => `Ví của bạn không ở trên ${network}. Hãy chuyển sang mạng đó rồi thử lại.`,
  walletAccount: (network) => `Tài khoản này không thể thanh toán trên ${network}. Hãy chọn tài khoản khác trong ví.`,
  walletFunds: (amount) => `Tài khoản này không có ${amount} và phí mạng.`,
  walletChanged: "Khoản cần thanh toán đã thay đổi. Hãy xem lại trang này trước khi thanh toán.",
  walletAgain: "Khoản này đã được gửi từ trình duyệt này. Hãy chờ đến khi nó hiện ở đây.",
  walletAway: "Hiện không thể thực hiện. Hãy thử lại sau giây lát.",
  walletFailed: "Ví của bạn báo lỗi.",
  walletLook: "Hãy kiểm tra trong ví xem đã gửi gì chưa trước khi thử lại.",

  contractSummary: (currency, network) => `Địa chỉ token ${currency} trên ${network}`,
  contractNote: "Hãy so sánh với token trong ví của bạn.",
  viewOn: (explorer) => `Xem trên ${explorer}`,
  opensNewTab: "(mở thẻ mới)",

  timeLeft: (clock) => `Còn ${clock}`,
  payBefore: (time) => `Thanh toán trước: ${time}`,
  timeLeftSpoken: (minutes) => `Còn ${unit(minutes, "minute")} để thanh toán`,

  chooseTime: (time) => `Hoàn tất sau ${time}`,
  chooseFeeUnder: (to) => `phí mạng thường dưới ${to} USD`,
  chooseFeeAbout: (from, to) => `phí mạng khoảng ${from} đến ${to} USD`,
  chooseRecommended: "Đề xuất",
  chooseAmount: (amount: string) => `khoảng ${amount}`,
  chooseShown: "Đang chọn",
  chooseQuoted: (amount) => `${amount}, đã đề nghị trước đó`,
  chooseNote: "Thời gian và phí là mức thường gặp, không phải cam kết. Sàn còn thu phí riêng của sàn.",
  switchLink: "Thanh toán cách khác",
  switchTitle: "Thanh toán cách khác",
  switchStatus: "Chọn lại",
  switchLead: (amount, network) =>
    `Hiện yêu cầu: **${amount}** qua **${network}**. Khoản này vẫn thanh toán được, dù bạn chọn gì ở đây. **Nếu bạn đã gửi, đừng chọn gì cả:** khoản đó được tính.`,
  switchBack: "Quay lại, không thay đổi gì",
  otherOffer: (amount, network) =>
    `**Đã gửi ${amount} qua ${network} rồi?** Khoản đó được tính và sẽ hiện ra ở đây. Đừng thanh toán hai lần.`,
  paidOn: (network) => `Đã thanh toán qua **${network}**, một trong các cách đã đề nghị.`,
  moreTime: "Tôi cần thêm thời gian",
  moreTimeNote: (minutes, left) => `Thêm ${minutes} phút. Còn ${left} lần.`,
  paidLink: "Tôi đã thanh toán",
  paidLabel: "Mã giao dịch",
  paidHint: (networks) => `Lấy từ ví hoặc sàn của bạn, trên ${networks}. Mã này chỉ cho biết giao dịch đã ra sao.`,
  paidLook: "Tìm",
  paidNoId: (networks) => `Đó không phải mã giao dịch của ${networks}. Hãy sao chép toàn bộ mã từ ví hoặc sàn của bạn.`,
  paidOften: "Đã hỏi quá nhiều lần. Hãy thử lại sau một phút.",
  lookupAsking: (id, network) => `Đang tìm ${id} trên ${network} …`,
  lookupSilent: (network) =>
    `**Không nút nào của ${network} trả lời.** Điều đó không nói lên gì về khoản thanh toán của bạn. Hãy hỏi lại sau một phút.`,
  lookupAbsent: (id, network) =>
    `**Chưa thấy ${id} trên ${network}.** Có thể mất vài phút. Hãy kiểm tra trong ví xem giao dịch đã thực sự được gửi chưa, và có phải qua ${network} không.`,
  lookupFailed: (id) => `**${id} đã thất bại trên chuỗi,** nên chưa gửi gì cả. Ví của bạn cho biết lý do.`,
  lookupNothing: (id) =>
    `**${id} không gửi gì đến địa chỉ của đơn hàng này.** Hãy so sánh địa chỉ trong ví với địa chỉ ở đây.`,
  lookupEarly: (id) => `**${id} được thực hiện trước đơn hàng này,** nên không thể thanh toán cho đơn hàng.`,
  lookupOtherOrder: (id) => `**${id} thuộc về đơn hàng khác,** nên không thanh toán cho đơn hàng này.`,
  lookupKept: (id, merchant) =>
    `**${id} đã đến ${merchant}, nhưng không tự động thanh toán đơn hàng này.** Đừng thanh toán lại.`,
  lookupFound: (id) =>
    `**Đã tìm thấy ${id}.** Giao dịch được tính khi mạng đã xác nhận, và trang này sẽ hiển thị điều đó.`,
  lookupCounted: (id) =>
    `**${id} đã được tính:** đã đến và đã được xác nhận. Nếu đơn này chưa thanh toán xong thì vẫn còn thiếu phần còn lại.`,
  lookupWrongToken: (id, token) => `**${id} đã gửi ${token},** không phải thứ mà đơn hàng này yêu cầu.`,
  lookupUnknownToken: "một token không được biết ở đây",
  lookupWrongNetwork: (id, network) => `**${id} đã được gửi qua ${network},** nơi không thể thanh toán đơn hàng này.`,
  lookupShort: (id, arrived, due) =>
    `**${id} chuyển đến ${arrived} thay vì ${due}.** Có thể phí đã bị trừ vào đó. Khoản này không thể tự động khớp với đơn hàng.`,
  lookupOver: (id, arrived, due) =>
    `**${id} chuyển đến ${arrived} thay vì ${due}.** Khoản này không thể tự động khớp với đơn hàng.`,

  sandboxNote: "Đây là môi trường thử: tiền là tiền giả, trên một chuỗi riêng.",
  sandboxPay: "Thanh toán từ ví thử",
  sandboxPaying: "Đang gửi…",
  sandboxSent: "Đã gửi từ ví thử",
  sandboxFailed: "Ví thử không thanh toán được. Hãy thử lại.",

  stepsLabel: "Tiến trình",
  stepSeen: "Đã thấy",
  stepConfirming: "Đang xác nhận",
  stepPaid: "Đã thanh toán",
  seenTitle: "Đã thấy khoản thanh toán",
  seenLead: (amount, network) => `**${amount}** đã đến địa chỉ. ${network} đang xác nhận. Bạn không cần làm gì thêm.`,
  confirmingTitle: "Đang xác nhận khoản thanh toán",
  confirmingLead: (amount, network) =>
    `**${amount}** đã đến. ${network} sẽ hoàn tất sau vài khối nữa. Bạn không cần làm gì thêm.`,
  lateTitle: "Đã tìm thấy khoản thanh toán trễ",
  lateLead: (amount) => `**${amount}** đến sau khi hết giờ. Chúng tôi đã tìm thấy và đang xác nhận. Đừng gửi lại.`,
  confirmations: (count, required) => `${count}/${required} lượt xác nhận`,
  almostThere: "sắp xong",
  aboutSeconds: (seconds) => `khoảng ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `khoảng ${unit(minutes, "minute")}`,
  mayClose: "Bạn có thể đóng trang này; việc thanh toán vẫn tiếp tục.",

  checkingTitle: "Đang tìm khoản thanh toán của bạn",
  checkingLead: (network) =>
    `Đã hết giờ. **Đừng gửi gì lúc này.** Chúng tôi đang đọc các khối cuối của ${network}; khoản bạn đã gửi sẽ hiện ra ở đây.`,

  paidTitle: "Thanh toán hoàn tất",
  paidLead: (merchant, amount) => `${merchant} đã nhận **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} đã đánh dấu đơn hàng **${due}** này là đã thanh toán.`,
  paidLateLead: (merchant, amount) => `${merchant} đã nhận **${amount}**. Khoản này đến sau khi hết giờ.`,
  overpaidTitle: "Đã thanh toán, nhiều hơn yêu cầu",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} đã nhận **${arrived}**, nhiều hơn yêu cầu **${surplus}**. Đơn hàng đã được thanh toán.`,

  expiredTitle: "Đã hết giờ",
  expiredLead: "Chưa nhận được gì. **Đừng gửi lúc này:** đề nghị này đã kết thúc.",
  expiredPartLead: (arrived, due) =>
    `Chỉ nhận được **${arrived}** trên ${due}. **Đừng gửi lúc này:** đề nghị này đã kết thúc.`,
  expiredWatched: (hours) =>
    `**Đã gửi rồi?** Hãy để trang này mở. Chúng tôi còn tìm khoản thanh toán của bạn trong ${unit(hours, "hour")} nữa, và nó được tính khi đến.`,
  expiredUnwatched: (merchant) => `**Đã gửi rồi?** Hãy liên hệ ${merchant} và cung cấp mã giao dịch trong ví của bạn.`,
  expiredAgain: (merchant) => `Để thanh toán bây giờ, hãy bắt đầu lại tại ${merchant}.`,
  expiredPartAgain: (merchant) => `Hãy liên hệ ${merchant} về số tiền bạn đã gửi; người bán cũng thấy.`,

  cancelledTitle: "Đơn hàng đã hủy",
  cancelledLead: (merchant) => `${merchant} đã hủy đơn hàng này. **Đừng gửi gì cả.**`,

  delayed: (network) =>
    `**Hiện chúng tôi thấy ${network} bị chậm.** Khoản bạn đã gửi vẫn an toàn và sẽ hiện ra ở đây khi chúng tôi bắt kịp. Đừng gửi hai lần.`,

  refundTitle: "Yêu cầu nhận tiền hoàn",
  refundStatus: "Đang chờ địa chỉ của bạn",
  refundLead: (merchant, amount) => `${merchant} hoàn lại cho bạn **${amount}**. Hãy nhập địa chỉ để nhận khoản này.`,
  refundReason: "Lý do",
  refundReopened: (merchant) => `**${merchant} yêu cầu một địa chỉ khác.**`,
  refundMessage: (merchant) => `Lời nhắn từ ${merchant}`,
  refundNetwork: "Mạng",
  refundPaidOn: "Bạn đã thanh toán qua mạng này",
  refundAddress: "Địa chỉ của bạn trên mạng này",
  refundAddressHint: "Địa chỉ ví hoặc tài khoản của chính bạn. Tiền hoàn đã gửi thì không thể lấy lại.",
  refundExchange: (currency) =>
    `**Đó là địa chỉ trên sàn?** Sàn phải chấp nhận nạp ${currency} qua mạng đã chọn vào địa chỉ này.`,
  refundConfirm: (count) => `${count} ký tự cuối của địa chỉ`,
  refundConfirmHint: "Hãy nhập đúng như trong ví hoặc sàn của bạn. Các ký tự này cho thấy đã sao chép đủ địa chỉ.",
  refundOrderNumber: "Mã đơn hàng",
  refundOrderNumberHint: (merchant) => `Có trong xác nhận của ${merchant}`,
  refundEmail: "Địa chỉ email",
  refundEmailHint: (merchant) => `Địa chỉ bạn đã cung cấp cho ${merchant}`,
  refundSubmit: "Yêu cầu nhận tiền hoàn",
  refundExpires: "Liên kết hết hạn lúc",
  refundProblem: {
    used: "Khoản tiền hoàn này đã có yêu cầu nhận.",
    often: "Đã thử quá nhiều lần. Hãy thử lại sau vài phút.",
    network: "Hãy chọn một trong các mạng này.",
    address: (network) => `Đây không phải địa chỉ hợp lệ trên ${network}. Hãy sao chép toàn bộ địa chỉ.`,
    token: "Đây là địa chỉ của chính token, không phải của ví. Hãy nhập địa chỉ của bạn.",
    shop: "Địa chỉ này là của cửa hàng. Hãy nhập địa chỉ của bạn.",
    confirmation: "Đây không phải các ký tự cuối của địa chỉ. Hãy so sánh rồi thử lại.",
    number: "Đây không phải mã của đơn hàng này.",
    email: "Đây không phải địa chỉ email của đơn hàng này.",
  },
  refundClaimedTitle: "Đã nhận được địa chỉ",
  refundClaimedLead: (merchant) =>
    `${merchant} sẽ kiểm tra yêu cầu của bạn rồi gửi tiền hoàn. Trang này sẽ tự hiển thị khi tiền đang được chuyển đến.`,
  refundApprovedTitle: "Tiền hoàn đã được duyệt",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} sẽ gửi **${amount}** qua **${network}** đến địa chỉ của bạn. Trang này sẽ tự hiển thị khi tiền đang được chuyển đến.`,
  refundSentTitle: "Tiền hoàn đang được chuyển đến",
  refundSentLead: (amount, network) => `**${amount}** đã được gửi đến địa chỉ của bạn. ${network} đang xác nhận.`,
  refundCompletedTitle: "Đã hoàn tiền xong",
  refundCompletedLead: (amount, network) => `**${amount}** đã đến địa chỉ của bạn trên **${network}**.`,
  refundCancelledTitle: "Khoản tiền hoàn đã hủy",
  refundCancelledLead: (merchant) => `${merchant} đã hủy khoản tiền hoàn này.`,
  refundExpiredTitle: "Liên kết đã hết hạn",
  refundExpiredLead: (merchant) =>
    `Khoản tiền hoàn này không được yêu cầu nhận đúng hạn. Hãy xin ${merchant} một liên kết mới.`,
  refundNoneLead:
    "Không có khoản tiền hoàn nào ở liên kết này. Hãy kiểm tra xem liên kết đã được sao chép đầy đủ chưa.",

  linkTitle: (merchant) => `Thanh toán cho ${merchant}`,
  linkSubmit: "Tiếp tục thanh toán",
  linkOptional: "không bắt buộc",
  linkContinue: "Tiếp tục khoản thanh toán đã bắt đầu",
  linkBetween: (min, max) => `Từ ${min} đến ${max}`,
  linkAtLeast: (min) => `Ít nhất ${min}`,
  linkAtMost: (max) => `Nhiều nhất ${max}`,
  linkProblem: {
    amount: "Nhập số tiền, ví dụ 25.00.",
    often: "Đã có quá nhiều khoản thanh toán được bắt đầu từ mạng của bạn. Hãy thử lại sau vài phút.",
    away: "Hiện chưa thể bắt đầu thanh toán. Hãy thử lại sau một phút.",
    note: "Ghi chú quá dài hoặc có ký tự không được phép.",
  },
  linkAwayLead: "Cửa hàng hiện không thể nhận thanh toán. Hãy thử lại sau.",
  linkUsedTitle: "Liên kết thanh toán này đã được dùng",
  linkUsedLead: (merchant) =>
    `${merchant} không nhận thêm khoản thanh toán nào qua liên kết này. Nếu khoản thanh toán khác không hoàn tất kịp, liên kết có thể được dùng lại.`,
  linkEndedTitle: "Liên kết thanh toán này đã kết thúc",
  linkEndedLead: (merchant) =>
    `${merchant} không còn nhận thanh toán qua liên kết này. Hãy xin liên kết mới nếu bạn vẫn muốn thanh toán.`,
  linkNoneLead: "Không có liên kết thanh toán nào ở địa chỉ này. Hãy kiểm tra địa chỉ hoặc liên hệ cửa hàng.",

  detailsHeading: "Chi tiết",
  merchant: "Người bán",
  price: "Giá",
  subject: "Nội dung",
  amountOrdered: "Yêu cầu",
  amountReceived: "Đã nhận",
  network: "Mạng",
  address: "Địa chỉ",
  transaction: "Giao dịch",
  paidAt: "Thanh toán lúc",
  expiredAt: "Kết thúc lúc",
  reference: "Mã tham chiếu",

  returnTo: (merchant) => `Quay lại ${merchant}`,
  returning: (seconds) => `Quay lại sau ${seconds} giây.`,
  returnStay: "Ở lại trang này",
  returnStayed: "Bạn ở lại trang này",
  printReceipt: "In biên nhận",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Tiền của bạn đi thẳng vào ví của ${merchant}.`,
  support: (merchant) => `Liên hệ ${merchant}`,
  close: "Đóng",
  poweredBy: "Stablegate",
  offline: "Bạn đang ngoại tuyến. Trang này sẽ tự tiếp tục khi có kết nối trở lại.",

  notFoundTitle: "Liên kết thanh toán này không dẫn đến đâu",
  notFoundLead:
    "Không có đơn hàng nào ở liên kết này. Hãy kiểm tra xem đã sao chép đủ địa chỉ chưa, hoặc quay lại cửa hàng và bắt đầu thanh toán lại. **Đừng gửi tiền.**",
  refusedTitle: "Không thể bắt đầu thanh toán này",
  refusedLead:
    "Cửa hàng đã gửi một yêu cầu thanh toán không hợp lệ. Hãy quay lại cửa hàng và thử lại. **Đừng gửi tiền.**",
  notNowLead: "Hiện không thể bắt đầu thanh toán. Hãy quay lại cửa hàng và thử lại sau một phút. **Đừng gửi tiền.**",
  tamperedTitle: "Đừng thanh toán",
  tamperedLead:
    "Địa chỉ của đơn hàng này đã bị thay đổi sau khi tạo, và không phải do cửa hàng. **Đừng gửi tiền.** Nếu bạn đã gửi, hãy giữ lại mã giao dịch trong ví của bạn.",
  closedTitle: "Hiện chưa thể thanh toán",
  closedLead:
    "Cửa hàng hiện không thể nhận khoản thanh toán này. Hãy quay lại cửa hàng và chọn cách thanh toán khác, hoặc thử lại sau. **Đừng gửi tiền.**",
  otherWay: "Bạn cũng có thể quay lại cửa hàng và chọn cách thanh toán khác.",
  alreadyPaidTitle: "Đơn hàng này đã được thanh toán",
  alreadyPaidLead: "Hãy quay lại cửa hàng. **Đừng thanh toán lại.**",
  depositStatus: "Địa chỉ nạp tiền của bạn",
  depositLead: (merchant) =>
    `Địa chỉ này tại ${merchant} là của riêng bạn. **Gửi bất kỳ số tiền nào, bao nhiêu lần tùy ý:** địa chỉ không hết hạn.`,
  depositOnly: (currencies, network) =>
    `**Chỉ ${currencies} qua ${network}.** Bất cứ thứ gì khác gửi đến địa chỉ này sẽ không được ghi có và có thể bị mất.`,
  depositArrived: "Đã nhận tại địa chỉ này",
  depositNothing: "Chưa có gì đến. Khoản bạn gửi sẽ tự hiện ở đây.",
  depositConfirmed: "Đã xác nhận",
  depositReversed: "Bị mạng đảo ngược",
  depositLatest: (count) => `Hiển thị ${count} khoản mới nhất.`,
  depositClosedTitle: "Địa chỉ này hiện không được sử dụng",
  depositClosedLead: (merchant) =>
    `${merchant} đã tạm dừng địa chỉ này. **Đừng gửi gì cả.** Khoản bạn đã gửi không mất và hiện ở đây.`,
  depositBrokenTitle: "Không thể hiển thị địa chỉ này",
  depositBrokenLead: (merchant) =>
    `Dữ liệu đã lưu không qua được bước kiểm tra và có thể đã bị người khác thay đổi. **Đừng gửi gì cả.** Hãy báo cho ${merchant} để được kiểm tra.`,
  depositNoneLead:
    "Không có địa chỉ nào ở liên kết này. Hãy kiểm tra xem đã sao chép đủ liên kết chưa, hoặc hỏi lại nơi bạn nhận nó. **Đừng gửi tiền.**",
  busyTitle: "Quá nhiều lượt xem",
  busyLead:
    "Trang này đã được mở quá nhiều lần từ địa chỉ mạng của bạn. Nó sẽ tự thử lại sau giây lát. Khoản bạn đã gửi không bị mất.",
  awayTitle: "Sẽ trở lại ngay",
  awayLead:
    "Hiện không hiển thị được trang thanh toán. Trang tự thử lại sau mỗi vài giây. Khoản bạn đã gửi không bị mất.",
};
