/** Files of an export in the order in which they stand in it. */
export const exportFileNames = [
  "profile.json",
  "messages.json",
  "relations.json",
  "calls.json",
  "beans.json",
  "orders.json",
  "reports.json",
  "decisions.json",
  "sign-ins.json",
  "stopped-texts.json",
] as const;
export type ExportFileName = (typeof exportFileNames)[number];

interface ReadmeTexts {
  title: string;
  intro: string;
  files: Readonly<Record<ExportFileName | "photos/", string>>;
  end: string;
}

const en: ReadmeTexts = {
  title: "Your data at Fava",
  intro: "Everything that we keep about your account {account}, as of {day} (UTC).",
  files: {
    "profile.json": "your profile, how you sign in, your settings",
    "messages.json": "messages that you wrote and received",
    "relations.json": "whom you follow, like or have blocked, and who follows you",
    "calls.json": "when your calls were; pictures and sound are not kept",
    "beans.json": "every change of your beans",
    "orders.json": "your purchases; amounts are in the smallest unit of the currency",
    "reports.json": "reports that you made",
    "decisions.json": "decisions about your account: bans, strikes, warnings, and your appeals",
    "sign-ins.json": "your sign-ins of the last 90 days",
    "stopped-texts.json": "when a text of yours was stopped, and why; the text is not kept",
    "photos/": "your pictures",
  },
  end: "The .json files open in any text editor. This file is yours: keep it where nobody else finds it.",
};

const texts: Readonly<Record<string, ReadmeTexts>> = {
  en,
  "zh-CN": {
    title: "你在 Fava 的数据",
    intro: "我们保存的与你的账号 {account} 有关的全部数据，截至 {day}（UTC）。",
    files: {
      "profile.json": "你的个人资料、登录方式和设置",
      "messages.json": "你发送和收到的消息",
      "relations.json": "你关注、喜欢或屏蔽的人，以及关注你的人",
      "calls.json": "你的通话时间；画面和声音不会保存",
      "beans.json": "你的豆子的每一笔变动",
      "orders.json": "你的购买记录；金额以货币的最小单位表示",
      "reports.json": "你提交的举报",
      "decisions.json": "对你账号作出的处理决定：封禁、违规记录、警告，以及你的申诉",
      "sign-ins.json": "你最近 90 天的登录记录",
      "stopped-texts.json": "你的文字何时、因何被拦截；文字内容不会保存",
      "photos/": "你的照片",
    },
    end: ".json 文件可以用任何文本编辑器打开。这份文件属于你，请保存在别人找不到的地方。",
  },
  ar: {
    title: "بياناتك في Fava",
    intro: "كل ما نحتفظ به عن حسابك {account} حتى {day} (بتوقيت UTC).",
    files: {
      "profile.json": "ملفك الشخصي وطريقة تسجيل دخولك وإعداداتك",
      "messages.json": "الرسائل التي كتبتها والتي وصلتك",
      "relations.json": "من تتابعهم أو أعجبوك أو حظرتهم، ومن يتابعك",
      "calls.json": "أوقات مكالماتك؛ لا نحتفظ بالصورة ولا بالصوت",
      "beans.json": "كل تغيير في رصيد حبّاتك",
      "orders.json": "مشترياتك؛ المبالغ بأصغر وحدة من العملة",
      "reports.json": "البلاغات التي قدّمتها",
      "decisions.json": "القرارات المتخذة بشأن حسابك: الحظر والمخالفات والتحذيرات، واعتراضاتك عليها",
      "sign-ins.json": "عمليات تسجيل دخولك خلال آخر 90 يومًا",
      "stopped-texts.json": "متى أُوقف نص كتبته ولماذا؛ لا نحتفظ بالنص نفسه",
      "photos/": "صورك",
    },
    end: "يمكن فتح ملفات .json في أي محرر نصوص. هذا الملف لك: احفظه حيث لا يجده أحد غيرك.",
  },
  tr: {
    title: "Fava’daki verileriniz",
    intro: "{account} numaralı hesabınız hakkında sakladığımız her şey, {day} itibarıyla (UTC).",
    files: {
      "profile.json": "profiliniz, giriş yönteminiz ve ayarlarınız",
      "messages.json": "yazdığınız ve aldığınız mesajlar",
      "relations.json": "takip ettiğiniz, beğendiğiniz veya engellediğiniz kişiler ve sizi takip edenler",
      "calls.json": "görüşmelerinizin zamanları; görüntü ve ses saklanmaz",
      "beans.json": "fasulyelerinizdeki her değişiklik",
      "orders.json": "satın almalarınız; tutarlar para biriminin en küçük birimindedir",
      "reports.json": "yaptığınız şikâyetler",
      "decisions.json": "hesabınız hakkında verilen kararlar: yasaklar, ihlaller, uyarılar ve itirazlarınız",
      "sign-ins.json": "son 90 gündeki girişleriniz",
      "stopped-texts.json": "bir yazının ne zaman ve neden durdurulduğu; yazının kendisi saklanmaz",
      "photos/": "fotoğraflarınız",
    },
    end: ".json dosyaları herhangi bir metin düzenleyicide açılır. Bu dosya sizin: başkasının bulamayacağı bir yerde saklayın.",
  },
  id: {
    title: "Data Anda di Fava",
    intro: "Semua yang kami simpan tentang akun Anda {account}, per {day} (UTC).",
    files: {
      "profile.json": "profil, cara masuk, dan pengaturan Anda",
      "messages.json": "pesan yang Anda tulis dan terima",
      "relations.json": "orang yang Anda ikuti, sukai, atau blokir, dan yang mengikuti Anda",
      "calls.json": "waktu panggilan Anda; gambar dan suara tidak disimpan",
      "beans.json": "setiap perubahan pada kacang Anda",
      "orders.json": "pembelian Anda; jumlahnya dalam satuan terkecil mata uang",
      "reports.json": "laporan yang Anda buat",
      "decisions.json": "keputusan tentang akun Anda: pemblokiran, pelanggaran, peringatan, dan banding Anda",
      "sign-ins.json": "riwayat masuk Anda dalam 90 hari terakhir",
      "stopped-texts.json": "kapan dan mengapa teks Anda dihentikan; teksnya tidak disimpan",
      "photos/": "foto Anda",
    },
    end: "Berkas .json bisa dibuka dengan editor teks apa pun. Berkas ini milik Anda: simpan di tempat yang tidak ditemukan orang lain.",
  },
};

/** What stands in `README.txt`, in this language or in English. */
export function readmeText(language: string, about: { account: string; day: string }): string {
  const { title, intro, files, end } = texts[language] ?? en;
  const lines = Object.entries(files).map(([name, what]) => `${name}: ${what}`);
  const first = intro.replace("{account}", about.account).replace("{day}", about.day);
  return `${[title, "", first, "", ...lines, "", end].join("\r\n")}\r\n`;
}
