import { counting } from "@/components/pay/messages/counting";
import type { Messages } from "@/components/pay/messages/en";

const { unit } = counting("id");

/** Indonesian. */
export const id: Messages = {
  lang: "id",
  dir: "ltr",
  name: "Bahasa Indonesia",
  chooseLanguage: "Bahasa",

  chooseTitle: "Bagaimana Anda ingin membayar?",
  chooseStatus: "Menunggu pilihan Anda",
  chooseLead: (merchant, asked) =>
    `${merchant} meminta **${asked}**. Pilih jaringan yang dipakai dompet atau bursa Anda untuk mengirim. Setelah itu Anda akan melihat apa yang dikirim dan ke mana.`,
  chooseNone: (merchant) =>
    `Saat ini ${merchant} belum bisa dibayar. Halaman ini memeriksa lagi dengan sendirinya. **Jangan kirim apa pun.**`,
  chooseLegend: "Mata uang dan jaringan",
  choose: "Lanjut",
  chooseProblem: {
    taken: "Saat ini tidak ada yang kosong di sana untuk jumlah ini. Pilih jaringan lain atau coba lagi sebentar lagi.",
    closed: "Pilihan itu sedang tidak tersedia. Pilih yang lain atau coba lagi sebentar lagi.",
    unrated: "Nilai harga ini belum bisa dihitung saat ini. Coba lagi sebentar lagi.",
    enough: "Lima cara bayar sudah ditawarkan untuk pesanan ini. Bayar salah satunya.",
    often: "Pilihan terlalu sering diganti. Coba lagi dalam satu menit.",
  },
  chooseExpiredLead: "Tidak ada yang dipilih tepat waktu. **Jangan kirim apa pun:** penawaran ini sudah berakhir.",
  chooseCancelledLead: (merchant) => `${merchant} membatalkan pesanan ini. **Jangan kirim apa pun.**`,

  waitingStatus: "Menunggu pembayaran",
  waitingTitle: (currency, network) => `Kirim ${currency} lewat ${network}`,
  underpaidStatus: "Sebagian pembayaran sudah masuk",
  underpaidTitle: (currency, network) => `Kirim sisa ${currency} lewat ${network}`,
  underpaidLead: (arrived, due) =>
    `**${arrived}** dari ${due} sudah masuk. Kirim sisanya ke alamat yang sama sebelum waktu habis.`,
  partialTitle: "Sebagian pembayaran sudah masuk",
  partialLead: (merchant, arrived, due) =>
    `${merchant} menghitung **${arrived}** dari ${due}. **Jangan kirim sisanya atas kemauan sendiri.**`,

  elsewhereNetworkTitle: "Dibayar lewat jaringan lain",
  elsewhereCurrencyTitle: "Dibayar dengan mata uang lain",
  elsewhereLead: (arrived, network, currency, due) =>
    `**${arrived}** masuk lewat **${network}**. Pesanan ini meminta ${currency} lewat ${due}, jadi pembayaran ini tidak dihitung dengan sendirinya.`,
  lookAlikeTitle: "Dibayar dengan token lain",
  bridged: (currency) => `${currency} hasil bridge`,
  discontinued: (currency) => `${currency} yang sudah dihentikan`,
  lookAlikeLead: (arrived, network, symbol, contract, currency) =>
    `Anda mengirim **${arrived}** lewat **${network}**. Dompet menampilkannya sebagai ${symbol}, tetapi itu token lain (${contract}), bukan ${currency} yang diminta pesanan ini, jadi pesanan belum terbayar.`,
  lookAlikeSeen: (merchant) => `**Dana masuk ke alamat milik ${merchant}.** Penjual melihatnya di samping pesanan ini.`,
  elsewhereSeen: (merchant) =>
    `**Dana masuk ke alamat milik ${merchant}.** Penjual melihatnya di samping pesanan ini dan dapat menerimanya.`,
  elsewhereContact: (merchant) =>
    `**Hubungi ${merchant}** dan berikan ID transaksi di bawah ini. Penjual yang memutuskan kelanjutannya.`,
  keepId: (merchant: string) =>
    `**Simpan ID transaksi di bawah.** ${merchant} melihat pembayaran ini di samping pesanan dan memutuskan penanganannya.`,
  contactAsk: (merchant: string) => `Hubungi ${merchant} jika ada pertanyaan.`,
  sentKeepId: "**Sudah mengirim?** Simpan ID transaksi dari dompet atau bursa Anda.",
  paymentSeen: (merchant: string) => `${merchant} dapat melihat pembayaran Anda.`,
  elsewhereAgain: (merchant) => `**Jangan bayar lagi,** kecuali ${merchant} memintanya.`,
  elsewherePay: "Tetap bayar lagi pesanan ini",
  elsewherePayNote: (merchant) =>
    `Hanya jika ${merchant} memintanya: yang Anda kirim sekarang menambah yang sudah Anda kirim.`,
  otherAmountTitle: "Jumlah lain telah diterima",
  otherAmountShort: (arrived, due, off) => `**${arrived}** diterima, bukan ${due}: **kurang ${off}.**`,
  otherAmountOver: (arrived, due, off) => `**${arrived}** diterima, bukan ${due}: **kelebihan ${off}.**`,
  notMine: "Ini bukan pembayaran saya",
  alsoArrived: (arrived, network, merchant) =>
    `**${arrived}** juga masuk lewat **${network}**, yang tidak dihitung untuk pesanan ini. ${merchant} melihatnya. Jangan kirim lagi.`,
  transactionOn: (network) => `Transaksi di ${network}`,

  sourceTitle: "Di mana uang Anda?",
  sourceExchange: "Akun bursa",
  sourceWallet: "Aplikasi dompet",
  sourceOther: "Bursa lain",
  exchangeNetwork: (exchange: string) => `Jaringan di ${exchange}`,
  exchangeFee: (fee: string) => `biaya sekitar ${fee}`,
  exchangeMinimum: (minimum: string) => `minimum sekitar ${minimum}`,
  exchangeTooSmall: (exchange: string, minimum: string) =>
    `**${exchange} mengirim minimal sekitar ${minimum} di sini,** lebih dari pesanan ini. Pilih jaringan lain atau dompet.`,
  exchangeUnlisted: (exchange: string, currency: string) =>
    `${exchange} mungkin tidak mengirim ${currency} di jaringan ini. Periksa dulu formulir penarikannya.`,
  exchangeSlow: "**Penarikan bisa memakan waktu beberapa menit.** Memo atau tag tidak diperlukan.",
  amountLabel: "Jumlah",
  receivedLabel: "Jumlah yang harus tiba",
  remainingLabel: "Sisa jumlah",
  addressLabel: "Ke alamat ini",
  copyAmount: "Salin jumlah",
  copyAddress: "Salin alamat",
  copied: "Tersalin",
  amountCopied: "Jumlah tersalin",
  addressCopied: "Alamat tersalin",
  copyFailed: "Tidak bisa menyalin. Pilih teksnya lalu salin sendiri.",

  tailNote: (digits) => `Angka terakhir, **${digits}**, hanya milik pesanan Anda. Ketik juga, dan jangan dibulatkan.`,
  exactNote: (amount) =>
    `**Kirim tepat ${amount}.** Pembayaran Anda dikenali dari jumlah yang tepat ini. Jumlah lain tidak bisa dicocokkan dengan pesanan Anda.`,
  sumNote: (amount) =>
    `**Kirim ${amount}, atau berapa pun yang diteruskan bursa Anda setelah biaya.** Alamat ini hanya untuk pesanan Anda, jadi semua yang masuk dihitung.`,
  restNote:
    "**Yang masuk kurang karena biaya?** Halaman ini akan meminta sisanya. Jika yang masuk lebih, di sini ditampilkan sebagai kelebihan bayar.",
  exchangeNote: (amount) =>
    `**Membayar dari bursa?** Pastikan jumlah yang diterima tepat ${amount}: sebagian bursa memotong biaya dari jumlah yang Anda ketik, sebagian lain menambahkannya.`,
  onlyNote: (currency, network) =>
    `**Hanya ${currency} lewat ${network}.** Apa pun selain itu yang dikirim ke alamat ini tidak membayar pesanan dan bisa hilang.`,

  sameTokenNote: (currency, shown) =>
    `Beberapa dompet menampilkan ${currency} ini sebagai **${shown}**. Keduanya sama.`,
  lookAlikeNote: (name, symbol, contract) =>
    `**Bukan ${name}** (${contract}): dompet menampilkannya sebagai ${symbol}, tetapi itu token lain dan tidak membayar.`,

  qrLegend: "Isi kode QR",
  qrAddress: "Alamat",
  qrWallet: "Dompet",
  qrAddressCaption: "Hanya alamat, untuk semua dompet atau bursa. Ketik sendiri jumlahnya.",
  qrWalletCaption:
    "Alamat dan jumlah, untuk dompet yang membaca permintaan pembayaran. Periksa keduanya sebelum mengirim.",
  qrAddressAlt: (address) => `Kode QR alamat ${address}`,
  qrWalletAlt: (amount, address) => `Kode QR permintaan ${amount} ke ${address}`,

  showQr: "Tampilkan kode QR",
  walletOpen: "Buka di dompet",
  walletPay: "Bayar dengan dompet",
  walletUnloaded: "Ini tidak dapat dimuat. Muat ulang halaman.",
  walletChoose: "Pilih dompet Anda",
  walletConnect: "Buka dompet Anda dan izinkan halaman ini melihat akun Anda.",
  walletConfirm: (amount, network) =>
    `Bandingkan jumlah dan alamat di dompet Anda, lalu konfirmasi di sana: ${amount} di ${network}.`,
  walletSent: (network) => `Dompet Anda sudah mengirim. Halaman ini menunggu sampai ${network} menampilkannya.`,
  walletNothing: "Tidak ada yang dikirim.",
  walletRejected: "Anda menolak di dompet Anda.",
  walletBusy: "Dompet Anda masih menunggu jawaban Anda. Buka dompet, lalu coba lagi.",
  walletNetwork: (network) => `Dompet Anda tidak berada di ${network}. Beralihlah ke sana, lalu coba lagi.`,
  walletAccount: (network) => `Akun ini tidak dapat membayar di ${network}. Pilih akun lain di dompet Anda.`,
  walletFunds: (amount) => `Akun ini tidak memiliki ${amount} dan biaya jaringan.`,
  walletChanged: "Yang harus dibayar sudah berubah. Lihat lagi halaman ini sebelum membayar.",
  walletAgain: "Ini sudah dikirim dari peramban ini. Tunggu sampai muncul di sini.",
  walletAway: "Itu tidak bisa dilakukan saat ini. Coba lagi sebentar lagi.",
  walletFailed: "Dompet Anda melaporkan masalah.",
  walletLook: "Periksa di sana apakah ada yang terkirim sebelum mencoba lagi.",

  contractSummary: (currency, network) => `Alamat token ${currency} di ${network}`,
  contractNote: "Bandingkan dengan token di dompet Anda.",
  viewOn: (explorer) => `Lihat di ${explorer}`,
  opensNewTab: "(membuka tab baru)",

  timeLeft: (clock) => `Sisa ${clock}`,
  payBefore: (time) => `Bayar sebelum: ${time}`,
  timeLeftSpoken: (minutes) => `Sisa waktu untuk membayar: ${unit(minutes, "minute")}`,

  chooseTime: (time) => `Final dalam ${time}`,
  chooseFeeUnder: (to) => `biaya jaringan biasanya di bawah ${to} USD`,
  chooseFeeAbout: (from, to) => `biaya jaringan sekitar ${from} sampai ${to} USD`,
  chooseRecommended: "Disarankan",
  chooseAmount: (amount: string) => `sekitar ${amount}`,
  chooseShown: "Pilihan saat ini",
  chooseQuoted: (amount) => `${amount}, sudah ditawarkan`,
  chooseNote: "Waktu dan biaya adalah yang biasa terjadi, bukan janji. Bursa memungut biayanya sendiri.",
  switchLink: "Bayar dengan cara lain",
  switchTitle: "Bayar dengan cara lain",
  switchStatus: "Pilih ulang",
  switchLead: (amount, network) =>
    `Yang diminta sekarang: **${amount}** lewat **${network}**. Itu tetap bisa dibayar, apa pun yang Anda pilih di sini. **Jika Anda sudah mengirim, jangan pilih apa pun:** pembayaran itu dihitung.`,
  switchBack: "Kembali, tanpa mengubah apa pun",
  otherOffer: (amount, network) =>
    `**Sudah mengirim ${amount} lewat ${network}?** Pembayaran itu dihitung dan akan muncul di sini. Jangan bayar dua kali.`,
  paidOn: (network) => `Dibayar lewat **${network}**, salah satu cara yang ditawarkan.`,
  moreTime: "Saya perlu waktu lebih",
  moreTimeNote: (minutes, left) => `Menambah ${minutes} mnt. Masih bisa ${left} kali lagi.`,
  paidLink: "Saya sudah membayar",
  paidLabel: "ID transaksi",
  paidHint: (networks) =>
    `Dari dompet atau bursa Anda, di ${networks}. ID ini hanya menunjukkan apa yang terjadi dengan transaksinya.`,
  paidLook: "Cari",
  paidNoId: (networks) => `Itu bukan ID transaksi ${networks}. Salin seluruh ID dari dompet atau bursa Anda.`,
  paidOften: "Itu terlalu sering ditanyakan. Coba lagi dalam satu menit.",
  lookupAsking: (id, network) => `Mencari ${id} di ${network} …`,
  lookupSilent: (network) =>
    `**Tidak ada node ${network} yang menjawab.** Itu tidak mengatakan apa-apa tentang pembayaran Anda. Tanyakan lagi dalam satu menit.`,
  lookupAbsent: (id, network) =>
    `**${id} belum terlihat di ${network}.** Ini bisa memakan beberapa menit. Periksa di dompet Anda apakah benar-benar sudah terkirim, dan lewat ${network}.`,
  lookupFailed: (id) =>
    `**${id} gagal di blockchain,** jadi tidak ada yang terkirim. Dompet Anda menunjukkan alasannya.`,
  lookupNothing: (id) =>
    `**${id} tidak mengirim apa pun ke alamat pesanan ini.** Bandingkan alamat di dompet Anda dengan yang ada di sini.`,
  lookupEarly: (id) => `**${id} dibuat sebelum pesanan ini,** jadi tidak bisa membayarnya.`,
  lookupOtherOrder: (id) => `**${id} milik pesanan lain,** jadi tidak membayar pesanan ini.`,
  lookupKept: (id, merchant) =>
    `**${id} sampai di ${merchant}, tetapi tidak membayar pesanan ini dengan sendirinya.** Jangan bayar lagi.`,
  lookupFound: (id) =>
    `**${id} ditemukan.** Transaksi ini dihitung setelah jaringan mengonfirmasinya, dan halaman ini akan menampilkannya.`,
  lookupCounted: (id) =>
    `**${id} sudah dihitung:** sudah tiba dan terkonfirmasi. Jika pesanan ini belum lunas, sisanya masih kurang.`,
  lookupWrongToken: (id, token) => `**${id} mengirim ${token},** bukan yang diminta pesanan ini.`,
  lookupUnknownToken: "token yang tidak dikenal di sini",
  lookupWrongNetwork: (id, network) =>
    `**${id} dikirim lewat ${network},** padahal pesanan ini tidak bisa dibayar di sana.`,
  lookupShort: (id, arrived, due) =>
    `**Dengan ${id} masuk ${arrived}, bukan ${due}.** Mungkin ada biaya yang dipotong darinya. Ini tidak bisa dicocokkan dengan sendirinya.`,
  lookupOver: (id, arrived, due) =>
    `**Dengan ${id} masuk ${arrived}, bukan ${due}.** Ini tidak bisa dicocokkan dengan sendirinya.`,

  sandboxNote: "Ini lingkungan uji coba: uangnya uang mainan di jaringan tersendiri.",
  sandboxPay: "Bayar dari dompet uji coba",
  sandboxPaying: "Mengirim…",
  sandboxSent: "Terkirim dari dompet uji coba",
  sandboxFailed: "Dompet uji coba tidak bisa membayar. Coba lagi.",

  stepsLabel: "Kemajuan",
  stepSeen: "Terlihat",
  stepConfirming: "Konfirmasi",
  stepPaid: "Dibayar",
  seenTitle: "Pembayaran terlihat",
  seenLead: (amount, network) =>
    `**${amount}** sampai di alamat. ${network} sedang mengonfirmasinya. Anda tidak perlu melakukan apa-apa lagi.`,
  confirmingTitle: "Pembayaran Anda sedang dikonfirmasi",
  confirmingLead: (amount, network) =>
    `**${amount}** sudah masuk. ${network} menjadikannya final dalam beberapa blok lagi. Anda tidak perlu melakukan apa-apa lagi.`,
  lateTitle: "Pembayaran terlambat ditemukan",
  lateLead: (amount) =>
    `**${amount}** masuk setelah waktu habis. Kami menemukannya dan sedang mengonfirmasinya. Jangan kirim lagi.`,
  confirmations: (count, required) => `${count} dari ${required} konfirmasi`,
  almostThere: "hampir selesai",
  aboutSeconds: (seconds) => `sekitar ${unit(seconds, "second")}`,
  aboutMinutes: (minutes) => `sekitar ${unit(minutes, "minute")}`,
  mayClose: "Anda boleh menutup halaman ini; pembayaran tetap berjalan.",

  checkingTitle: "Mencari pembayaran Anda",
  checkingLead: (network) =>
    `Waktu sudah habis. **Jangan kirim apa pun sekarang.** Kami sedang membaca blok-blok terakhir ${network}; pembayaran yang sudah Anda kirim akan muncul di sini.`,

  paidTitle: "Pembayaran selesai",
  paidLead: (merchant, amount) => `${merchant} menerima **${amount}**.`,
  paidByHandLead: (merchant, due) => `${merchant} menandai pesanan **${due}** ini sebagai sudah dibayar.`,
  paidLateLead: (merchant, amount) => `${merchant} menerima **${amount}**. Pembayaran masuk setelah waktu habis.`,
  overpaidTitle: "Dibayar, lebih dari yang diminta",
  overpaidLead: (merchant, arrived, surplus) =>
    `${merchant} menerima **${arrived}**, **${surplus}** lebih banyak dari yang diminta. Pesanan sudah dibayar.`,

  expiredTitle: "Waktu sudah habis",
  expiredLead: "Tidak ada yang diterima. **Jangan kirim sekarang:** penawaran ini sudah berakhir.",
  expiredPartLead: (arrived, due) =>
    `Hanya **${arrived}** dari ${due} yang masuk. **Jangan kirim sekarang:** penawaran ini sudah berakhir.`,
  expiredWatched: (hours) =>
    `**Sudah mengirim?** Biarkan halaman ini terbuka. Kami masih mencari pembayaran Anda selama ${unit(hours, "hour")} lagi, dan akan dihitung begitu masuk.`,
  expiredUnwatched: (merchant) => `**Sudah mengirim?** Hubungi ${merchant} dan berikan ID transaksi dari dompet Anda.`,
  expiredAgain: (merchant) => `Untuk membayar sekarang, mulai lagi di ${merchant}.`,
  expiredPartAgain: (merchant) => `Hubungi ${merchant} tentang yang sudah Anda kirim; penjual juga melihatnya.`,

  cancelledTitle: "Pesanan dibatalkan",
  cancelledLead: (merchant) => `${merchant} membatalkan pesanan ini. **Jangan kirim apa pun.**`,

  delayed: (network) =>
    `**Saat ini kami melihat ${network} dengan keterlambatan.** Pembayaran yang Anda kirim aman dan akan muncul di sini begitu kami menyusul. Jangan kirim dua kali.`,

  refundTitle: "Ajukan pengembalian dana Anda",
  refundStatus: "Menunggu alamat Anda",
  refundLead: (merchant, amount) =>
    `${merchant} mengembalikan **${amount}** kepada Anda. Masukkan alamat yang akan menerimanya.`,
  refundReason: "Alasan",
  refundReopened: (merchant) => `**${merchant} meminta alamat lain.**`,
  refundMessage: (merchant) => `Pesan dari ${merchant}`,
  refundNetwork: "Jaringan",
  refundPaidOn: "Anda membayar lewat jaringan ini",
  refundAddress: "Alamat Anda di jaringan ini",
  refundAddressHint: "Alamat dompet atau akun milik Anda sendiri. Dana yang sudah dikirim tidak bisa ditarik kembali.",
  refundExchange: (currency) =>
    `**Ini alamat di bursa?** Bursa itu harus menerima setoran ${currency} ke alamat ini lewat jaringan yang dipilih.`,
  refundConfirm: (count) => `${count} karakter terakhir alamat`,
  refundConfirmHint:
    "Ketik seperti yang tampil di dompet atau bursa Anda. Ini menunjukkan bahwa seluruh alamat tersalin.",
  refundOrderNumber: "Nomor pesanan",
  refundOrderNumberHint: (merchant) => `Dari konfirmasi ${merchant}`,
  refundEmail: "Alamat email",
  refundEmailHint: (merchant) => `Yang Anda berikan kepada ${merchant}`,
  refundSubmit: "Ajukan pengembalian dana",
  refundExpires: "Tautan berlaku sampai",
  refundProblem: {
    used: "Pengembalian dana ini sudah diajukan.",
    often: "Terlalu banyak percobaan. Coba lagi dalam beberapa menit.",
    network: "Pilih salah satu dari jaringan ini.",
    address: (network) => `Itu bukan alamat yang valid di ${network}. Salin seluruh alamat.`,
    token: "Itu alamat tokennya sendiri, bukan alamat dompet. Masukkan alamat Anda sendiri.",
    shop: "Alamat itu milik toko. Masukkan alamat Anda sendiri.",
    confirmation: "Itu bukan karakter terakhir alamat. Bandingkan keduanya lalu coba lagi.",
    number: "Itu bukan nomor pesanan ini.",
    email: "Itu bukan alamat email pesanan ini.",
  },
  refundClaimedTitle: "Alamat diterima",
  refundClaimedLead: (merchant) =>
    `${merchant} memeriksa pengajuan Anda, lalu mengirim dananya. Saat dana dalam perjalanan, halaman ini menampilkannya dengan sendirinya.`,
  refundApprovedTitle: "Pengembalian dana disetujui",
  refundApprovedLead: (merchant, amount, network) =>
    `${merchant} mengirim **${amount}** lewat **${network}** ke alamat Anda. Saat dana dalam perjalanan, halaman ini menampilkannya dengan sendirinya.`,
  refundSentTitle: "Dana dalam perjalanan",
  refundSentLead: (amount, network) =>
    `**${amount}** sudah dikirim ke alamat Anda. ${network} sedang mengonfirmasinya.`,
  refundCompletedTitle: "Pengembalian dana selesai",
  refundCompletedLead: (amount, network) => `**${amount}** sudah masuk ke alamat Anda di **${network}**.`,
  refundCancelledTitle: "Pengembalian dana dibatalkan",
  refundCancelledLead: (merchant) => `${merchant} membatalkan pengembalian dana ini.`,
  refundExpiredTitle: "Tautan sudah kedaluwarsa",
  refundExpiredLead: (merchant) =>
    `Pengembalian dana ini tidak diajukan tepat waktu. Minta tautan baru kepada ${merchant}.`,
  refundNoneLead: "Tidak ada pengembalian dana di balik tautan ini. Pastikan seluruh tautan disalin.",

  linkTitle: (merchant) => `Bayar ${merchant}`,
  linkSubmit: "Lanjut ke pembayaran",
  linkOptional: "boleh dikosongkan",
  linkContinue: "Lanjutkan pembayaran yang sudah dimulai",
  linkBetween: (min, max) => `Dari ${min} sampai ${max}`,
  linkAtLeast: (min) => `Minimal ${min}`,
  linkAtMost: (max) => `Maksimal ${max}`,
  linkProblem: {
    amount: "Masukkan jumlah, misalnya 25.00.",
    often: "Terlalu banyak pembayaran dimulai dari jaringan Anda. Coba lagi dalam beberapa menit.",
    away: "Pembayaran belum dapat dimulai saat ini. Coba lagi dalam satu menit.",
    note: "Catatan terlalu panjang atau berisi karakter yang tidak diizinkan.",
  },
  linkAwayLead: "Toko tidak dapat menerima pembayaran saat ini. Coba lagi nanti.",
  linkUsedTitle: "Tautan pembayaran ini sudah digunakan",
  linkUsedLead: (merchant) =>
    `${merchant} tidak menerima pembayaran lagi dengan tautan ini. Jika pembayaran lain tidak selesai tepat waktu, tautan dapat digunakan lagi.`,
  linkEndedTitle: "Tautan pembayaran ini sudah berakhir",
  linkEndedLead: (merchant) =>
    `${merchant} tidak lagi menerima pembayaran dengan tautan ini. Minta tautan baru jika Anda masih ingin membayar.`,
  linkNoneLead: "Tidak ada tautan pembayaran di alamat ini. Periksa alamatnya atau hubungi toko.",

  detailsHeading: "Rincian",
  merchant: "Penjual",
  price: "Harga",
  subject: "Untuk",
  amountOrdered: "Diminta",
  amountReceived: "Diterima",
  network: "Jaringan",
  address: "Alamat",
  transaction: "Transaksi",
  paidAt: "Dibayar pada",
  expiredAt: "Berakhir pada",
  reference: "Referensi",

  returnTo: (merchant) => `Kembali ke ${merchant}`,
  returning: (seconds) => `Kembali dalam ${seconds} dtk.`,
  returnStay: "Tetap di halaman ini",
  returnStayed: "Anda tetap di halaman ini",
  printReceipt: "Cetak tanda terima",

  pageTitle: (title, merchant) => `${title} · ${merchant}`,
  footer: (merchant) => `Pembayaran Anda langsung masuk ke dompet ${merchant}.`,
  support: (merchant) => `Hubungi ${merchant}`,
  close: "Tutup",
  poweredBy: "Stablegate",
  offline: "Anda sedang luring. Halaman ini berlanjut sendiri saat koneksi kembali.",

  notFoundTitle: "Tautan pembayaran ini tidak mengarah ke mana pun",
  notFoundLead:
    "Tidak ada pesanan di balik tautan ini. Periksa apakah seluruh alamat tersalin, atau kembali ke toko dan mulai pembayaran lagi. **Jangan kirim uang.**",
  refusedTitle: "Pembayaran ini tidak dapat dimulai",
  refusedLead:
    "Toko mengirim permintaan pembayaran yang tidak valid. Kembali ke toko dan coba lagi. **Jangan kirim uang.**",
  notNowLead:
    "Pembayaran tidak dapat dimulai saat ini. Kembali ke toko dan coba lagi dalam satu menit. **Jangan kirim uang.**",
  tamperedTitle: "Jangan bayar",
  tamperedLead:
    "Alamat pesanan ini diubah setelah dibuat, dan bukan oleh toko. **Jangan kirim uang.** Jika sudah terlanjur, simpan ID transaksi dari dompet Anda.",
  closedTitle: "Pembayaran belum bisa dilakukan saat ini",
  closedLead:
    "Toko tidak dapat menerima pembayaran ini saat ini. Kembali ke toko dan pilih cara pembayaran lain, atau coba lagi nanti. **Jangan kirim uang.**",
  otherWay: "Anda juga bisa kembali ke toko dan memilih cara pembayaran lain.",
  alreadyPaidTitle: "Pesanan ini sudah dibayar",
  alreadyPaidLead: "Kembali ke toko. **Jangan bayar lagi.**",
  depositStatus: "Alamat setoran Anda",
  depositLead: (merchant) =>
    `Alamat di ${merchant} ini hanya milik Anda. **Kirim jumlah berapa pun, sesering yang Anda mau:** alamat ini tidak kedaluwarsa.`,
  depositOnly: (currencies, network) =>
    `**Hanya ${currencies} lewat ${network}.** Apa pun selain itu yang dikirim ke alamat ini tidak dikreditkan dan bisa hilang.`,
  depositArrived: "Diterima di alamat ini",
  depositNothing: "Belum ada yang masuk. Yang Anda kirim muncul di sini dengan sendirinya.",
  depositConfirmed: "Terkonfirmasi",
  depositReversed: "Dibatalkan oleh jaringan",
  depositLatest: (count) => `Yang ditampilkan ${count} terakhir.`,
  depositClosedTitle: "Alamat ini sedang tidak dipakai",
  depositClosedLead: (merchant) =>
    `${merchant} menjedanya. **Jangan kirim apa pun.** Yang sudah Anda kirim tidak hilang dan muncul di sini.`,
  depositBrokenTitle: "Alamat ini tidak dapat ditampilkan",
  depositBrokenLead: (merchant) =>
    `Data yang tersimpan tidak lolos pemeriksaan kami dan mungkin diubah orang lain. **Jangan kirim apa pun.** Beri tahu ${merchant} agar diperiksa.`,
  depositNoneLead:
    "Tidak ada alamat di balik tautan ini. Periksa apakah seluruh tautan tersalin, atau minta lagi di tempat Anda mendapatkannya. **Jangan kirim uang.**",
  busyTitle: "Terlalu banyak kunjungan",
  busyLead:
    "Halaman ini terlalu sering dibuka dari alamat internet Anda. Sebentar lagi halaman ini mencoba sendiri. Pembayaran yang sudah Anda kirim tidak hilang.",
  awayTitle: "Segera kembali",
  awayLead:
    "Halaman pembayaran sedang tidak bisa ditampilkan. Halaman mencoba lagi sendiri setiap beberapa detik. Pembayaran yang sudah Anda kirim tidak hilang.",
};
