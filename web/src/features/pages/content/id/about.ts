import type { AboutContent } from "#lib/page-content.ts";

export const page: AboutContent = {
  title: "Mengobrol dengan orang asing, dengan cara yang baik.",
  lead: "Fava mempertemukan dua orang dewasa dalam percakapan langsung. Kami membuatnya agar keduanya pulang dengan senang.",
  features: [
    {
      heading: "Orang baru, satu per satu",
      text: "Sekali tekan, dan Anda berbicara dengan orang sungguhan di tempat lain. Lanjut jika tidak cocok, tetap tinggal jika menyenangkan. Tidak perlu memoles profil dulu.",
    },
    {
      heading: "Kabur sampai diperiksa",
      text: "Setiap gambar mulai kabur dan menjadi jelas setelah pemeriksaan pertama lolos. Satu tombol membawa Anda keluar. Manusia membaca setiap laporan, dan setiap pemblokiran yang lebih lama adalah keputusan manusia.",
    },
    {
      heading: "Anda selalu tahu biayanya",
      text: "Bertemu orang itu gratis. Hanya filter yang memakai kacang, per menit, dan harganya tampil dalam kacang dan uang sebelum dan selama Anda berbicara. Pembelian yang belum terpakai dapat kembali dalam {withdraw}.",
    },
  ],
  sections: [
    {
      id: "matching",
      heading: "Bagaimana dua orang bertemu",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda memilih siapa yang ingin ditemui dan dari mana, lalu mulai. Fava mencari orang yang keinginannya juga cocok dengan Anda: filter adalah keinginan satu orang, bukan tuntutan kepada orang lain. “Seimbang” mencari di negara Anda dulu, lalu di kawasannya, lalu di mana saja. Yang menunggu paling lama didahulukan, dan tidak ada yang dapat membeli tempat lebih depan.",
        },
        {
          kind: "paragraph",
          text: "Jika lawan bicara tidak tersambung dalam {matchTimeout}, Anda kembali ke tempat semula dalam antrean dan tidak ada yang dikenai biaya. Panah kanan menuju orang berikutnya, Esc mengakhiri panggilan.",
        },
      ],
    },
    {
      id: "after",
      heading: "Setelah panggilan",
      blocks: [
        {
          kind: "paragraph",
          text: "Selama {recent} semua orang yang Anda temui ada di daftar Anda: untuk diikuti, ditemui lagi jika kalian berdua mau, dilaporkan, atau diblokir. Yang saling mengikuti dapat saling menulis. Kepada orang asing Anda dapat mengirim satu pesan; ia yang menentukan apakah ada pesan kedua.",
        },
      ],
    },
    {
      id: "adults",
      heading: "Khusus dewasa",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda harus berusia 18 tahun untuk memakai obrolan video. Kami menanyakan tanggal lahir lengkap dan memeriksanya di pihak kami. Siapa pun yang mungkin lebih muda langsung dikeluarkan dari pencocokan, dan seseorang memeriksanya sebelum hal lain terjadi.",
        },
      ],
    },
    {
      id: "checks",
      heading: "Apa yang diperiksa, dan oleh siapa",
      blocks: [
        {
          kind: "paragraph",
          text: "Panggilan tidak direkam. Kira-kira setiap {inspection}, program di server kami sendiri memeriksa satu gambar diam; yang tanpa temuan hilang {remembered} setelah panggilan. Jika ada temuan atau laporan, buktinya disegel selama {evidenceKept} dan moderator yang memutuskan. Jika seseorang mengancam Anda, [pusat keamanan](/safety) menjelaskan apa yang perlu dilakukan.",
        },
      ],
    },
    {
      id: "address",
      heading: "Alamat Anda tetap milik Anda",
      blocks: [
        {
          kind: "paragraph",
          text: "Kedua pihak dalam panggilan tidak pernah tahu alamat jaringan satu sama lain. Suara dan gambar melewati perantara, dan server menghapus apa pun yang dapat membocorkan alamat. Lawan bicara melihat negara Anda, tidak lebih dekat dari itu.",
        },
      ],
    },
    {
      id: "bans",
      heading: "Pemblokiran yang menjelaskan diri",
      blocks: [
        {
          kind: "paragraph",
          text: "Pemblokiran menyebutkan apa yang kami lihat, siapa yang memutuskan, dan sampai kapan. Anda dapat mengajukan banding selama enam bulan, orang lain yang memutuskan, dan pemblokiran yang keliru mengembalikan kacang yang hilang. Pemblokiran permanen memerlukan dua orang. Tidak ada jalan keluar berbayar. Angkanya ada di halaman [Transparansi](/transparency).",
        },
      ],
    },
    {
      id: "beans",
      heading: "Kacang",
      blocks: [
        {
          kind: "paragraph",
          text: "Kacang dipakai untuk filter jenis kelamin dan negara, dan tidak pernah untuk membuat Anda lebih aman. {free} pertama panggilan gratis, waktu berhenti saat Anda mencari atau menyambung kembali, dan setiap kacang yang berpindah ada di riwayat kacang Anda. Pembelian yang belum tersentuh dapat dibatalkan dalam {withdraw}. Tidak ada hadiah beruntun, tidak ada penawaran hitung mundur, dan tidak ada kotak yang dicentangkan untuk Anda.",
        },
      ],
    },
    {
      id: "everyone",
      heading: "Dibuat untuk semua orang",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava dibuat agar dapat dipakai dengan papan ketik saja, dengan pembaca layar, dari kanan ke kiri, dan dengan lebih sedikit gerakan; [pernyataan aksesibilitas](/accessibility) menjelaskan apa yang diuji dan apa yang kurang. Halaman ini ada dalam bahasa Inggris, Tionghoa, Arab, Turki, dan Indonesia.",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
