import type { SafetyContent } from "#lib/page-content.ts";

export const page: SafetyContent = {
  title: "Ada yang mengancam Anda?",
  lead: "Anda tidak bersalah, dan Anda tidak sendirian. Lakukan empat hal ini secara berurutan.",
  steps: [
    {
      heading: "Jangan membayar",
      text: "Membayar hampir tidak pernah mengakhirinya. Yang membayar akan diminta lagi.",
    },
    {
      heading: "Berhenti membalas",
      text: "Jangan berdebat, jangan memohon. Blokir, tetapi jangan hapus obrolannya.",
    },
    {
      heading: "Simpan bukti",
      text: "Tangkapan layar, nama, nomor, waktu. Jangan meneruskan gambar intim apa pun.",
    },
    {
      heading: "Beri tahu kami, lalu polisi",
      text: "Laporan pemerasan kami periksa lebih dulu. Bukti disimpan {evidenceKept}.",
    },
  ],
  template:
    "Seseorang yang saya temui di Fava memeras saya.\n\nNomor atau nama panggilan akun itu: {number}\nNomor akun saya: \nKapan kami bertemu (tanggal, waktu, zona waktu saya): \nApa ancamannya, dan apa yang diminta: \nDi mana ia menghubungi saya (aplikasi, nama, nomor): \n\nSaya belum membayar dan menyimpan tangkapan layar. Mohon simpan buktinya dan hentikan akun itu.",
  talk: {
    heading: "Selama Anda berbicara",
    parts: [
      {
        heading: "Satu tombol untuk keluar",
        text: "Tekan X, atau perisai di ponsel. Gambar hilang, Anda keluar, dan lawan bicara diblokir serta dilaporkan.",
      },
      {
        heading: "Kabur dulu",
        text: "Anda tidak melihat siapa pun dengan jelas sebelum pemeriksaan pertama lolos. Jika nanti ada yang meragukan, gambar kembali kabur.",
      },
      {
        heading: "Tempat Anda tetap milik Anda",
        text: "Pihak lain tidak pernah mendapat alamat jaringan Anda. Negara Anda ditampilkan, tidak lebih dekat dari itu.",
      },
      {
        heading: "Setelah panggilan",
        text: "Selama {recent} Anda masih dapat melaporkan atau memblokir siapa pun yang Anda temui, di daftar orang terbaru.",
      },
    ],
  },
  removal: {
    heading: "Gambar Anda ada di internet",
    text: "Beri tahu kami di mana. Jika ada di profil di sini, kami menghapusnya dan menolaknya bila diunggah lagi. Jika berasal dari panggilan di sini, beri tahu kapan: kami mencari akunnya dan menyegel bukti yang ada. Untuk tempat lain, dua layanan gratis dapat membantu; gambarnya tetap pada Anda, hanya sidik jarinya yang keluar. Yang pertama untuk orang dewasa, yang kedua untuk siapa pun yang berusia di bawah 18 tahun dalam gambar itu.",
  },
  minor: {
    heading: "Seseorang mungkin di bawah 18 tahun",
    text: "Tinggalkan panggilan dan laporkan “Mungkin di bawah 18”. Akun itu langsung tidak bertemu siapa pun lagi, dan administrator memeriksanya. Jika Anda sendiri di bawah 18 tahun dan ada yang menekan Anda: itu bukan salah Anda, dan tidak ada yang akan menyalahkan Anda di sini. Beri tahu kami, dan orang dewasa yang Anda percaya.",
  },
  danger: {
    heading: "Jika Anda dalam bahaya sekarang",
    text: "Hubungi nomor darurat negara Anda lebih dulu. Jika Anda terpikir menyakiti diri sendiri, hubungi seseorang sekarang: ini akan berlalu, dan ada orang yang dapat membantu.",
  },
  visit: {
    heading: "Kunjungan Anda ke sini",
    text: "Membaca halaman ini tidak dihitung dan tidak dijual. “Tinggalkan halaman ini” menuju halaman awal, dan Kembali tidak membawa Anda ke sini lagi. Riwayat browser Anda masih mencatat halaman ini; Anda dapat menghapusnya di sana.",
  },
};
