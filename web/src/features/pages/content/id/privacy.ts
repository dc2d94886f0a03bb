import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Kebijakan privasi",
  effective: "2026-11-22",
  short: [
    "Panggilan Anda tidak direkam. Perangkat lunak memeriksa gambar diam saat Anda berbicara; jika ada temuan atau laporan, buktinya disimpan {evidenceKept}, selain itu tidak ada gambar yang disimpan.",
    "Orang yang Anda temui tidak pernah tahu alamat jaringan Anda, tanggal lahir Anda, atau lokasi Anda selain negara.",
    "Anda dapat meminta salinan, perbaikan, atau penghapusan data kapan saja, bahkan saat diblokir.",
  ],
  sections: [
    {
      id: "who",
      heading: "Siapa kami",
      blocks: [
        {
          kind: "paragraph",
          text: "{company} menjalankan Fava dan menentukan bagaimana data Anda digunakan. Hubungi kami di {email}, atau lewat pos ke {address}.",
        },
        {
          kind: "paragraph",
          text: "Kebijakan ini berlaku untuk seluruh layanan, sebagaimana layanan berjalan sejak tanggal di atas.",
        },
      ],
    },
    {
      id: "collect",
      heading: "Apa yang kami kumpulkan",
      blocks: [
        {
          kind: "list",
          items: [
            "Dari penyedia yang Anda pakai untuk masuk (Google, Facebook, atau Apple): nomor yang dipakainya untuk akun Anda, nama Anda, dan foto Anda. Nama dan foto itu menjadi nama panggilan dan foto profil Anda di Fava. Kami tidak pernah melihat kata sandi Anda serta tidak membaca kontak atau kiriman Anda. Jika penyedia meneruskan alamat email, kami tidak menyimpannya.",
            "Dari Anda: tanggal lahir dan jenis kelamin, ditanyakan satu kali; siapa yang ingin Anda temui; nama panggilan, apa yang Anda tulis tentang diri, tempat yang Anda sebut, dan foto Anda; pesan Anda; siapa yang Anda ikuti, sukai, laporkan, blokir, atau ingin Anda temui lagi.",
            "Selama Anda memakai Fava: alamat jaringan saat Anda masuk dan negara yang ditentukan darinya di server kami sendiri; jenis dan bahasa browser; nomor acak untuk perangkat Anda; akun mana yang bertemu, kapan, dan bagaimana panggilan berakhir; serta setiap kacang yang berpindah.",
            "Saat Anda membeli kacang: pesanan dengan nomor, paket, jumlah, mata uang, dan cara bayarnya, serta hasilnya.",
            "Saat Anda mengajukan banding atau menulis kepada kami: teks Anda, alamat email jika Anda mencantumkannya, dan jawaban kami.",
          ],
        },
        {
          kind: "paragraph",
          text: "Kami tidak menanyakan lokasi persis Anda dan tidak membeli data tentang Anda.",
        },
      ],
    },
    {
      id: "seen",
      heading: "Apa yang dilihat orang yang Anda temui",
      blocks: [
        {
          kind: "list",
          items: [
            "Dalam panggilan, lawan bicara melihat dan mendengar apa yang dikirim kamera dan mikrofon Anda, membaca apa yang Anda tulis, serta melihat nama panggilan, foto profil, jenis kelamin, dan negara Anda. Pada awalnya nama dan foto itu berasal dari akun yang Anda pakai untuk masuk, jadi pilihlah akun dengan nama dan foto yang tidak keberatan Anda tunjukkan.",
            "Profil Anda juga menampilkan nomor akun, apa yang Anda tulis tentang diri dan tempat Anda, serta foto yang disetujui seseorang. Teman, yaitu dua orang yang saling mengikuti, melihat apakah Anda daring dan apakah pesannya sudah Anda baca. Orang asing dapat menemukan Anda dengan nomor akun, dan dengan nama panggilan, atau hanya dengan gender, usia, dan negara, kecuali Anda mematikannya di profil. Pencarian dapat dibatasi menurut usia: yang mencari suatu rentang jadi tahu bahwa usia Anda ada di dalamnya.",
            "Mereka tidak pernah melihat tanggal lahir, alamat jaringan, nomor perangkat, atau penyedia yang Anda pakai. Suara dan gambar dikirim terenkripsi melalui perantara, dan server kami menghapus alamat jaringan dari informasi yang dipertukarkan kedua browser, sehingga aplikasi yang diubah pun tidak dapat mengetahuinya.",
            "Merekam orang lain tanpa izin dilarang. Kami tidak dapat mencegah seseorang mengarahkan kamera lain ke layar, jadi tunjukkan hanya hal yang tidak keberatan Anda perlihatkan kepada orang asing.",
          ],
        },
      ],
    },
    {
      id: "checks",
      heading: "Bagaimana gambar diperiksa",
      blocks: [
        {
          kind: "paragraph",
          text: "Untuk melindungi kedua orang, gambar diam dari panggilan diambil kira-kira setiap {inspection}, pada saat yang dipilih server kami: dari kamera Anda sendiri, dan sesekali juga dari apa yang diterima pihak lain. Program di server kami sendiri memeriksa apakah di dalamnya ada ketelanjangan, tindakan seksual, atau kode yang mengarah ke tempat lain. Tidak ada perusahaan luar yang menerimanya. Sampai pemeriksaan pertama lolos, lawan bicara melihat Anda kabur.",
        },
        {
          kind: "paragraph",
          text: "Jika tidak ada temuan, tidak ada yang melihat gambar itu: paling banyak tiga gambar terakhir dari tiap sudut tinggal di memori, dan hilang {remembered} setelah panggilan. Program ini tidak mendengarkan, tidak mengenali siapa seseorang, dan tidak memperkirakan usia. Ada yang terlewat dan ada yang keliru; karena itu manusialah yang memutuskan.",
        },
        {
          kind: "paragraph",
          text: "Jika ada temuan, atau jika seseorang melapor, gambar yang masih di memori dan baris obrolan terakhir disegel sebagai bukti: dienkripsi satu per satu, dan dibuka satu per satu oleh moderator hanya untuk kasus itu. Setiap kali dilihat, hal itu dicatat. Jika seseorang mungkin di bawah 18 tahun, tidak ada gambar yang disimpan, hanya sidik jari gambar dan skornya.",
        },
        {
          kind: "list",
          items: [
            "Foto dan foto profil yang Anda unggah ditulis ulang tanpa data tersembunyi seperti tempat pengambilannya, diperiksa program yang sama, dan baru ditampilkan kepada orang lain setelah disetujui seseorang. Dari gambar yang dihapus karena isinya, kami menyimpan sidik jari tanpa nama agar tidak ada yang mengunggahnya lagi.",
            "Pesan, baris obrolan, dan teks profil diperiksa dengan daftar kata dan pola. Yang dilarang aturan kami di dalamnya, seperti data kontak, ancaman, dan hinaan, dihentikan atau disamarkan. Dari teks yang dihentikan kami hanya menyimpan bahwa teks itu dihentikan dan alasannya, tidak pernah teksnya. Perangkat lunak juga menghitung seberapa sering seseorang melewati orang atau mengulang baris, dan melihat jika perangkat atau jaringan dipakai bersama akun yang diblokir: hal itu membuat seseorang memeriksanya, dan dengan sendirinya tidak ada akibat lain.",
            "Perangkat lunak sendiri tidak pernah memblokir siapa pun. Ia dapat menangguhkan akun selama {pause} dan, setelah kejadian kedua yang terkonfirmasi dalam {pauseMax}, sampai seseorang memutuskan, paling lama {pauseMax}. Yang lebih lama diputuskan oleh manusia, dan pemblokiran permanen oleh dua orang.",
          ],
        },
      ],
    },
    {
      id: "keep",
      heading: "Berapa lama kami menyimpannya",
      blocks: [
        {
          kind: "table",
          head: ["Apa", "Dari mana", "Berapa lama"],
          rows: [
            ["Suara dan gambar panggilan", "Kamera dan mikrofon Anda", "Tidak direkam"],
            [
              "Gambar diam tanpa temuan",
              "Kedua pihak panggilan, diperiksa perangkat lunak",
              "Hanya di memori, hilang {remembered} setelah panggilan",
            ],
            [
              "Bukti untuk laporan atau temuan",
              "Kedua pihak panggilan, atau pesan yang dilaporkan",
              "{evidenceKept}, disegel; lebih lama hanya selama kasus atau banding masih terbuka",
            ],
            ["Laporan", "Orang yang melapor", "{reportsKept}; lebih lama hanya sampai seseorang memutuskan"],
            ["Alamat jaringan, perangkat, dan waktu masuk", "Server kami, saat Anda masuk", "{addressesKept}"],
            [
              "Obrolan teks dalam panggilan",
              "Anda dan lawan bicara",
              "Hanya di memori, hilang {remembered} setelah panggilan kecuali menjadi bukti",
            ],
            ["Pesan", "Anda dan lawan bicara", "Sampai salah satu menghapus akunnya: teks di pihak itu lalu hilang"],
            ["Foto dan foto profil", "Anda dan penyedia masuk", "Sampai Anda menghapus atau menggantinya"],
            ["Sidik jari gambar yang dihapus", "Gambarnya, tanpa nama Anda", "Tanpa batas"],
            ["Bahwa suatu teks dihentikan, dan alasannya", "Server kami", "{reportsKept}"],
            [
              "Yang diperhatikan perangkat lunak tentang melewati orang, baris berulang, atau perangkat bersama",
              "Server kami",
              "{signalsKept}",
            ],
            [
              "Profil, tanggal lahir, jenis kelamin, negara, preferensi, orang yang Anda ikuti, sukai, atau blokir",
              "Anda, penyedia masuk, dan server kami",
              "Selama akun Anda ada",
            ],
            [
              "Akun mana yang bertemu, kapan, dan bagaimana panggilan berakhir",
              "Server kami",
              "Selama akun Anda ada, lalu dengan nomor yang tidak menyebut siapa pun",
            ],
            [
              "Keputusan tentang akun Anda, banding, dan catatan tindakan moderator",
              "Moderator, administrator, dan perangkat lunak",
              "Selama akun Anda ada, lalu dengan nomor yang tidak menyebut siapa pun; catatan pelanggaran tidak dihitung lagi setelah {strike}",
            ],
            ["Salinan data yang Anda minta", "Server kami", "{exportKept}"],
            [
              "Pesanan dan kacang",
              "Anda, server kami, dan penyedia pembayaran",
              "Selama diwajibkan hukum, dengan nomor sebagai pengganti nama Anda",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Akun yang dihapus dapat kembali dalam {restore}. Setelah itu datanya dihapus, atau, jika catatan harus tetap ada, dipisahkan dari identitas Anda. Akun yang Anda pakai untuk masuk juga dilepaskan, kecuali pemblokiran masih berlaku: penghapusan bukan jalan untuk menghindarinya.",
        },
      ],
    },
    {
      id: "share",
      heading: "Siapa lagi yang menerima data",
      blocks: [
        {
          kind: "list",
          items: [
            "Google, Facebook, atau Apple mengetahui bahwa Anda masuk ke Fava. Selama Anda belum masuk, halaman awal dan jendela masuk kami juga memuat skrip masuk dari ketiganya, yang lalu melihat alamat jaringan Anda dan mungkin menyimpan sesuatu miliknya di browser Anda. Di sana berlaku kebijakan privasi mereka sendiri.",
            "Perantara yang membawa suara dan gambar melihat alamat jaringan kedua pihak dan data terenkripsi. Ia tidak menyimpan apa yang dibawanya.",
            "Saat Anda membeli kacang, PayerMax, Coda, atau Stripe menerima pembayarannya, tergantung cara Anda membayar. Data kartu Anda diberikan ke sana dan tidak pernah kepada kami; kami menerima nomor pesanan, jumlah, dan hasilnya.",
            "Perusahaan yang menjalankan server atau penyimpanan untuk kami hanya bekerja sesuai instruksi kami.",
            "Pihak berwenang menerima data hanya jika hukum mewajibkan kami, dan kami mencatat dasar hukumnya setiap kali.",
          ],
        },
        {
          kind: "paragraph",
          text: "Kami tidak menjual data. Tidak ada iklan di Fava, dan tidak ada yang melacak Anda di halaman kami untuk iklan atau statistik.",
        },
      ],
    },
    {
      id: "browser",
      heading: "Apa yang disimpan di browser Anda",
      blocks: [
        {
          kind: "paragraph",
          text: "Browser menyimpan apa yang dibutuhkan halaman dengan nama dalam tabel ini. Tidak ada yang berupa cookie, dan kami tidak memasang cookie.",
        },
        {
          kind: "table",
          head: ["Nama", "Untuk apa", "Berapa lama"],
          rows: [
            [
              "loginToken, tencentCloudToken, uid, externalId, nickname, user_avatar, role, fava",
              "Bahwa Anda sudah masuk dan sebagai siapa, dengan kunci yang menandatangani permintaan dan tidak dapat dibaca keluar",
              "Sampai Anda keluar",
            ],
            [
              "imei, filterGender, filterCountry, keepBlurred, selfCorner, panicKnown, deskBlur, deskGrey",
              "Nomor acak untuk perangkat ini, siapa yang ingin Anda temui, dan bagaimana gambar ditampilkan kepada Anda",
              "Sampai Anda keluar",
            ],
            [
              "roomId, agoraToken, holdPageKey, rechargeToken, chargeStatus, rechargePrice, waitingOrder",
              "Panggilan dan pembayaran yang sedang berjalan, dan di tab mana",
              "Sampai selesai, paling lambat sampai Anda keluar",
            ],
            [
              "unsentPanic, appealDraft",
              "Laporan atau banding yang belum terkirim",
              "Sampai terkirim, paling lambat sampai Anda keluar",
            ],
            [
              "language, theme, neverShowRule",
              "Bahasa Anda, tampilan terang atau gelap, dan bahwa aturan keamanan tidak ditampilkan lagi",
              "Sampai Anda menghapus data browser",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Browser juga menyimpan berkas halaman kami agar lebih cepat terbuka. Keluar dari akun menghapus semua di atas kecuali baris terakhir.",
        },
      ],
    },
    {
      id: "why",
      heading: "Mengapa kami boleh memakainya",
      blocks: [
        {
          kind: "list",
          items: [
            "Untuk memberi Anda layanan yang Anda minta: akun, pencocokan, panggilan, dan kacang.",
            "Untuk menjaga orang tetap aman dan layanan tetap jujur: pemeriksaan, laporan, dan alamat jaringan saat masuk. Semua yang memakai Fava berkepentingan atas hal itu, begitu pula kami.",
            "Karena hukum mewajibkan kami: catatan pesanan dan permintaan sah dari pihak berwenang.",
            "Karena Anda mengizinkannya: kamera dan mikrofon Anda. Izin itu dapat Anda cabut di browser kapan saja.",
          ],
        },
      ],
    },
    {
      id: "protect",
      heading: "Bagaimana kami melindunginya",
      blocks: [
        {
          kind: "list",
          items: [
            "Semua sambungan terenkripsi. Kunci yang membuat Anda tetap masuk hanya disimpan sebagai sidik jari yang tidak dapat dikembalikan. Orang yang bekerja untuk kami hanya melihat apa yang diperlukan tugasnya.",
            "Pesan antarorang tidak dienkripsi ujung ke ujung: pesan ada di server kami, dan moderator hanya melihat pesan yang dilaporkan. Moderator melihat akun, kasus beserta buktinya, dan keputusan sebelumnya. Setiap keputusan dan setiap kali bukti dilihat masuk ke catatan yang tidak dapat diubah siapa pun.",
          ],
        },
      ],
    },
    {
      id: "rights",
      heading: "Hak Anda",
      blocks: [
        {
          kind: "list",
          items: [
            "Mendapat salinan data Anda: “Akun dan data” menyiapkan satu berkas yang dapat dibaca orang dan program, dan menyimpannya selama {exportKept}.",
            "Memperbaiki yang salah: teks dan foto kapan saja, nama panggilan sekali dalam {nameChange}. Tanggal lahir, jenis kelamin, dan negara tidak dapat Anda ubah sendiri; jika ada yang salah, beri tahu kami.",
            "Menghapus akun Anda, juga di “Akun dan data”. Pembelian yang belum tersentuh dikembalikan, sebelum Anda mengonfirmasi kami memberi tahu kacang mana yang akan hilang, dan dalam {restore} Anda dapat kembali.",
            "Menolak penggunaan data Anda, atau meminta pembatasannya.",
            "Mengadu kepada lembaga perlindungan data di tempat tinggal Anda.",
          ],
        },
        {
          kind: "paragraph",
          text: "Selama Anda diblokir, salinan dan penghapusan ada di halaman banding yang terbuka dari pemberitahuan larangan. Anda juga dapat menulis ke {email} dengan nomor akun Anda. Semua ini gratis.",
        },
      ],
    },
    {
      id: "minors",
      heading: "Orang di bawah 18 tahun",
      blocks: [
        {
          kind: "list",
          items: [
            "Fava hanya untuk orang dewasa. Orang yang menurut tanggal lahirnya belum 18 tahun tidak dapat masuk; dari tanggal itu server kami hanya menyimpan sidik jari akun masuk dan hari mulai boleh mencoba lagi.",
            "Siapa pun yang mungkin di bawah 18 tahun langsung dikeluarkan dari pencocokan. Hanya administrator yang melihat kasusnya, tanpa gambar, dan setiap kali dilihat hal itu dicatat. Jika Anda yakin ada anak yang memakai Fava, laporkan atau tulis ke {email}. Yang membantu orang di bawah 18 tahun ada di [pusat keamanan](/safety).",
          ],
        },
      ],
    },
    {
      id: "changes",
      heading: "Perubahan",
      blocks: [
        {
          kind: "paragraph",
          text: "Jika kebijakan ini berubah, tanggal di bagian atas ikut berubah. Perubahan penting kami umumkan di sini sebelum berlaku.",
        },
      ],
    },
    {
      id: "contact",
      heading: "Kontak",
      blocks: [
        {
          kind: "paragraph",
          text: "{company}, {address}. Email: {email}.",
        },
      ],
    },
  ],
};
