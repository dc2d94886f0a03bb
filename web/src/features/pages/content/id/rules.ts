import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Aturan komunitas",
  effective: "2026-11-21",
  short: [
    "Bersikap ramah, berpakaian, jadilah diri sendiri.",
    "Berusialah 18 tahun ke atas, dan jangan pernah merekam siapa pun tanpa izin.",
    "Jika seseorang melanggar aturan, tinggalkan dan beri tahu kami: setiap laporan dibaca manusia.",
  ],
  sections: [
    {
      id: "respect",
      heading: "Perlakukan orang dengan baik",
      blocks: [
        {
          kind: "paragraph",
          text: "Di balik setiap gambar ada orang yang memberanikan diri menekan Mulai. Anda tidak harus menyukai semua orang; salam perpisahan yang ramah sudah cukup.",
        },
        {
          kind: "list",
          items: [
            "Tanpa hinaan, tanpa kebencian karena asal-usul, warna kulit, keyakinan, jenis kelamin, seksualitas, disabilitas, atau usia.",
            "Tanpa pelecehan: tidak berarti tidak, dan menekan Berikutnya juga berarti tidak.",
            "Tanpa ancaman, tanpa pemerasan, tanpa ajakan menyakiti orang lain atau diri sendiri.",
          ],
        },
      ],
    },
    {
      id: "dressed",
      heading: "Tetap berpakaian",
      blocks: [
        {
          kind: "list",
          items: [
            "Tanpa ketelanjangan, pamer pakaian dalam, atau tindakan seksual, juga tidak lewat kata-kata, alat, atau gambar yang diarahkan ke kamera.",
            "Tanpa pornografi, baik milik Anda sendiri maupun orang lain.",
            "Jangan meminta orang lain membuka pakaian, dan jangan menawarkannya.",
          ],
        },
      ],
    },
    {
      id: "adults",
      heading: "Khusus dewasa",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda harus berusia 18 tahun ke atas. Tidak boleh ada orang di bawah 18 tahun di gambar, meski hanya di latar belakang dan hanya sekejap.",
        },
        {
          kind: "paragraph",
          text: "Apa pun yang menseksualisasi anak berakhir dengan pemblokiran permanen dan diserahkan kepada pihak berwenang sesuai ketentuan hukum.",
        },
        {
          kind: "paragraph",
          text: "Jika Anda sendiri belum 18 tahun, silakan tinggalkan. Tidak ada yang marah kepada Anda, dan Anda dapat kembali saat berusia 18 tahun.",
        },
      ],
    },
    {
      id: "recording",
      heading: "Jangan pernah merekam",
      blocks: [
        {
          kind: "paragraph",
          text: "Jangan merekam, memotret, menyiarkan, atau menangkap layar panggilan kecuali lawan bicara jelas-jelas setuju. Jangan pula membawa penonton: lawan bicara mengira hanya ada dua orang dalam panggilan ini.",
        },
        {
          kind: "paragraph",
          text: "Siapa pun yang mengancam akan menyebarkan rekaman melakukan pemerasan. Jangan membayar, simpan buktinya, dan beri tahu kami: [pusat keamanan](/safety) menjelaskan langkahnya secara berurutan.",
        },
      ],
    },
    {
      id: "danger",
      heading: "Tidak ada yang berbahaya atau melanggar hukum",
      blocks: [
        {
          kind: "list",
          items: [
            "Tanpa senjata di depan kamera, tanpa kekerasan, tanpa penyiksaan hewan, tanpa menyakiti diri sendiri.",
            "Tanpa menawarkan narkoba, tanpa membantu kejahatan.",
            "Tanpa memuja teror atau organisasi yang menyebarkannya.",
          ],
        },
      ],
    },
    {
      id: "honest",
      heading: "Jadilah diri sendiri",
      blocks: [
        {
          kind: "list",
          items: [
            "Tunjukkan wajah Anda sendiri secara langsung. Tanpa video rekaman, bot, foto orang lain, atau wajah yang ditukar perangkat lunak.",
            "Sebutkan jenis kelamin dan tanggal lahir yang sebenarnya.",
            "Satu orang, satu akun. Jangan kembali dengan akun kedua selama diblokir.",
          ],
        },
      ],
    },
    {
      id: "money",
      heading: "Tanpa jualan, tanpa meminta-minta",
      blocks: [
        {
          kind: "list",
          items: [
            "Tanpa iklan, tautan ke pertunjukan berbayar, perekrutan, atau meminta uang dan hadiah.",
            "Tanpa penipuan: tanpa keadaan darurat palsu, tawaran investasi, atau cinta demi uang.",
            "Kacang, akun, dan bantuan tidak untuk diperjualbelikan.",
          ],
        },
      ],
    },
    {
      id: "private",
      heading: "Jaga hal pribadi tetap pribadi",
      blocks: [
        {
          kind: "paragraph",
          text: "Jangan membagikan nomor telepon, alamat, data bank, atau dokumen, baik milik Anda maupun orang lain, dan jangan memintanya. Jangan menaruh hal seperti itu di nama panggilan atau profil Anda.",
        },
      ],
    },
    {
      id: "leave",
      heading: "Lindungi diri Anda",
      blocks: [
        {
          kind: "list",
          items: [
            "Anda dapat pergi kapan saja, tanpa alasan: Esc mengakhiri panggilan, panah kanan menuju orang berikutnya.",
            "Untuk segera keluar, tekan X, atau perisai di ponsel: gambar hilang, panggilan berakhir, dan lawan bicara diblokir serta dilaporkan. Dalam {undo} Anda dapat membatalkannya.",
            "Kamera dan mikrofon punya tombolnya masing-masing.",
            "Jangan mengirim uang, dan jangan pindah ke aplikasi lain karena didesak seseorang.",
            "Jika Anda dalam bahaya, hubungi nomor darurat negara Anda lebih dulu.",
          ],
        },
      ],
    },
    {
      id: "report",
      heading: "Beri tahu kami",
      blocks: [
        {
          kind: "paragraph",
          text: "Tekan bendera saat panggilan, pada pesan, di daftar orang terbaru (selama {recent}), atau di profil; jika tidak bisa, tulis ke {email} dengan waktu panggilan. Manusia membaca setiap laporan, yang terberat lebih dulu, dan Anda diberi tahu hasilnya. Laporan disimpan {reportsKept}, bukti {evidenceKept}. Orang yang dilaporkan tidak pernah diberi tahu siapa pelapornya.",
        },
        {
          kind: "paragraph",
          text: "Laporlah dengan jujur. Laporan yang dibuat-buat untuk merugikan seseorang juga melanggar aturan ini.",
        },
      ],
    },
    {
      id: "consequences",
      heading: "Apa yang terjadi jika aturan dilanggar",
      blocks: [
        {
          kind: "table",
          head: ["Siapa yang memutuskan", "Apa yang dapat terjadi"],
          rows: [
            [
              "Perangkat lunak saja",
              "Penangguhan {pause}; setelah kejadian kedua yang terkonfirmasi dalam {pauseMax}, sampai seseorang memutuskan, paling lama {pauseMax}",
            ],
            ["Laporan saja", "Penangguhan yang berakhir setelah {pauseMax} jika belum ada yang memutuskan"],
            ["Satu moderator", "Peringatan, atau pemblokiran dengan batas waktu: umumnya sehari, lalu seminggu"],
            [
              "Dua orang",
              "Pemblokiran permanen: umumnya pada catatan pelanggaran ketiga yang berlaku, atau langsung untuk yang terberat",
            ],
            ["Administrator", "Semua hal tentang orang yang mungkin di bawah 18 tahun: pencocokan langsung berhenti"],
          ],
        },
        {
          kind: "paragraph",
          text: "Catatan pelanggaran dihitung selama {strike}. Apakah jenis kelamin salah hanya dinilai oleh manusia, dengan pemeriksaan kedua, dan hal itu sendiri tidak pernah menjadi catatan pelanggaran. Perangkat atau jaringan yang sama dengan akun yang diblokir membuat kami melihat lebih teliti, tetapi hal itu sendiri tidak pernah berujung pemblokiran.",
        },
      ],
    },
    {
      id: "decision",
      heading: "Apa yang kami sampaikan kepada Anda",
      blocks: [
        {
          kind: "paragraph",
          text: "Setiap pemblokiran menyebutkan apa yang kami lihat, aturan mana yang terkait, siapa yang memutuskan (manusia atau perangkat lunak), dan sampai kapan. Tidak ada yang dapat membeli jalan keluar dari pemblokiran, dan tidak ada yang dapat membeli perlindungan darinya. Seberapa sering kami memblokir, dan seberapa sering kami keliru, ada di halaman [Transparansi](/transparency).",
        },
      ],
    },
    {
      id: "appeal",
      heading: "Jika kami keliru",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda dapat mengajukan banding selama enam bulan, juga saat diblokir: tekan “Ajukan banding” pada pemberitahuan larangan, atau tulis ke {email} dengan nomor akun Anda. Orang yang berbeda dari sebelumnya yang memutuskan, dan kami berusaha menjawab dalam {appealAnswer}. Jika kami keliru, pemblokiran dan catatan pelanggarannya dicabut dan kacang yang hilang karenanya dikembalikan.",
        },
      ],
    },
  ],
};
