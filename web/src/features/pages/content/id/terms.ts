import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Ketentuan layanan",
  effective: "2026-11-22",
  short: [
    "Anda harus berusia 18 tahun ke atas dan memakai satu akun milik Anda sendiri.",
    "Bertemu tanpa filter gratis; filter memakai kacang per menit, dan Anda melihat harganya lebih dulu.",
    "Pelanggar aturan komunitas dapat kehilangan akses; setiap pemblokiran disertai alasan dan dapat dibanding.",
  ],
  sections: [
    {
      id: "agreement",
      heading: "Apa yang Anda setujui",
      blocks: [
        {
          kind: "paragraph",
          text: "Ketentuan ini adalah perjanjian antara Anda dan {company} yang menjalankan Fava. Dengan memakai Fava, Anda menerima ketentuan ini dan [aturan komunitas](/communityRules). [Kebijakan privasi](/privacyPolicy) menjelaskan bagaimana kami memakai data.",
        },
      ],
    },
    {
      id: "eligibility",
      heading: "Siapa yang boleh memakai Fava",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda harus berusia 18 tahun ke atas. Kami menanyakan tanggal lahir lengkap dan memeriksanya sendiri menurut kalender UTC. Layanan ini berperingkat 17+; untuk obrolan video berlaku 18 tahun, atau usia yang lebih tinggi jika hukum Anda mensyaratkannya.",
        },
        {
          kind: "paragraph",
          text: "Selama diblokir Anda tidak boleh memakai Fava, juga tidak melalui akun lain.",
        },
      ],
    },
    {
      id: "account",
      heading: "Akun Anda",
      blocks: [
        {
          kind: "list",
          items: [
            "Anda masuk dengan akun Anda sendiri di Google, Facebook, atau Apple. Jagalah akun itu: siapa pun yang menguasainya juga menguasai akun Anda di sini.",
            "Satu orang memiliki satu akun, dan akun dipakai di satu tempat pada satu waktu. Masuk di tempat lain mengakhiri sesi sebelumnya.",
            "Tanggal lahir dan jenis kelamin ditanyakan satu kali dan harus benar. Anda tidak dapat mengubahnya nanti; jika ada yang salah, beri tahu kami.",
            "Akun Anda tidak boleh dijual, dipinjamkan, atau diberikan.",
          ],
        },
      ],
    },
    {
      id: "conduct",
      heading: "Bagaimana Anda bersikap",
      blocks: [
        {
          kind: "paragraph",
          text: "Aturan komunitas adalah bagian dari ketentuan ini. Singkatnya: tanpa ketelanjangan atau tindakan seksual, tanpa orang di bawah 18 tahun di gambar, tanpa kebencian, ancaman, atau pelecehan, tanpa perekaman tanpa izin, tanpa penipuan, jualan, atau meminta-minta, tanpa bot dan video palsu.",
        },
        {
          kind: "paragraph",
          text: "Anda tidak boleh mengakali batasan teknis, menyerang layanan atau perangkat orang lain, atau mengumpulkan data tentang orang lain.",
        },
      ],
    },
    {
      id: "calls",
      heading: "Bertemu orang",
      blocks: [
        {
          kind: "paragraph",
          text: "Kami menghubungkan dua orang yang keinginannya saling cocok. Kami tidak dapat menjanjikan bahwa ada orang yang cocok sedang daring, siapa orangnya, atau bahwa perkataannya benar. Negara ditentukan dari alamat jaringan dan bisa keliru.",
        },
        {
          kind: "paragraph",
          text: "Anda dapat meninggalkan panggilan atau lanjut ke orang berikutnya kapan saja, tanpa memberi alasan. Begitu pula semua orang lain.",
        },
        {
          kind: "paragraph",
          text: "Anda saling melihat kabur sampai pemeriksaan gambar pertama lolos, dan gambar dapat disembunyikan lagi saat diperiksa. Untuk segera keluar, tekan X, atau perisai di ponsel: panggilan berakhir, dan lawan bicara diblokir serta dilaporkan kecuali Anda membatalkannya dalam {undo}.",
        },
      ],
    },
    {
      id: "people",
      heading: "Orang dan pesan",
      blocks: [
        {
          kind: "list",
          items: [
            "Orang yang Anda temui ada di daftar orang terbaru selama {recent}. Di sana Anda dapat melapor, memblokir, mengikuti, atau minta bertemu lagi, yang tetap rahasia kecuali kalian berdua memintanya.",
            "Dua orang yang saling mengikuti adalah teman dan dapat saling menulis. Kepada orang lain Anda dapat mengirim satu pesan setelah panggilan, yang boleh diterima atau ditolak.",
            "Pemblokiran orang langsung berlaku dua arah, dan tidak ada yang diberi tahu.",
          ],
        },
      ],
    },
    {
      id: "content",
      heading: "Apa yang Anda tunjukkan dan tulis",
      blocks: [
        {
          kind: "paragraph",
          text: "Apa yang Anda tunjukkan, katakan, dan tulis tetap milik Anda. Anda mengizinkan kami menyampaikannya kepada orang yang Anda temui dan memeriksanya seperti dijelaskan dalam kebijakan privasi, tidak lebih dari itu.",
        },
        {
          kind: "paragraph",
          text: "Anda berhak atas apa yang Anda tunjukkan, dan Anda tidak menyebarkan apa yang ditunjukkan orang lain kepada Anda.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Kacang",
      blocks: [
        {
          kind: "paragraph",
          text: "Kacang adalah lisensi untuk memakai bagian berbayar Fava, seperti filter jenis kelamin dan negara. Kacang bukan uang, tidak menghasilkan apa pun, dan tidak dapat dijual, dipindahkan ke orang lain, atau ditukar kembali menjadi uang, kecuali melalui pengembalian di bawah ini. Riwayat kacang Anda menampilkan setiap kacang yang berpindah.",
        },
        {
          kind: "list",
          items: [
            "Harga per menit ditampilkan sebelum Anda mulai, dalam kacang dan dalam uang, dan ditetapkan saat pencocokan terjadi.",
            "Anda hanya membayar filter Anda sendiri. Kedua filter bersama tidak pernah lebih mahal daripada jumlah keduanya.",
            "Filter berbayar memerlukan saldo untuk satu menit penuh.",
            "Waktu hanya berjalan selama Anda berdua memiliki video. Waktu berhenti saat mencari, saat menyambung kembali, saat kamera lawan bicara mati, dan saat moderasi menyembunyikan gambar. Mematikan kamera sendiri tidak menghentikannya. Jika hanya peramban Anda sendiri yang menyatakan video terhenti atau sambungan terputus, waktu berhenti beberapa detik dalam satu panggilan lalu berjalan lagi.",
            "Dalam {freeMatches} pencocokan berfilter pertama setiap hari, {free} pertama panggilan gratis.",
            "Detik yang Anda pakai dihitung dan dibulatkan ke atas satu kali untuk seluruh panggilan, menjadi kacang utuh.",
            "Batas pengeluaran harian (hari UTC) dapat diturunkan seketika dan dinaikkan setelah {capRaise}.",
          ],
        },
      ],
    },
    {
      id: "buying",
      heading: "Membeli kacang",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda membeli paket, atau jumlah tertentu dengan harga satuan paket terkecil. Harga dan mata uang ditampilkan sebelum Anda membayar. Pembayaran dilakukan di halaman PayerMax, Coda, atau Stripe, tergantung cara Anda membayar, dan kami tidak pernah melihat kartu Anda.",
        },
        {
          kind: "paragraph",
          text: "Kacang menjadi milik Anda setelah penyedia mengonfirmasi pembayaran ke server kami, tepat satu kali untuk setiap pesanan. Jika ada yang tidak cocok, seseorang memeriksa pesanan itu.",
        },
      ],
    },
    {
      id: "refunds",
      heading: "Pengembalian dana",
      blocks: [
        {
          kind: "list",
          items: [
            "Pembelian yang belum terpakai satu kacang pun dapat dibatalkan dalam {withdraw}, di riwayat kacang Anda. Pembelian tertua dipakai lebih dulu, dan uangnya kembali lewat jalan yang sama. Jika tidak berhasil dengan sendirinya, tulis ke {email}.",
            "Kacang kembali dengan sendirinya jika panggilan diputus oleh moderasi, gagal, atau jika lawan bicara terbukti palsu.",
            "Setelah pemblokiran yang keliru, kacang yang hilang karenanya dikembalikan.",
            "Jika pembayaran ditarik kembali setelah kacangnya terpakai, akun Anda menampilkan utang, filter dimatikan, dan pembelian berikutnya melunasinya lebih dulu.",
          ],
        },
        {
          kind: "paragraph",
          text: "Hak yang diberikan hukum kepada Anda sebagai konsumen tetap berlaku.",
        },
      ],
    },
    {
      id: "enforcement",
      heading: "Jika aturan dilanggar",
      blocks: [
        {
          kind: "paragraph",
          text: "Kami dapat memperingatkan, menangguhkan, atau memblokir akun. Perangkat lunak sendiri dapat menangguhkan selama {pause} dan, setelah kejadian kedua yang terkonfirmasi dalam {pauseMax}, sampai seseorang memutuskan, paling lama {pauseMax}. Penangguhan yang hanya karena laporan berakhir setelah {pauseMax} jika belum ada yang memutuskan.",
        },
        {
          kind: "paragraph",
          text: "Setiap pemblokiran yang lebih lama adalah keputusan manusia, dan disertai catatan pelanggaran yang dihitung selama {strike}. Umumnya pemblokiran pertama sehari, kedua seminggu, dan ketiga permanen. Pemblokiran permanen memerlukan dua orang: sampai orang kedua setuju sifatnya sementara, dan tanpa itu berakhir paling lambat setelah {unseconded}. Pemblokiran tidak dapat dihapus dengan uang.",
        },
        {
          kind: "paragraph",
          text: "Pada setiap pemblokiran kami memberi tahu apa yang kami lihat, aturan mana yang terkait, apakah manusia atau perangkat lunak yang memutuskan, sampai kapan berlakunya, dan bagaimana mengajukan keberatan.",
        },
      ],
    },
    {
      id: "appeals",
      heading: "Banding",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda dapat mengajukan banding satu kali atas setiap pemblokiran, selama enam bulan, juga saat diblokir: tekan “Ajukan banding” pada pemberitahuan larangan, atau tulis ke {email} dengan nomor akun Anda. Orang yang tidak membuat keputusan itu yang menanganinya. Kami berusaha menjawab dalam {appealAnswer} di halaman banding; yang lebih lama naik ke urutan teratas dan ke administrator. Jika kami keliru, pemblokiran dan catatan pelanggarannya dicabut, dan biaya panggilan yang terputus kembali.",
        },
        {
          kind: "paragraph",
          text: "Jika Anda tinggal di Uni Eropa, Anda juga dapat meminta bantuan lembaga penyelesaian sengketa di luar pengadilan yang bersertifikat. Jalan ke pengadilan selalu terbuka.",
        },
      ],
    },
    {
      id: "notices",
      heading: "Memberi tahu kami tentang konten ilegal",
      blocks: [
        {
          kind: "paragraph",
          text: "Siapa pun, dengan atau tanpa akun, dapat memberi tahu kami tentang hal ilegal di Fava: melalui Laporkan di dalam produk, atau lewat email ke {email}. Sebutkan apa itu, di mana (nomor akun, tanggal, dan waktu), dan mengapa Anda menganggapnya ilegal. Manusia yang memutuskan, dan kami memberi tahu Anda apa keputusannya dan cara berkeberatan.",
        },
        {
          kind: "paragraph",
          text: "Alamat yang sama adalah titik kontak kami bagi pengguna dan pihak berwenang menurut Digital Services Act, dalam bahasa Inggris. Jumlah laporan, pemblokiran, dan banding ada di halaman [Transparansi](/transparency).",
        },
      ],
    },
    {
      id: "service",
      heading: "Layanan",
      blocks: [
        {
          kind: "paragraph",
          text: "Kami berusaha agar Fava terus berjalan, tetapi tidak dapat menjanjikan bahwa layanan selalu tersedia, bebas dari kesalahan, atau bahwa setiap fitur ada selamanya. Kami dapat mengubah, menambah, atau mengakhiri fitur. Harga yang kami ubah tidak pernah berlaku untuk panggilan yang sedang berlangsung.",
        },
      ],
    },
    {
      id: "liability",
      heading: "Tanggung jawab, dengan bahasa sederhana",
      blocks: [
        {
          kind: "paragraph",
          text: "Kami bertanggung jawab atas kerugian yang kami sebabkan dengan sengaja atau karena kelalaian berat, dan atas hal yang menurut hukum tidak boleh dikecualikan. Selebihnya kami bertanggung jawab hanya sejauh diwajibkan hukum.",
        },
        {
          kind: "paragraph",
          text: "Kami tidak bertanggung jawab atas apa yang ditunjukkan, dikatakan, atau dijanjikan orang lain, maupun hal di luar kendali kami, seperti sambungan atau perangkat Anda. Jangan pernah mengirim uang kepada orang yang Anda temui di sini.",
        },
      ],
    },
    {
      id: "ending",
      heading: "Mengakhiri perjanjian",
      blocks: [
        {
          kind: "paragraph",
          text: "Anda dapat berhenti kapan saja dan menghapus akun Anda di “Akun dan data”, atau dengan menulis ke {email}. Pembelian yang belum tersentuh dikembalikan, dan sebelum Anda mengonfirmasi kami memberi tahu kacang mana yang akan hilang. Dalam {restore} Anda dapat berubah pikiran dengan masuk kembali.",
        },
        {
          kind: "paragraph",
          text: "Kami dapat mengakhiri akses Anda jika Anda melanggar ketentuan ini secara berat atau berulang; aturan tentang pemblokiran dan banding berlaku saat itu.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Perubahan",
      blocks: [
        {
          kind: "paragraph",
          text: "Jika ketentuan ini berubah, tanggal di bagian atas ikut berubah. Perubahan penting kami umumkan di sini sebelum berlaku. Jika tidak setuju, Anda dapat berhenti memakai Fava dan meminta akun Anda dihapus.",
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
