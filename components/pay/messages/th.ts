import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("th");

/** Thai. */
export const th: Messages = {
  lang: "th",
  dir: "ltr",
  name: "ไทย",
  chooseLanguage: "ภาษา",

  chooseTitle: "คุณต้องการชำระเงินอย่างไร",
  chooseStatus: "กำลังรอให้คุณเลือก",
  chooseLead: (merchant, asked) =>
    `${merchant} เรียกเก็บ **${asked}** เลือกเครือข่ายที่กระเป๋าเงินหรือกระดานเทรดของคุณใช้ส่ง ขั้นต่อไปจะบอกว่าต้องส่งอะไรและส่งไปที่ใด`,
  chooseNone: (merchant) => `ขณะนี้ไม่สามารถชำระเงินให้ ${merchant} ได้ หน้านี้จะตรวจสอบอีกครั้งโดยอัตโนมัติ **อย่าส่งเงินใดๆ**`,
  chooseLegend: "สกุลเงินและเครือข่าย",
  choose: "ดำเนินการต่อ",
  chooseProblem: {
    taken: "ขณะนี้เครือข่ายนั้นไม่มีที่ว่างสำหรับจำนวนเงินนี้ โปรดเลือกเครือข่ายอื่น หรือลองใหม่ในอีก 1 นาที",
    closed: "ขณะนี้ใช้ตัวเลือกนั้นไม่ได้ โปรดเลือกตัวเลือกอื่น หรือลองใหม่ในอีก 1 นาที",
    unrated: "ขณะนี้ไม่สามารถคำนวณได้ว่าราคานี้คิดเป็นเท่าใด โปรดลองใหม่ในอีก 1 นาที",
  },
  chooseExpiredLead: "ไม่มีการเลือกภายในเวลาที่กำหนด **อย่าส่งเงินใดๆ:** ข้อเสนอนี้สิ้นสุดแล้ว",
  chooseCancelledLead: (merchant) => `${merchant} ยกเลิกคำสั่งซื้อนี้แล้ว **อย่าส่งเงินใดๆ**`,

  waitingStatus: "กำลังรอการชำระเงิน",
  waitingTitle: (currency, network) => `ส่ง ${currency} บน ${network}`,
  underpaidStatus: "ได้รับเงินบางส่วนแล้ว",
  underpaidTitle: (currency, network) => `ส่ง ${currency} ส่วนที่เหลือบน ${network}`,
  underpaidLead: (arrived, due) => `ได้รับ **${arrived}** จาก ${due} แล้ว โปรดส่งส่วนที่เหลือไปยังที่อยู่เดิมก่อนหมดเวลา`,
  partialTitle: "ได้รับเงินบางส่วนแล้ว",
  partialLead: (merchant, arrived, due) =>
    `${merchant} นับยอด **${arrived}** จาก ${due} **อย่าส่งส่วนที่เหลือเองโดยพลการ:** โปรดติดต่อผู้ขายเกี่ยวกับเรื่องนี้`,

  elsewhereNetworkTitle: "ชำระบนเครือข่ายอื่น",
  elsewhereCurrencyTitle: "ชำระด้วยสกุลเงินอื่น",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** เข้ามาบน **${network}** แต่คำสั่งซื้อนี้ต้องชำระด้วย ${currency} บน ${due} การชำระเงินนี้จึงไม่ถูกนับโดยอัตโนมัติ`,
  lookAlikeTitle: "ชำระด้วยโทเคนอื่น",
  bridged: (currency) => `${currency} แบบบริดจ์`,
  discontinued: (currency) => `${currency} ที่ยกเลิกแล้ว`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `คุณส่ง **${arrived}** บน **${network}** กระเป๋าเงินแสดงเป็น ${symbol} แต่เป็นคนละโทเคน (${contract}) กับ ${currency} ที่คำสั่งซื้อนี้ต้องการ จึงไม่ใช่การชำระคำสั่งซื้อนี้`,
  lookAlikeSeen: (merchant) => `**เงินถึงที่อยู่ของ ${merchant} แล้ว** ผู้ขายเห็นรายการนี้คู่กับคำสั่งซื้อนี้`,
  elsewhereSeen: (merchant) => `**เงินถึงที่อยู่ของ ${merchant} แล้ว** ผู้ขายเห็นรายการนี้คู่กับคำสั่งซื้อนี้ และสามารถยอมรับได้`,
  elsewhereContact: (merchant) => `**ติดต่อ ${merchant}** และแจ้งรหัสธุรกรรมด้านล่าง ผู้ขายเป็นผู้ตัดสินใจว่าจะดำเนินการกับเงินนี้อย่างไร`,
  elsewhereAgain: (merchant) => `**อย่าชำระเงินซ้ำ** เว้นแต่ ${merchant} ขอให้คุณทำ`,
  elsewherePay: "ยังต้องการชำระคำสั่งซื้อนี้อีกครั้ง",
  elsewherePayNote: (merchant) => `เฉพาะเมื่อ ${merchant} ขอให้คุณทำเท่านั้น: เงินที่คุณส่งตอนนี้จะเพิ่มจากที่คุณส่งไปแล้ว`,
  alsoArrived: (arrived, network, merchant) =>
    `ยังมี **${arrived}** เข้ามาบน **${network}** ซึ่งไม่นับสำหรับคำสั่งซื้อนี้ ${merchant} เห็นรายการนี้: โปรดติดต่อผู้ขายพร้อมรหัสธุรกรรม และอย่าส่งซ้ำ`,
  transactionOn: (network) => `ธุรกรรมบน ${network}`,

  amountLabel: "จำนวนเงิน",
  remainingLabel: "จำนวนเงินที่เหลือ",
  addressLabel: "ไปยังที่อยู่นี้",
  copyAmount: "คัดลอกจำนวนเงิน",
  copyAddress: "คัดลอกที่อยู่",
  copied: "คัดลอกแล้ว",
  amountCopied: "คัดลอกจำนวนเงินแล้ว",
  addressCopied: "คัดลอกที่อยู่แล้ว",
  copyFailed: "คัดลอกไม่สำเร็จ โปรดเลือกข้อความแล้วคัดลอกเอง",

  exactNote: (amount) =>
    `**ส่ง ${amount} ให้ตรงพอดี** ระบบจดจำการชำระเงินของคุณจากจำนวนที่ตรงพอดีนี้ จำนวนอื่นไม่สามารถจับคู่กับคำสั่งซื้อของคุณได้`,
  sumNote: (amount) => `**ส่ง ${amount} ให้ครบ** หากได้รับน้อยกว่านี้ คำสั่งซื้อจะเปิดค้างไว้จนกว่าจะได้รับส่วนที่เหลือ`,
  exchangeNote: (amount) =>
    `**หากชำระจากกระดานเทรด:** กระดานเทรดหักค่าธรรมเนียมจากจำนวนที่คุณกรอก จำนวนที่เข้ามาจริงต้องเป็น ${amount}`,
  onlyNote: (currency, network) =>
    `**เฉพาะ ${currency} บน ${network} เท่านั้น** สิ่งอื่นที่ส่งมายังที่อยู่นี้ไม่ใช่การชำระคำสั่งซื้อและอาจสูญหาย`,

  sameTokenNote: (currency, shown) => `กระเป๋าเงินบางตัวแสดง ${currency} นี้เป็น **${shown}** ซึ่งเป็นโทเคนเดียวกัน`,
  lookAlikeNote: (name, symbol, contract) =>
    `**ไม่ใช่ ${name}** (${contract}): กระเป๋าเงินแสดงเป็น ${symbol} แต่เป็นคนละโทเคนและใช้ชำระไม่ได้`,

  qrLegend: "ข้อมูลในคิวอาร์โค้ด",
  qrAddress: "ที่อยู่",
  qrWallet: "กระเป๋าเงิน",
  qrAddressCaption: "ที่อยู่เท่านั้น ใช้ได้กับทุกกระเป๋าเงินหรือกระดานเทรด โปรดกรอกจำนวนเงินเอง",
  qrWalletCaption: "ที่อยู่และจำนวนเงิน สำหรับกระเป๋าเงินที่อ่านคำขอชำระเงินได้ โปรดตรวจสอบทั้งสองอย่างก่อนส่ง",
  qrAddressAlt: (address) => `คิวอาร์โค้ดของที่อยู่ ${address}`,
  qrWalletAlt: (amount, address) => `คิวอาร์โค้ดคำขอชำระ ${amount} ไปยัง ${address}`,

  walletPay: "ชำระด้วยกระเป๋าเงิน",
  walletUnloaded: "โหลดไม่สำเร็จ โปรดโหลดหน้านี้ใหม่",
  walletChoose: "เลือกกระเป๋าเงินของคุณ",
  walletConnect: "เปิดกระเป๋าเงินและอนุญาตให้หน้านี้เห็นบัญชีของคุณ",
  walletConfirm: (amount, network) => `เทียบจำนวนเงินและที่อยู่ในกระเป๋าเงิน แล้วยืนยันที่นั่น: ${amount} บน ${network}`,
  walletSent: (network) => `กระเป๋าเงินของคุณส่งแล้ว หน้านี้กำลังรอจนกว่า ${network} จะแสดงรายการ`,
  walletNothing: "ยังไม่มีการส่งใด ๆ",
  walletRejected: "คุณปฏิเสธในกระเป๋าเงิน",
  walletBusy: "กระเป๋าเงินยังรอคำตอบจากคุณ โปรดเปิดแล้วลองอีกครั้ง",
  walletNetwork: (network) => `กระเป๋าเงินของคุณไม่ได้อยู่บน ${network} โปรดสลับเครือข่ายแล้วลองอีกครั้ง`,
  walletAccount: (network) => `บัญชีนี้ชำระบน ${network} ไม่ได้ โปรดเลือกบัญชีอื่นในกระเป๋าเงิน`,
  walletFunds: (amount) => `บัญชีนี้มีไม่พอสำหรับ ${amount} และค่าธรรมเนียมเครือข่าย`,
  walletChanged: "สิ่งที่ต้องชำระเปลี่ยนไปแล้ว โปรดดูหน้านี้อีกครั้งก่อนชำระ",
  walletAgain: "ส่งจากเบราว์เซอร์นี้ไปแล้ว โปรดรอจนกว่าจะปรากฏที่นี่",
  walletAway: "ขณะนี้ยังทำไม่ได้ โปรดลองอีกครั้งในอีกสักครู่",
  walletFailed: "กระเป๋าเงินของคุณแจ้งปัญหา",
  walletLook: "โปรดตรวจสอบในกระเป๋าเงินว่ามีการส่งหรือไม่ก่อนลองอีกครั้ง",

  contractSummary: (currency, network) => `สัญญาโทเคนของ ${currency} บน ${network}`,
  contractNote: "เทียบกับโทเคนในกระเป๋าเงินของคุณ",
  viewOn: (explorer) => `ดูบน ${explorer}`,
  opensNewTab: "(เปิดในแท็บใหม่)",

  timeLeft: (clock) => `เหลือ ${clock}`,
  payBefore: (time) => `ชำระก่อน ${time}`,
  timeLeftSpoken: (minutes) => `เหลือเวลาชำระเงิน ${unit(minutes, "minute")}`,

  sandboxNote: "นี่คือแซนด์บ็อกซ์: เงินที่ใช้เป็นเงินจำลองบนเชนแยกต่างหาก ไม่ใช่เงินจริง",
  sandboxPay: "ชำระจากกระเป๋าเงินแซนด์บ็อกซ์",
  sandboxPaying: "กำลังส่ง…",
  sandboxSent: "ส่งจากกระเป๋าเงินแซนด์บ็อกซ์แล้ว",
  sandboxFailed: "กระเป๋าเงินแซนด์บ็อกซ์ชำระไม่สำเร็จ โปรดลองอีกครั้ง",

  stepsLabel: "ความคืบหน้า",
  stepSeen: "พบแล้ว",
  stepConfirming: "กำลังยืนยัน",
  stepPaid: "ชำระแล้ว",
  seenTitle: "พบการชำระเงินแล้ว",
  seenLead: (amount, network) => `**${amount}** ถึงที่อยู่แล้ว ขณะนี้ ${network} กำลังยืนยัน คุณไม่ต้องทำอะไรเพิ่มเติม`,
  confirmingTitle: "กำลังยืนยันการชำระเงินของคุณ",
  confirmingLead: (amount, network) => `**${amount}** เข้ามาแล้ว ${network} จะยืนยันขั้นสุดท้ายในอีกไม่กี่บล็อก คุณไม่ต้องทำอะไรเพิ่มเติม`,
  lateTitle: "พบการชำระเงินที่มาช้า",
  lateLead: (amount) => `**${amount}** เข้ามาหลังหมดเวลา เราพบรายการแล้วและกำลังยืนยันอยู่ อย่าส่งซ้ำ`,
  confirmations: (count, required) => `ยืนยันแล้ว ${count} จาก ${required} ครั้ง`,
  almostThere: "ใกล้เสร็จแล้ว",
  aboutSeconds: (seconds) => `ประมาณ ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `ประมาณ ${unit(minutes, "minute")}`,
  mayClose: "คุณปิดหน้านี้ได้ การชำระเงินจะดำเนินต่อไป",

  checkingTitle: "กำลังตรวจหาการชำระเงินของคุณ",
  checkingLead: (network) =>
    `หมดเวลาแล้ว **อย่าส่งเงินใดๆ ตอนนี้** เรากำลังอ่านบล็อกล่าสุดของ ${network} หากคุณส่งเงินไปแล้ว รายการจะแสดงที่นี่`,

  paidTitle: "ชำระเงินเรียบร้อย",
  paidLead: (merchant, amount) => `${merchant} ได้รับ **${amount}** แล้ว`,
  paidByHandLead: (merchant, due) => `${merchant} ทำเครื่องหมายคำสั่งซื้อ **${due}** นี้ว่าชำระแล้ว`,
  paidLateLead: (merchant, amount) => `${merchant} ได้รับ **${amount}** แล้ว เงินเข้ามาหลังหมดเวลา หากมีข้อสงสัย โปรดติดต่อผู้ขาย`,
  overpaidTitle: "ชำระแล้ว และเกินจำนวนที่เรียกเก็บ",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} ได้รับ **${arrived}** ซึ่งเกินจากยอดคำสั่งซื้อ **${surplus}** คำสั่งซื้อนี้ชำระแล้ว โปรดติดต่อผู้ขายเรื่องส่วนต่าง`,

  expiredTitle: "หมดเวลาแล้ว",
  expiredLead: "ไม่ได้รับเงินใดๆ **อย่าส่งตอนนี้:** ข้อเสนอนี้สิ้นสุดแล้ว",
  expiredPartLead: (arrived, due) => `ได้รับเพียง **${arrived}** จาก ${due} **อย่าส่งตอนนี้:** ข้อเสนอนี้สิ้นสุดแล้ว`,
  expiredWatched: (hours) =>
    `**หากคุณส่งไปแล้ว:** โปรดเปิดหน้านี้ไว้ เราจะตรวจหาการชำระเงินของคุณต่ออีก ${unit(hours, "hour")} และจะนับเมื่อเงินเข้ามา`,
  expiredUnwatched: (merchant) => `**หากคุณส่งไปแล้ว:** โปรดติดต่อ ${merchant} และแจ้งรหัสธุรกรรมจากกระเป๋าเงินของคุณ`,
  expiredAgain: (merchant) => `หากต้องการชำระตอนนี้ โปรดเริ่มใหม่ที่ ${merchant}`,
  expiredPartAgain: (merchant) => `โปรดติดต่อ ${merchant} เกี่ยวกับเงินที่คุณส่ง ผู้ขายก็เห็นรายการนี้เช่นกัน`,

  cancelledTitle: "คำสั่งซื้อถูกยกเลิก",
  cancelledLead: (merchant) => `${merchant} ยกเลิกคำสั่งซื้อนี้แล้ว **อย่าส่งเงินใดๆ** หากคุณส่งไปแล้ว โปรดติดต่อผู้ขายพร้อมรหัสธุรกรรม`,

  delayed: (network) => `**ขณะนี้เราเห็นข้อมูลของ ${network} ล่าช้า** เงินที่คุณส่งแล้วปลอดภัย และจะแสดงที่นี่ทันทีที่เราอ่านข้อมูลทัน อย่าส่งซ้ำ`,

  detailsHeading: "รายละเอียด",
  merchant: "ผู้ขาย",
  price: "ราคา",
  subject: "สำหรับ",
  amountOrdered: "ยอดที่ต้องชำระ",
  amountReceived: "ยอดที่ได้รับ",
  network: "เครือข่าย",
  address: "ที่อยู่",
  transaction: "ธุรกรรม",
  paidAt: "ชำระเมื่อ",
  expiredAt: "สิ้นสุดเมื่อ",
  reference: "หมายเลขอ้างอิง",

  returnTo: (merchant) => `กลับไปที่ ${merchant}`,
  returning: (seconds) => `จะพาคุณกลับใน ${seconds} วินาที`,
  returnStay: "อยู่ที่หน้านี้",
  returnStayed: "คุณยังอยู่ที่หน้านี้",
  printReceipt: "พิมพ์ใบเสร็จ",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `เงินของคุณส่งตรงไปยังกระเป๋าเงินของ ${merchant}`,
  support: (merchant) => `ติดต่อ ${merchant}`,
  poweredBy: "Stablegate",
  offline: "คุณออฟไลน์อยู่ หน้านี้จะทำงานต่อโดยอัตโนมัติเมื่อเชื่อมต่อได้อีกครั้ง",

  notFoundTitle: "ลิงก์ชำระเงินนี้ใช้ไม่ได้",
  notFoundLead: "ไม่มีคำสั่งซื้อสำหรับลิงก์นี้ โปรดตรวจสอบว่าคัดลอกลิงก์มาครบ หรือกลับไปที่ร้านค้าแล้วเริ่มชำระเงินใหม่ **อย่าส่งเงินใดๆ**",
  busyTitle: "เปิดดูบ่อยเกินไป",
  busyLead: "มีการเปิดหน้านี้จากที่อยู่ IP ของคุณบ่อยเกินไป หน้านี้จะลองใหม่โดยอัตโนมัติในอีกสักครู่ เงินที่คุณส่งแล้วไม่สูญหาย",
  awayTitle: "อีกสักครู่จะกลับมา",
  awayLead: "ขณะนี้ไม่สามารถแสดงหน้าชำระเงินได้ หน้านี้จะลองใหม่โดยอัตโนมัติทุกๆ ไม่กี่วินาที เงินที่คุณส่งแล้วไม่สูญหาย",
};
