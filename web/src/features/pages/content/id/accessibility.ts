import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Pernyataan aksesibilitas",
  effective: "2026-11-21",
  short: [
    "Fava menargetkan WCAG 2.2 tingkat AA di setiap layar dan setiap dialog.",
    "Fava sudah diuji oleh program dan pembuatnya, belum oleh penyandang disabilitas.",
    "Jika ada yang menghalangi Anda, beri tahu kami: itu kesalahan, dan kami menanganinya sebagai kesalahan.",
  ],
  sections: [
    {
      id: "aim",
      heading: "Apa yang dicakup",
      blocks: [
        {
          kind: "paragraph",
          text: "Pernyataan {company} ini mencakup aplikasi web Fava dengan semua halamannya. Ukuran kami WCAG 2.2 tingkat AA. Menurut penilaian kami sendiri, aplikasi memenuhinya kecuali hal yang disebut di bawah.",
        },
      ],
    },
    {
      id: "works",
      heading: "Apa yang berfungsi",
      blocks: [
        {
          kind: "list",
          items: [
            "Semua dapat dilakukan dengan papan ketik. Dalam panggilan, Esc mengakhiri, panah kanan melanjutkan, dan X membawa Anda keluar; di desktop tombolnya tertulis di samping tombol layar.",
            "Pembaca layar diberi tahu apa yang berubah: pencarian berjalan, siapa yang Anda temui, seseorang pergi, gambar sedang diperiksa, kacang hampir habis, dan setiap baris obrolan.",
            "Warna terang dan gelap, kontras lebih kuat, warna paksa, gerakan lebih sedikit, dan teks lebih besar mengikuti sistem dan browser Anda. Tata letak berbalik untuk bahasa yang ditulis dari kanan ke kiri.",
            "Anda dapat berbicara tanpa suara: obrolan teks di samping gambar berfungsi sepanjang panggilan, juga saat kamera dan mikrofon mati.",
          ],
        },
      ],
    },
    {
      id: "tested",
      heading: "Apa yang diuji, dan bagaimana",
      blocks: [
        {
          kind: "list",
          items: [
            "Sebelum setiap rilis, sebuah program (axe) mencari kesalahan di layar dan dialog, pada ukuran desktop dan ponsel, dalam warna terang dan gelap. Kesalahan menghentikan rilis.",
            "Pengujian di browser sungguhan (Chromium) melewati proses masuk, panggilan, pesan, toko, dan halaman ini, serta memakai tombol dan nama seperti teknologi bantu.",
            "Belum diuji: pembaca layar dan kendali suara bersama orang yang memakainya setiap hari, Safari dan Firefox, serta ponsel sungguhan.",
          ],
        },
      ],
    },
    {
      id: "limits",
      heading: "Keterbatasan yang diketahui",
      blocks: [
        {
          kind: "list",
          items: [
            "Panggilan tidak memiliki teks terjemahan maupun bahasa isyarat. Yang dibicarakan dua orang tidak melewati kami, dan kami tidak mendengarkan.",
            "Gambar yang ditunjukkan atau diunggah orang lain tidak memiliki deskripsi.",
            "Pemeriksaan gambar Anda memerlukan cahaya dan kamera yang tidak tertutup, yang mungkin sulit dinilai oleh orang yang tidak dapat melihatnya. Dengan kamera mati, panggilan berlanjut dengan suara dan obrolan.",
            "Dua orang saling menunggu: waktu {matchTimeout} untuk tersambung tidak dapat diperpanjang.",
            "Halaman Google, Facebook, Apple, dan penyedia pembayaran bukan milik kami.",
            "Teks panjang seperti ini tersedia dalam lima bahasa, dan terjemahannya belum ditinjau penutur asli.",
          ],
        },
      ],
    },
    {
      id: "complain",
      heading: "Beri tahu kami",
      blocks: [
        {
          kind: "paragraph",
          text: "Tulis ke {email} apa yang ingin Anda lakukan, apa yang terjadi, serta browser dan alat bantu yang Anda pakai. Manusia yang menjawab. Jika Anda memerlukan isi halaman ini dalam bentuk lain, kami mengirimkannya.",
        },
        {
          kind: "paragraph",
          text: "Jika jawaban kami tidak membantu, Anda dapat mengadu kepada lembaga aksesibilitas di negara Anda.",
        },
      ],
    },
    {
      id: "made",
      heading: "Bagaimana pernyataan ini dibuat",
      blocks: [
        {
          kind: "paragraph",
          text: "Kami menulisnya dari pengujian kami sendiri pada tanggal di atas, dan meninjaunya lagi pada setiap perubahan besar.",
        },
      ],
    },
  ],
};
