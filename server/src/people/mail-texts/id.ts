import type { MailTexts } from "./text-shape.ts";

export const id: MailTexts = {
  confirm: {
    subject: "Konfirmasikan alamat email Anda untuk Fava",
    text: [
      "Seseorang mengetik alamat ini di akun Fava. Jika itu Anda, buka halaman ini dalam 24 jam dan tekan tombolnya:",
      "{link}",
      "Jika bukan Anda, abaikan saja. Tanpa konfirmasi, Fava tidak mengirim email lain ke alamat ini.",
    ],
  },
  appealUpheld: {
    subject: "Jawaban atas banding Anda",
    text: ["Kami sudah membaca banding Anda. Keputusannya tetap."],
  },
  appealShortened: {
    subject: "Jawaban atas banding Anda",
    text: ["Kami sudah membaca banding Anda. Larangan Anda dipersingkat: berakhir pada {until}."],
  },
  appealLifted: {
    subject: "Jawaban atas banding Anda",
    text: ["Kami sudah membaca banding Anda. Larangan dicabut, dan Anda dapat masuk lagi."],
  },
  noticeUpheld: {
    subject: "Keputusan atas laporan Anda {no}",
    text: ["Kami setuju dengan laporan Anda {no}.", "Baca keputusannya di halaman ini:", "{link}"],
  },
  noticeUnfounded: {
    subject: "Keputusan atas laporan Anda {no}",
    text: [
      "Kami tidak menemukan pelanggaran dalam hal yang Anda laporkan di {no}.",
      "Baca keputusannya di halaman ini:",
      "{link}",
    ],
  },
  ban: {
    subject: "Akun Fava Anda dilarang",
    text: [
      "Alasan: {reason}.",
      "{by}",
      "{end}",
      "Masuklah untuk membaca pernyataan lengkapnya. Di sana Anda dapat mengajukan banding dalam enam bulan. Gratis, dan orang lain yang memutuskan:",
      "{link}",
    ],
  },
  deletion: {
    subject: "Akun Fava Anda akan dihapus",
    text: [
      "Akun Anda dihapus sesuai permintaan. Sampai {until} Anda dapat masuk dan mendapatkan semuanya kembali. Setelah itu kami menghapusnya untuk selamanya.",
      "{link}",
      "Jika bukan Anda, masuklah sekarang untuk mendapatkannya kembali.",
    ],
  },
  deletionLast: {
    subject: "Hari terakhir untuk mempertahankan akun Fava Anda",
    text: ["Kami menghapus akun Anda setelah {until}. Untuk mempertahankannya, masuklah sebelum itu:", "{link}"],
  },
  ageCheck: {
    subject: "Fava meminta pemeriksaan usia Anda",
    text: [
      "Seorang moderator meminta pemeriksaan usia. Sebelum lulus, Anda tidak dapat bertemu orang di Fava. Harap lakukan sebelum {until}:",
      "{link}",
    ],
  },
  receipt: {
    subject: "Tanda terima Anda dari Fava",
    text: ["Anda membeli {beans} kacang seharga {money} pada {at}.", "Nomor pesanan: {order}"],
  },
  signIn: {
    subject: "Ada yang baru masuk ke akun Fava Anda",
    text: [
      "Akun Anda dipakai di perangkat baru pada {at}: {device}.",
      "Jika bukan Anda, buka “Akun dan data” di Fava dan keluar di mana saja. Lalu ganti kata sandi layanan yang Anda pakai untuk masuk.",
      "{link}",
    ],
  },
  missedCall: {
    subject: "Anda melewatkan panggilan di Fava",
    text: ["Seorang teman menelepon Anda pada {at}.", "{link}"],
  },
  test: {
    subject: "Email percobaan dari Fava",
    text: ["Ini email percobaan, dikirim pada {at}. Jika email ini sampai, situs ini dapat mengirim email."],
  },
  wrote: "Moderator menulis:",
  byPerson: "Ini diputuskan oleh manusia.",
  bySoftware: "Ini diputuskan oleh perangkat lunak, dan akan diperiksa oleh manusia.",
  ends: "Berakhir pada {until}.",
  noEnd: "Tidak ada tanggal berakhir.",
  unknown: "perangkat tidak dikenal",
  why: "Anda mendapat email ini karena memberikan alamat ini di akun Fava Anda.",
  whyOnce:
    "Anda mendapat email ini karena memberikan alamat ini untuk urusan ini. Fava tidak memakainya untuk hal lain.",
  stop: "Hentikan email jenis ini:",
  page: {
    confirm: "Konfirmasikan alamat email Anda",
    confirmText: "Tekan tombol untuk mendapat email dari Fava di alamat tempat Anda menemukan tautan ini.",
    confirmGo: "Konfirmasi",
    confirmed: "Alamat Anda dikonfirmasi",
    confirmedText: "Anda dapat memilih email di “Akun dan data”.",
    expired: "Tautan ini tidak berlaku lagi",
    expiredText: "Ketik alamat Anda lagi di “Akun dan data” untuk mendapat yang baru.",
    stop: "Hentikan email ini?",
    stopText: "Anda tidak akan mendapat email jenis ini lagi: {kind}.",
    stopGo: "Hentikan",
    stopped: "Selesai",
    stoppedText: "Fava tidak mengirim email jenis ini lagi kepada Anda: {kind}.",
    open: "Buka Fava",
  },
  kinds: {
    receipt: "tanda terima",
    sign_in: "masuk baru",
    missed_call: "panggilan tak terjawab",
  },
};
