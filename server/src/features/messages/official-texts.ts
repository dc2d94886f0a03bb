/** What the account of this service writes, in its own words; `{email}` is the address of the settings. */
const welcome: Readonly<Record<string, string>> = {
  en: "Welcome to Fava! This account only sends news about the service, so nobody reads replies here. If you need help, write to {email}.",
  "zh-CN": "欢迎使用 Fava！此账号仅用于发布服务消息，不会有人查看这里的回复。如需帮助，请发送邮件至 {email}。",
  ar: "مرحبًا بك في Fava! يُستخدم هذا الحساب لإرسال أخبار الخدمة فقط، ولا يقرأ أحد الردود هنا. إذا احتجت إلى مساعدة فراسلنا على {email}.",
  tr: "Fava'ya hoş geldiniz! Bu hesap yalnızca hizmetle ilgili haberler gönderir, buradaki yanıtları kimse okumaz. Yardıma ihtiyacınız olursa {email} adresine yazın.",
  id: "Selamat datang di Fava! Akun ini hanya mengirim kabar tentang layanan, jadi balasan di sini tidak dibaca siapa pun. Jika butuh bantuan, tulis ke {email}.",
};

/** Languages in which the account writes, for a test that nothing is missing. */
export const officialLanguages: readonly string[] = Object.keys(welcome);

/** The one message that everybody finds; English where there is none in the language. */
export function welcomeText(language: string, email: string): string {
  const text = welcome[language] ?? welcome["en"] ?? "";
  // An address from right to left keeps its own order.
  return text.replace("{email}", () => `\u2068${email}\u2069`);
}
