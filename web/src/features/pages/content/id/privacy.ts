import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Kebijakan privasi",
  effective: "2026-11-21",
  short: [
    "Panggilan Anda tidak direkam. Perangkat lunak memeriksa gambar diam saat Anda berbicara, dan gambar yang tidak bermasalah tidak disimpan.",
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
          text: "Kebijakan ini berlaku untuk seluruh layanan. Sebagian fitur Fava dibuka bertahap: apa yang tertulis di sini tentang fitur tersebut berlaku sejak hari fitur itu dibuka.",
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
            "Dari Anda: tanggal lahir dan jenis kelamin, ditanyakan satu kali; siapa yang ingin Anda temui; apa yang Anda tulis di profil dan pesan; siapa yang Anda laporkan, ikuti, atau blokir.",
            "Selama Anda memakai Fava: alamat jaringan saat Anda masuk dan negara yang ditentukan darinya, jenis dan bahasa browser, nomor acak untuk perangkat Anda, akun mana yang bertemu dan kapan, serta setiap kacang yang berpindah.",
            "Saat Anda menulis kepada kami: pesan Anda dan jawaban kami.",
          ],
        },
        { kind: "paragraph", text: "Kami tidak menanyakan lokasi persis Anda dan tidak membeli data tentang Anda." },
      ],
    },
    {
      id: "seen",
      heading: "Apa yang dilihat orang yang Anda temui",
      blocks: [
        {
          kind: "paragraph",
          text: "Dalam panggilan, lawan bicara melihat dan mendengar apa yang dikirim kamera dan mikrofon Anda, membaca apa yang Anda tulis, serta melihat nama panggilan, foto profil, jenis kelamin, dan negara Anda. Pada awalnya nama dan foto itu berasal dari akun yang Anda pakai untuk masuk, jadi pilihlah akun dengan nama dan foto yang tidak keberatan Anda tunjukkan.",
        },
        {
          kind: "paragraph",
          text: "Mereka tidak pernah melihat tanggal lahir, alamat jaringan, nomor perangkat, atau penyedia yang Anda pakai. Suara dan gambar dikirim terenkripsi melalui perantara, dan server kami menghapus alamat jaringan dari informasi yang dipertukarkan kedua browser, sehingga aplikasi yang diubah pun tidak dapat mengetahuinya.",
        },
        {
          kind: "paragraph",
          text: "Merekam orang lain tanpa izin dilarang. Kami tidak dapat mencegah seseorang mengarahkan kamera lain ke layar, jadi tunjukkan hanya hal yang tidak keberatan Anda perlihatkan kepada orang asing.",
        },
      ],
    },
    {
      id: "checks",
      heading: "Bagaimana gambar diperiksa",
      blocks: [
        {
          kind: "paragraph",
          text: "Untuk melindungi kedua orang, gambar diam dari panggilan diambil kira-kira setiap sepuluh detik, pada saat yang dipilih server kami. Perangkat lunak memeriksa apakah di dalamnya ada ketelanjangan atau hal lain yang dilarang aturan kami. Jika tidak ada temuan, gambar tidak disimpan dan tidak ada orang yang melihatnya.",
        },
        {
          kind: "paragraph",
          text: "Jika ada temuan, atau jika seseorang melaporkan panggilan itu, gambar dari kedua pihak dapat disegel sebagai bukti. Moderator kemudian membukanya hanya untuk kasus tersebut.",
        },
        {
          kind: "paragraph",
          text: "Perangkat lunak sendiri tidak pernah memblokir siapa pun. Ia dapat menangguhkan akun selama 15 menit dan, setelah kejadian kedua yang terkonfirmasi dalam 24 jam, sampai seseorang memutuskan, paling lama 24 jam. Yang lebih lama diputuskan oleh manusia, dan pemblokiran permanen oleh dua orang.",
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
            ["Gambar diam tanpa temuan", "Kamera Anda, diperiksa perangkat lunak", "Tidak disimpan"],
            ["Bukti untuk laporan atau temuan", "Kedua pihak panggilan", "30 hari, disegel"],
            ["Laporan", "Orang yang melapor", "180 hari"],
            ["Alamat jaringan saat masuk", "Server kami, saat Anda masuk", "90 hari"],
            [
              "Obrolan teks dalam panggilan",
              "Anda dan lawan bicara",
              "Diteruskan dan tidak disimpan, kecuali menjadi bukti",
            ],
            ["Pesan", "Anda dan lawan bicara", "Sampai salah satu menghapus akunnya: teks di pihak itu lalu hilang"],
            [
              "Profil, tanggal lahir, jenis kelamin, negara, preferensi, orang yang Anda ikuti atau blokir",
              "Anda, penyedia masuk, dan server kami",
              "Selama akun Anda ada",
            ],
            ["Akun mana yang bertemu, kapan, dan bagaimana panggilan berakhir", "Server kami", "Selama akun Anda ada"],
            [
              "Keputusan tentang akun Anda",
              "Moderator",
              "Selama keputusan berlaku, dan selama enam bulan masa banding",
            ],
            [
              "Pesanan dan kacang",
              "Anda, server kami, dan penyedia pembayaran",
              "Selama diwajibkan hukum, dengan nomor sebagai pengganti nama Anda",
            ],
          ],
        },
        {
          kind: "paragraph",
          text: "Akun yang dihapus dapat kembali dalam 14 hari. Setelah itu datanya dihapus, atau, jika hukum mewajibkan kami menyimpan catatan, dipisahkan dari identitas Anda.",
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
            "Google, Facebook, atau Apple mengetahui bahwa Anda masuk ke Fava. Di sana berlaku kebijakan privasi mereka sendiri.",
            "Perantara yang membawa suara dan gambar melihat alamat jaringan kedua pihak dan data terenkripsi. Ia tidak menyimpan apa yang dibawanya.",
            "Saat Anda membeli kacang, penyedia pembayaran menerima pembayarannya. Data kartu Anda diberikan kepada penyedia itu dan tidak pernah kepada kami; kami menerima nomor pesanan, jumlah, dan hasilnya.",
            "Perusahaan yang menjalankan server atau penyimpanan untuk kami hanya bekerja sesuai instruksi kami.",
            "Pihak berwenang menerima data hanya jika hukum mewajibkan kami, dan kami mencatat dasar hukumnya setiap kali.",
          ],
        },
        {
          kind: "paragraph",
          text: "Kami tidak menjual data. Tidak ada iklan di Fava, dan tidak ada pihak lain yang melacak Anda di halaman kami.",
        },
      ],
    },
    {
      id: "browser",
      heading: "Apa yang disimpan di browser Anda",
      blocks: [
        {
          kind: "paragraph",
          text: "Browser menyimpan apa yang dibutuhkan halaman: bahwa Anda sudah masuk, preferensi pencocokan, bahasa, tampilan terang atau gelap, apakah aturan keamanan perlu ditampilkan lagi, dan nomor acak untuk perangkat. Tidak ada cookie iklan.",
        },
        {
          kind: "paragraph",
          text: "Keluar dari akun menghapus semuanya kecuali bahasa, tampilan, dan pilihan untuk tidak menampilkan aturan keamanan lagi.",
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
          kind: "paragraph",
          text: "Semua sambungan terenkripsi. Kunci yang membuat Anda tetap masuk hanya disimpan sebagai sidik jari yang tidak dapat dikembalikan. Orang yang bekerja untuk kami hanya melihat apa yang diperlukan tugasnya.",
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
            "Mendapat salinan data Anda, juga dalam bentuk yang dapat Anda bawa ke tempat lain.",
            "Meminta perbaikan data yang salah. Tanggal lahir, jenis kelamin, dan negara tidak dapat Anda ubah sendiri; jika ada yang salah, beri tahu kami.",
            "Meminta akun Anda dihapus. Pembelian yang belum tersentuh dikembalikan, dan sebelum Anda mengonfirmasi kami memberi tahu kacang mana yang akan hilang.",
            "Menolak penggunaan data Anda, atau meminta pembatasannya.",
            "Mengadu kepada lembaga perlindungan data di tempat tinggal Anda.",
          ],
        },
        {
          kind: "paragraph",
          text: "Tulis ke {email} dengan nomor akun Anda. Ini gratis dan juga berlaku saat Anda diblokir.",
        },
      ],
    },
    {
      id: "minors",
      heading: "Orang di bawah 18 tahun",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava hanya untuk orang dewasa. Orang yang menurut tanggal lahirnya belum 18 tahun tidak dapat masuk; dari tanggal itu server kami hanya menyimpan sidik jari akun masuk dan hari mulai boleh mencoba lagi.",
        },
        {
          kind: "paragraph",
          text: "Siapa pun yang mungkin di bawah 18 tahun langsung dikeluarkan dari pencocokan, dan hanya administrator yang melihat kasusnya. Jika Anda yakin ada anak yang memakai Fava, tulis ke {email}.",
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
      blocks: [{ kind: "paragraph", text: "{company}, {address}. Email: {email}." }],
    },
  ],
};
