import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("ko");

/** The Korean messages. Names and amounts are followed by words that do not depend on the preceding sound. */
export const ko: Messages = {
  lang: "ko",
  dir: "ltr",
  name: "한국어",
  chooseLanguage: "언어",

  chooseTitle: "어떻게 결제하시겠어요?",
  chooseStatus: "선택을 기다리는 중",
  chooseLead: (merchant, asked) =>
    `${merchant}에서 **${asked}** 결제를 요청합니다. 사용 중인 지갑이나 거래소가 송금할 네트워크를 선택하세요. 무엇을 어디로 보낼지는 다음 단계에서 안내합니다.`,
  chooseNone: (merchant) =>
    `지금은 ${merchant}에 결제할 수 없습니다. 이 페이지가 자동으로 다시 확인합니다. **아무것도 보내지 마세요.**`,
  chooseLegend: "통화와 네트워크",
  choose: "계속",
  chooseProblem: {
    taken: "지금은 해당 네트워크에 이 금액을 받을 자리가 없습니다. 다른 네트워크를 선택하거나 1분 후 다시 시도하세요.",
    closed: "지금은 이 방법을 사용할 수 없습니다. 다른 방법을 선택하거나 1분 후 다시 시도하세요.",
    unrated: "지금은 이 가격을 환산할 수 없습니다. 1분 후 다시 시도하세요.",
    enough: "이 주문에는 이미 다섯 가지 결제 방법이 제시되었습니다. 그중 하나로 결제하세요.",
    often: "너무 자주 다시 선택했습니다. 1분 후 다시 시도하세요.",
  },
  chooseExpiredLead: "시간 안에 선택하지 않았습니다. **아무것도 보내지 마세요:** 이 결제 요청은 종료되었습니다.",
  chooseCancelledLead: (merchant) => `${merchant}에서 이 주문을 취소했습니다. **아무것도 보내지 마세요.**`,

  waitingStatus: "입금 대기 중",
  waitingTitle: (currency, network) => `${network} 네트워크로 ${currency} 보내기`,
  underpaidStatus: "일부 금액이 입금됨",
  underpaidTitle: (currency, network) => `${network} 네트워크로 남은 ${currency} 보내기`,
  underpaidLead: (arrived, due) =>
    `${due} 중 **${arrived}** 입금되었습니다. 시간이 끝나기 전에 나머지를 같은 주소로 보내세요.`,
  partialTitle: "일부 금액이 입금됨",
  partialLead: (merchant, arrived, due) =>
    `${merchant}에서 ${due} 중 **${arrived}** 입금을 인정했습니다. **나머지를 임의로 보내지 마세요.**`,

  elsewhereNetworkTitle: "다른 네트워크로 결제됨",
  elsewhereCurrencyTitle: "다른 통화로 결제됨",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${network}** 네트워크에서 **${arrived}** 입금되었습니다. 이 주문은 ${due} 네트워크의 ${currency} 결제를 요청하므로, 이 입금은 자동으로 반영되지 않습니다.`,
  lookAlikeTitle: "다른 토큰으로 결제됨",
  bridged: (currency) => `브리지된 ${currency}`,
  discontinued: (currency) => `지원 종료된 ${currency}`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `**${network}** 네트워크에서 **${arrived}** 송금하셨습니다. 지갑에는 ${symbol} 토큰으로 표시되지만, 이 주문이 요청한 ${currency} 토큰이 아닌 다른 토큰(${contract})이므로 이 주문의 결제가 되지 않습니다.`,
  lookAlikeSeen: (merchant) =>
    `**${merchant}의 주소에 도착했습니다.** 판매자는 이 주문 옆에서 이 입금을 볼 수 있습니다.`,
  elsewhereSeen: (merchant) =>
    `**${merchant}의 주소에 도착했습니다.** 판매자는 이 주문 옆에서 이 입금을 보고 승인할 수 있습니다.`,
  elsewhereContact: (merchant) =>
    `**${merchant}에 문의**하고 아래의 트랜잭션 ID를 알려 주세요. 처리 방법은 판매자가 결정합니다.`,
  keepId: (merchant: string) =>
    `**아래의 트랜잭션 ID를 보관하세요.** ${merchant}에서 이 결제를 주문 옆에서 확인하고 처리 방법을 결정합니다.`,
  contactAsk: (merchant: string) => `궁금한 점은 ${merchant}에 문의하세요.`,
  sentKeepId: "**이미 보내셨나요?** 지갑이나 거래소의 트랜잭션 ID를 보관하세요.",
  paymentSeen: (merchant: string) => `${merchant}에서 결제를 확인할 수 있습니다.`,
  elsewhereAgain: (merchant) => `${merchant}에서 요청하지 않는 한 **다시 결제하지 마세요.**`,
  elsewherePay: "그래도 이 주문을 다시 결제하기",
  elsewherePayNote: (merchant) =>
    `${merchant}에서 요청한 경우에만 결제하세요: 지금 보내는 금액은 이미 보낸 금액에 더해 추가로 지불됩니다.`,
  otherAmountTitle: "다른 금액이 도착했습니다",
  otherAmountShort: (arrived, due, off) => `${due} 대신 **${arrived}**이(가) 도착했습니다. **${off} 부족합니다.**`,
  otherAmountOver: (arrived, due, off) => `${due} 대신 **${arrived}**이(가) 도착했습니다. **${off} 초과되었습니다.**`,
  notMine: "제 결제가 아닙니다",
  alsoArrived: (arrived, network, merchant) =>
    `**${network}** 네트워크에서도 **${arrived}** 입금되었지만, 이 주문에는 반영되지 않습니다. ${merchant}에서 이 입금을 볼 수 있습니다. 다시 보내지 마세요.`,
  transactionOn: (network) => `${network} 트랜잭션`,

  sourceTitle: "자금이 어디에 있나요?",
  sourceExchange: "거래소 계정",
  sourceWallet: "지갑 앱",
  sourceOther: "다른 거래소",
  exchangeNetwork: (exchange: string) => `${exchange}의 네트워크 이름`,
  exchangeFee: (fee: string) => `수수료 약 ${fee}`,
  exchangeMinimum: (minimum: string) => `최소 약 ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange}의 최소 출금액은 약 ${minimum}로,** 이 주문보다 많습니다. 다른 네트워크나 지갑을 선택하세요.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange}에서 이 네트워크로 ${currency}를 보내지 못할 수 있습니다. 먼저 출금 화면을 확인하세요.`,
  exchangeSlow: "**출금에는 몇 분이 걸릴 수 있습니다.** 메모나 태그는 필요 없습니다.",
  amountLabel: "금액",
  receivedLabel: "도착해야 하는 금액",
  remainingLabel: "남은 금액",
  addressLabel: "받는 주소",
  copyAmount: "금액 복사",
  copyAddress: "주소 복사",
  copied: "복사됨",
  amountCopied: "금액이 복사되었습니다",
  addressCopied: "주소가 복사되었습니다",
  copyFailed: "복사하지 못했습니다. 텍스트를 선택해 직접 복사하세요.",

  tailNote: (digits) =>
    `끝자리 **${digits}**은(는) 이 주문에만 쓰이는 숫자입니다. 빠뜨리거나 반올림하지 말고 그대로 입력하세요.`,
  exactNote: (amount) =>
    `**정확히 ${amount} 보내세요.** 이 정확한 금액으로 결제를 식별합니다. 금액이 다르면 주문과 연결할 수 없습니다.`,
  sumNote: (amount) =>
    `**${amount} 또는 거래소 수수료를 뺀 금액을 보내세요.** 이 주소는 이 주문에만 쓰이므로 도착한 금액은 모두 반영됩니다.`,
  restNote:
    "**수수료 때문에 적게 도착하나요?** 그러면 이 페이지에서 나머지를 요청합니다. 더 많이 도착하면 초과 결제로 표시됩니다.",
  exchangeNote: (amount) =>
    `**거래소에서 결제하시나요?** 받는 금액이 정확히 ${amount}인지 확인하세요. 입력한 금액에서 수수료를 빼는 거래소도 있고, 더하는 거래소도 있습니다.`,
  onlyNote: (currency, network) =>
    `**${network} 네트워크의 ${currency} 토큰만 보내세요.** 이 주소로 다른 것을 보내면 주문이 결제되지 않으며 잃어버릴 수 있습니다.`,

  sameTokenNote: (currency, shown) =>
    `일부 지갑은 이 ${currency} 토큰을 **${shown}** 이름으로 표시합니다. 같은 토큰입니다.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**${name} 아님** (${contract}): 지갑에는 ${symbol} 토큰으로 표시되지만 다른 토큰이므로 결제되지 않습니다.`,

  qrLegend: "QR 코드에 담긴 내용",
  qrAddress: "주소",
  qrWallet: "지갑",
  qrAddressCaption: "주소만 있습니다. 모든 지갑과 거래소에서 쓸 수 있습니다. 금액은 직접 입력하세요.",
  qrWalletCaption: "주소와 금액이 있습니다. 결제 요청을 읽는 지갑용입니다. 보내기 전에 둘 다 확인하세요.",
  qrAddressAlt: (address) => `주소 ${address}의 QR 코드`,
  qrWalletAlt: (amount, address) => `${address} 주소로 ${amount} 결제를 요청하는 QR 코드`,

  showQr: "QR 코드 보기",
  walletOpen: "지갑에서 열기",
  walletPay: "지갑으로 결제",
  walletUnloaded: "불러오지 못했습니다. 페이지를 새로고침하세요.",
  walletChoose: "지갑을 선택하세요",
  walletConnect: "지갑을 열고 이 페이지가 계정을 볼 수 있도록 허용하세요.",
  walletConfirm: (amount, network) => `지갑에서 금액과 주소를 비교한 뒤 확인하세요: ${network}에서 ${amount}.`,
  walletSent: (network) => `지갑에서 보냈습니다. ${network}에 나타날 때까지 기다립니다.`,
  walletNothing: "아무것도 보내지 않았습니다.",
  walletRejected: "지갑에서 거절했습니다.",
  walletBusy: "지갑이 아직 응답을 기다립니다. 지갑을 열고 다시 시도하세요.",
  walletNetwork: (network) => `지갑이 ${network}에 있지 않습니다. 네트워크를 바꾼 뒤 다시 시도하세요.`,
  walletAccount: (network) => `이 계정은 ${network}에서 결제할 수 없습니다. 지갑에서 다른 계정을 선택하세요.`,
  walletFunds: (amount) => `이 계정에는 ${amount}와 네트워크 수수료가 없습니다.`,
  walletChanged: "결제할 내용이 그사이 바뀌었습니다. 결제하기 전에 이 페이지를 다시 확인하세요.",
  walletAgain: "이 브라우저에서 이미 보냈습니다. 여기에 나타날 때까지 기다리세요.",
  walletAway: "지금은 할 수 없습니다. 잠시 후 다시 시도하세요.",
  walletFailed: "지갑에서 문제를 알렸습니다.",
  walletLook: "다시 시도하기 전에 보낸 것이 있는지 지갑에서 확인하세요.",

  contractSummary: (currency, network) => `${network} 네트워크의 ${currency} 토큰 주소`,
  contractNote: "지갑에 있는 토큰과 비교해 보세요.",
  viewOn: (explorer) => `${explorer}에서 보기`,
  opensNewTab: "(새 탭에서 열림)",

  timeLeft: (clock) => `${clock} 남음`,
  payBefore: (time) => `결제 기한: ${time}`,
  timeLeftSpoken: (minutes) => `결제 시간이 ${unit(minutes, "minute")} 남았습니다`,

  chooseTime: (time) => `${time} 후 확정`,
  chooseFeeUnder: (to) => `네트워크 수수료 보통 ${to} USD 미만`,
  chooseFeeAbout: (from, to) => `네트워크 수수료 약 ${from}~${to} USD`,
  chooseRecommended: "추천",
  chooseAmount: (amount: string) => `약 ${amount}`,
  chooseShown: "현재 선택",
  chooseQuoted: (amount) => `${amount}, 이전에 제시됨`,
  chooseNote: "시간과 수수료는 일반적인 수준이며 보장되지 않습니다. 거래소는 별도 수수료를 받습니다.",
  switchLink: "다른 방법으로 결제",
  switchTitle: "다른 방법으로 결제하기",
  switchStatus: "다시 선택",
  switchLead: (amount, network) =>
    `현재 요청: **${network}** 네트워크로 **${amount}**. 여기서 무엇을 선택해도 이 방법으로 계속 결제할 수 있습니다. **이미 보냈다면 아무것도 선택하지 마세요:** 보낸 결제는 반영됩니다.`,
  switchBack: "변경 없이 돌아가기",
  otherOffer: (amount, network) =>
    `**${network} 네트워크로 ${amount} 이미 보내셨나요?** 보낸 결제는 반영되며 여기에 표시됩니다. 두 번 결제하지 마세요.`,
  paidOn: (network) => `제시된 방법 중 하나인 **${network}** 네트워크로 결제되었습니다.`,
  moreTime: "시간이 더 필요합니다",
  moreTimeNote: (minutes, left) => `${minutes}분 추가됩니다. 남은 횟수: ${left}회.`,
  paidLink: "결제했습니다",
  paidLabel: "트랜잭션 ID",
  paidHint: (networks) => `지갑이나 거래소에 있는 ${networks} 트랜잭션의 ID입니다. 어떻게 되었는지 보여 주기만 합니다.`,
  paidLook: "찾아보기",
  paidNoId: (networks) => `${networks} 트랜잭션 ID가 아닙니다. 지갑이나 거래소에서 ID 전체를 복사하세요.`,
  paidOften: "너무 자주 조회했습니다. 1분 후 다시 시도하세요.",
  lookupAsking: (id, network) => `${network} 네트워크에서 ${id} 찾는 중…`,
  lookupSilent: (network) =>
    `**${network} 네트워크의 어떤 노드도 응답하지 않았습니다.** 이것만으로는 결제 상태를 알 수 없습니다. 1분 후 다시 조회하세요.`,
  lookupAbsent: (id, network) =>
    `**${id} 트랜잭션이 아직 ${network} 네트워크에 보이지 않습니다.** 몇 분 걸릴 수 있습니다. 실제로 보냈는지, ${network} 네트워크로 보냈는지 지갑에서 확인하세요.`,
  lookupFailed: (id) =>
    `**${id} 트랜잭션이 체인에서 실패하여** 아무것도 보내지지 않았습니다. 이유는 지갑에서 확인하세요.`,
  lookupNothing: (id) =>
    `**${id} 트랜잭션은 이 주문의 주소로 아무것도 보내지 않았습니다.** 지갑에 있는 주소를 여기의 주소와 비교하세요.`,
  lookupEarly: (id) => `**${id} 트랜잭션은 이 주문보다 먼저 만들어졌으므로** 이 주문의 결제가 될 수 없습니다.`,
  lookupOtherOrder: (id) => `**${id} 트랜잭션은 다른 주문에 속하므로** 이 주문의 결제가 되지 않습니다.`,
  lookupKept: (id, merchant) =>
    `**${id} 트랜잭션은 ${merchant}에 도착했지만, 이 주문에 자동으로 반영되지 않습니다.** 다시 결제하지 마세요.`,
  lookupFound: (id) => `**${id} 트랜잭션을 찾았습니다.** 네트워크에서 컨펌되면 반영되며, 이 페이지에 표시됩니다.`,
  lookupCounted: (id) =>
    `**${id} 트랜잭션은 이미 반영되었습니다.** 도착하여 컨펌되었습니다. 이 주문이 아직 결제되지 않았다면 나머지 금액이 부족합니다.`,
  lookupWrongToken: (id, token) => `**${id} 트랜잭션으로 보낸 것: ${token}.** 이 주문이 요청한 것이 아닙니다.`,
  lookupUnknownToken: "여기에 알려지지 않은 토큰",
  lookupWrongNetwork: (id, network) =>
    `**${id} 트랜잭션은 ${network} 네트워크로 보내졌습니다.** 이 주문을 결제할 수 있는 네트워크가 아닙니다.`,
  lookupShort: (id, arrived, due) =>
    `**${id} 트랜잭션으로 ${due} 아닌 ${arrived} 입금되었습니다.** 수수료가 빠졌을 수 있습니다. 자동으로 연결할 수 없습니다.`,
  lookupOver: (id, arrived, due) =>
    `**${id} 트랜잭션으로 ${due} 아닌 ${arrived} 입금되었습니다.** 자동으로 연결할 수 없습니다.`,

  sandboxNote: "샌드박스입니다: 이 돈은 별도 체인의 모의 화폐이며 실제 돈이 아닙니다.",
  sandboxPay: "샌드박스 지갑으로 결제",
  sandboxPaying: "보내는 중…",
  sandboxSent: "샌드박스 지갑에서 보냈습니다",
  sandboxFailed: "샌드박스 지갑으로 결제하지 못했습니다. 다시 시도하세요.",

  stepsLabel: "진행 상황",
  stepSeen: "감지됨",
  stepConfirming: "컨펌 중",
  stepPaid: "결제됨",
  seenTitle: "입금이 감지되었습니다",
  seenLead: (amount, network) =>
    `**${amount}** 입금이 주소에 도착했습니다. 현재 ${network} 네트워크에서 컨펌 중입니다. 더 하실 일은 없습니다.`,
  confirmingTitle: "결제를 컨펌하는 중입니다",
  confirmingLead: (amount, network) =>
    `**${amount}** 입금이 도착했습니다. ${network} 네트워크에서 몇 블록만 더 지나면 확정됩니다. 더 하실 일은 없습니다.`,
  lateTitle: "늦은 입금이 확인되었습니다",
  lateLead: (amount) =>
    `시간이 끝난 뒤 **${amount}** 입금이 도착했습니다. 이 입금을 찾았으며 지금 컨펌 중입니다. 다시 보내지 마세요.`,
  confirmations: (count, required) => `컨펌 ${count}/${required}회`,
  almostThere: "거의 완료",
  aboutSeconds: (seconds) => `약 ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `약 ${unit(minutes, "minute")}`,
  mayClose: "이 페이지를 닫아도 결제는 계속 진행됩니다.",

  checkingTitle: "결제를 확인하는 중입니다",
  checkingLead: (network) =>
    `시간이 끝났습니다. **지금은 아무것도 보내지 마세요.** ${network} 네트워크의 최근 블록을 읽고 있습니다. 이미 보낸 결제는 여기에 표시됩니다.`,

  paidTitle: "결제 완료",
  paidLead: (merchant, amount) => `${merchant}에 **${amount}** 입금이 완료되었습니다.`,
  paidByHandLead: (merchant, due) => `${merchant}에서 이 **${due}** 주문을 결제됨으로 표시했습니다.`,
  paidLateLead: (merchant, amount) => `${merchant}에 **${amount}** 입금이 완료되었습니다. 시간이 끝난 뒤 도착했습니다.`,
  overpaidTitle: "결제 완료, 요청 금액 초과",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant}에 **${arrived}** 입금이 완료되었습니다. 주문 금액보다 **${surplus}** 많습니다. 주문은 결제되었습니다.`,

  expiredTitle: "시간이 끝났습니다",
  expiredLead: "입금된 금액이 없습니다. **지금 보내지 마세요:** 이 결제 요청은 종료되었습니다.",
  expiredPartLead: (arrived, due) =>
    `${due} 중 **${arrived}**만 입금되었습니다. **지금 보내지 마세요:** 이 결제 요청은 종료되었습니다.`,
  expiredWatched: (hours) =>
    `**이미 보내셨나요?** 이 페이지를 열어 두세요. 앞으로 ${unit(hours, "hour")} 동안 결제를 계속 찾으며, 도착하면 반영됩니다.`,
  expiredUnwatched: (merchant) => `**이미 보내셨나요?** ${merchant}에 문의하고 지갑에 있는 트랜잭션 ID를 알려 주세요.`,
  expiredAgain: (merchant) => `지금 결제하려면 ${merchant}에서 다시 시작하세요.`,
  expiredPartAgain: (merchant) => `보낸 금액은 ${merchant}에 문의하세요. 판매자도 이 입금을 볼 수 있습니다.`,

  cancelledTitle: "주문이 취소되었습니다",
  cancelledLead: (merchant) => `${merchant}에서 이 주문을 취소했습니다. **아무것도 보내지 마세요.**`,

  delayed: (network) =>
    `**지금 ${network} 네트워크를 읽는 데 지연이 있습니다.** 이미 보낸 결제는 안전하며, 따라잡는 대로 여기에 표시됩니다. 두 번 보내지 마세요.`,

  refundTitle: "환불을 신청하세요",
  refundStatus: "주소 입력 대기 중",
  refundLead: (merchant, amount) => `${merchant}에서 **${amount}** 환불합니다. 환불받을 주소를 입력하세요.`,
  refundReason: "사유",
  refundReopened: (merchant) => `**${merchant}에서 다른 주소를 요청합니다.**`,
  refundMessage: (merchant) => `${merchant}의 메시지`,
  refundNetwork: "네트워크",
  refundPaidOn: "결제에 사용한 네트워크",
  refundAddress: "이 네트워크의 본인 주소",
  refundAddressHint: "본인 지갑이나 계정의 주소입니다. 보낸 환불은 되돌릴 수 없습니다.",
  refundExchange: (currency) =>
    `**거래소 주소인가요?** 거래소가 선택한 네트워크로 이 주소에 들어오는 ${currency} 입금을 지원해야 합니다.`,
  refundConfirm: (count) => `주소의 마지막 ${count}자`,
  refundConfirmHint: "지갑이나 거래소에 표시된 대로 입력하세요. 주소 전체가 복사되었는지 확인하기 위한 것입니다.",
  refundOrderNumber: "주문 번호",
  refundOrderNumberHint: (merchant) => `${merchant}에서 보낸 확인 메시지에 있습니다`,
  refundEmail: "이메일 주소",
  refundEmailHint: (merchant) => `${merchant}에 알려 준 이메일 주소`,
  refundSubmit: "환불 신청",
  refundExpires: "링크 만료 시각",
  refundProblem: {
    used: "이 환불은 이미 신청되었습니다.",
    often: "시도 횟수가 너무 많습니다. 몇 분 후 다시 시도하세요.",
    network: "표시된 네트워크 중 하나를 선택하세요.",
    address: (network) => `${network} 네트워크의 유효한 주소가 아닙니다. 주소 전체를 복사하세요.`,
    token: "지갑이 아니라 토큰 자체의 주소입니다. 본인의 주소를 입력하세요.",
    shop: "상점의 주소입니다. 본인의 주소를 입력하세요.",
    confirmation: "주소의 마지막 글자가 아닙니다. 둘을 비교한 뒤 다시 시도하세요.",
    number: "이 주문의 번호가 아닙니다.",
    email: "이 주문의 이메일 주소가 아닙니다.",
  },
  refundClaimedTitle: "주소를 받았습니다",
  refundClaimedLead: (merchant) =>
    `${merchant}에서 신청을 확인한 뒤 환불을 보냅니다. 환불을 보내면 이 페이지에 자동으로 표시됩니다.`,
  refundApprovedTitle: "환불이 승인되었습니다",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant}에서 **${amount}** 환불을 **${network}** 네트워크로 본인 주소에 보냅니다. 환불을 보내면 이 페이지에 자동으로 표시됩니다.`,
  refundSentTitle: "환불을 보냈습니다",
  refundSentLead: (amount, network) =>
    `**${amount}** 환불을 본인 주소로 보냈습니다. 현재 ${network} 네트워크에서 컨펌 중입니다.`,
  refundCompletedTitle: "환불 완료",
  refundCompletedLead: (amount, network) => `**${amount}** 환불이 **${network}** 네트워크로 본인 주소에 도착했습니다.`,
  refundCancelledTitle: "환불이 취소되었습니다",
  refundCancelledLead: (merchant) => `${merchant}에서 이 환불을 취소했습니다.`,
  refundExpiredTitle: "링크가 만료되었습니다",
  refundExpiredLead: (merchant) => `이 환불은 기한 안에 신청되지 않았습니다. ${merchant}에 새 링크를 요청하세요.`,
  refundNoneLead: "이 링크에 해당하는 환불이 없습니다. 링크 전체가 복사되었는지 확인하세요.",

  linkTitle: (merchant) => `${merchant}에 결제하기`,
  linkSubmit: "결제로 이동",
  linkOptional: "선택 사항",
  linkContinue: "시작한 결제 계속하기",
  linkBetween: (min, max) => `${min}부터 ${max}까지`,
  linkAtLeast: (min) => `최소 ${min}`,
  linkAtMost: (max) => `최대 ${max}`,
  linkProblem: {
    amount: "금액을 입력하세요. 예: 25.00",
    often: "사용 중인 네트워크에서 시작된 결제가 너무 많습니다. 몇 분 후에 다시 시도하세요.",
    away: "지금은 결제를 시작할 수 없습니다. 1분 후에 다시 시도하세요.",
    note: "메모가 너무 길거나 허용되지 않는 문자가 있습니다.",
  },
  linkAwayLead: "상점에서 지금은 결제를 받을 수 없습니다. 나중에 다시 시도하세요.",
  linkUsedTitle: "이미 사용된 결제 링크입니다",
  linkUsedLead: (merchant) =>
    `${merchant}은(는) 이 링크로 결제를 더 받지 않습니다. 다른 결제가 제때 완료되지 않으면 링크를 다시 사용할 수 있습니다.`,
  linkEndedTitle: "종료된 결제 링크입니다",
  linkEndedLead: (merchant) =>
    `${merchant}은(는) 이 링크로 더 이상 결제를 받지 않습니다. 계속 결제하려면 새 링크를 요청하세요.`,
  linkNoneLead: "이 주소에는 결제 링크가 없습니다. 주소를 확인하거나 상점에 문의하세요.",

  detailsHeading: "상세 내역",
  merchant: "판매자",
  price: "가격",
  subject: "내용",
  amountOrdered: "주문 금액",
  amountReceived: "받은 금액",
  network: "네트워크",
  address: "주소",
  transaction: "트랜잭션",
  paidAt: "결제 시각",
  expiredAt: "종료 시각",
  reference: "참조 번호",

  returnTo: (merchant) => `${merchant}(으)로 돌아가기`,
  returning: (seconds) => `${seconds}초 후 돌아갑니다.`,
  returnStay: "이 페이지에 머무르기",
  returnStayed: "이 페이지에 머무릅니다",
  printReceipt: "영수증 인쇄",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `결제 금액은 ${merchant}의 지갑으로 바로 전송됩니다.`,
  support: (merchant) => `${merchant}에 문의하기`,
  close: "닫기",
  poweredBy: "Stablegate",
  offline: "오프라인 상태입니다. 연결이 돌아오면 이 페이지가 자동으로 계속됩니다.",

  notFoundTitle: "유효하지 않은 결제 링크입니다",
  notFoundLead:
    "이 링크에 해당하는 주문이 없습니다. 주소 전체를 복사했는지 확인하거나, 상점으로 돌아가 결제를 다시 시작하세요. **돈을 보내지 마세요.**",
  refusedTitle: "이 결제를 시작할 수 없습니다",
  refusedLead: "상점에서 잘못된 결제 요청을 보냈습니다. 상점으로 돌아가 다시 시도하세요. **돈을 보내지 마세요.**",
  notNowLead: "지금은 결제를 시작할 수 없습니다. 상점으로 돌아가 1분 후에 다시 시도하세요. **돈을 보내지 마세요.**",
  tamperedTitle: "결제하지 마세요",
  tamperedLead:
    "이 주문의 주소가 만들어진 뒤에 변경되었으며, 상점이 바꾼 것이 아닙니다. **돈을 보내지 마세요.** 이미 보냈다면 지갑의 트랜잭션 ID를 보관하세요.",
  closedTitle: "지금은 결제할 수 없습니다",
  closedLead:
    "상점에서 지금은 이 결제를 받을 수 없습니다. 상점으로 돌아가 다른 결제 방법을 선택하거나 나중에 다시 시도하세요. **돈을 보내지 마세요.**",
  otherWay: "상점으로 돌아가 다른 결제 방법을 선택할 수도 있습니다.",
  alreadyPaidTitle: "이미 결제된 주문입니다",
  alreadyPaidLead: "상점으로 돌아가세요. **다시 결제하지 마세요.**",
  depositStatus: "내 입금 주소",
  depositLead: (merchant) =>
    `${merchant}의 이 주소는 본인 전용입니다. **금액과 횟수에 상관없이 보낼 수 있습니다.** 만료되지 않습니다.`,
  depositOnly: (currencies, network) =>
    `**${network} 네트워크의 ${currencies} 토큰만 보내세요.** 이 주소로 다른 것을 보내면 입금 처리되지 않으며 잃어버릴 수 있습니다.`,
  depositArrived: "이 주소로 받은 입금",
  depositNothing: "아직 도착한 것이 없습니다. 보내면 여기에 자동으로 표시됩니다.",
  depositConfirmed: "컨펌됨",
  depositReversed: "네트워크에서 취소됨",
  depositLatest: (count) => `최근 ${count}건이 표시됩니다.`,
  depositClosedTitle: "이 주소는 현재 사용되지 않습니다",
  depositClosedLead: (merchant) =>
    `${merchant}에서 일시 중지했습니다. **아무것도 보내지 마세요.** 이미 보낸 것은 없어지지 않으며 여기에 표시됩니다.`,
  depositBrokenTitle: "이 주소를 표시할 수 없습니다",
  depositBrokenLead: (merchant) =>
    `저장된 내용이 검사를 통과하지 못했으며 다른 사람이 바꿨을 수 있습니다. **아무것도 보내지 마세요.** ${merchant}에 알려 확인을 받으세요.`,
  depositNoneLead:
    "이 링크에 해당하는 주소가 없습니다. 링크 전체를 복사했는지 확인하거나, 받은 곳에 다시 요청하세요. **돈을 보내지 마세요.**",
  busyTitle: "조회가 너무 많습니다",
  busyLead:
    "사용 중인 IP 주소에서 이 페이지를 너무 자주 열었습니다. 잠시 후 자동으로 다시 시도합니다. 이미 보낸 결제는 사라지지 않습니다.",
  awayTitle: "잠시 후 다시 열립니다",
  awayLead:
    "지금은 결제 페이지를 표시할 수 없습니다. 몇 초마다 자동으로 다시 시도합니다. 이미 보낸 결제는 사라지지 않습니다.",
};
