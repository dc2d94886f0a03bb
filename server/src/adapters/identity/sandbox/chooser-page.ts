import { countryByCode } from "@fava/wire/countries.ts";
import { countryName } from "#lib/country-name.ts";
import {
  sandboxPeople,
  type SandboxPerson,
  type SandboxProviderName,
  sandboxProviders,
  type SandboxStanding,
} from "./sandbox-identity.ts";

const brands: Readonly<Record<SandboxProviderName, string>> = {
  google: "Google",
  facebook: "Facebook",
  apple: "Apple",
};

/** The account chooser as an HTML document without inline script or style. */
export function chooserPage(request: { provider: SandboxProviderName; nonce: string; language: string }): string {
  const { provider, language } = request;
  const texts = chooserTexts(language);
  const accounts = sandboxPeople.map((person) => account(person, texts, language)).join("");
  const data = `data-provider="${provider}" data-login-type="${sandboxProviders[provider]}" data-nonce="${escapeHtml(request.nonce)}"`;
  return frame(request, [
    `<main ${data}>`,
    `<h1>${escapeHtml(texts.title)}</h1>`,
    `<p class="lead">${escapeHtml(texts.lead.replace("{provider}", brands[provider]))}</p>`,
    `<p class="problem" role="alert" data-failed="${escapeHtml(texts.failed)}" data-no-opener="${escapeHtml(texts.noOpener)}"></p>`,
    `<ul class="accounts">${accounts}</ul>`,
    `<form class="new"><h2>${escapeHtml(texts.newPerson)}</h2><p id="new-lead">${escapeHtml(texts.newPersonLead)}</p>`,
    `<label for="name">${escapeHtml(texts.name)}</label>`,
    `<div class="row"><input id="name" name="name" maxlength="40" autocomplete="off" required aria-describedby="new-lead" dir="auto">`,
    `<button type="submit">${escapeHtml(texts.signIn)}</button></div></form>`,
    `</main><script src="/sandbox/identity/chooser.js" defer></script>`,
  ]);
}

/** Shown when the address was not made by our own page. */
export function chooserProblemPage(request: { provider: SandboxProviderName; language: string }): string {
  const texts = chooserTexts(request.language);
  return frame(request, [
    `<main><h1>${escapeHtml(texts.tape)}</h1><p class="lead">${escapeHtml(texts.badRequest)}</p></main>`,
  ]);
}

function frame(request: { provider: SandboxProviderName; language: string }, content: readonly string[]): string {
  const texts = chooserTexts(request.language);
  const detail = escapeHtml(texts.tapeDetail.replace("{provider}", brands[request.provider]));
  return [
    `<!doctype html><html lang="${request.language}" dir="${texts.direction}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(texts.tape)}: ${escapeHtml(texts.title)}</title>`,
    `<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/sandbox/identity/chooser.css"></head><body>`,
    `<header class="tape"><p><strong>${escapeHtml(texts.tape)}</strong> <span>${detail}</span></p></header>`,
    ...content,
    `</body></html>`,
  ].join("");
}

function account(person: SandboxPerson, texts: ChooserTexts, language: string): string {
  const special = specialOf(person.standing, texts);
  return [
    `<li><button type="button" data-person="${person.key}">`,
    `<img src="/sandbox/identity/avatars/${person.key}.svg" alt="" width="56" height="56">`,
    `<span class="who"><b><bdi>${escapeHtml(person.name)}</bdi></b>`,
    `<span class="where">${escapeHtml(countryName(countryByCode(person.countryCode)?.id ?? 0, language))}</span></span>`,
    special === null ? "" : `<span class="special" data-standing="${person.standing}">${escapeHtml(special)}</span>`,
    `</button></li>`,
  ].join("");
}

function specialOf(standing: SandboxStanding, texts: ChooserTexts): string | null {
  switch (standing) {
    case "ordinary":
      return null;
    case "moderator":
      return texts.moderator;
    case "administrator":
      return texts.administrator;
    case "banned":
      return texts.banned;
    case "under_age":
      return texts.underAge;
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Texts of the sandbox's account page. Its own hand on purpose: it must never be taken for the product. */
interface ChooserTexts {
  direction: "ltr" | "rtl";
  tape: string;
  tapeDetail: string;
  title: string;
  lead: string;
  newPerson: string;
  newPersonLead: string;
  name: string;
  signIn: string;
  moderator: string;
  administrator: string;
  banned: string;
  underAge: string;
  failed: string;
  noOpener: string;
  badRequest: string;
}

const texts: Readonly<Record<string, ChooserTexts>> = {
  en: {
    direction: "ltr",
    tape: "Sandbox",
    tapeDetail: "No real account is used. Nothing you do here reaches {provider}.",
    title: "Choose who you are",
    lead: "This page stands in for the sign-in window of {provider}.",
    newPerson: "Someone new",
    newPersonLead: "A name is enough. The same name comes back as the same person.",
    name: "Name",
    signIn: "Sign in",
    moderator: "Moderator",
    administrator: "Administrator",
    banned: "Banned",
    underAge: "Under 18",
    failed: "That did not work. Please try again.",
    noOpener: "Open this page with a sign-in button of the product.",
    badRequest: "This sign-in link is incomplete or was made for another address.",
  },
  "zh-CN": {
    direction: "ltr",
    tape: "沙盒环境",
    tapeDetail: "不会使用真实账号，这里的任何操作都不会传到 {provider}。",
    title: "选择你的身份",
    lead: "此页面代替 {provider} 的登录窗口。",
    newPerson: "新用户",
    newPersonLead: "只需一个名字。使用相同名字再次登录，就是同一个人。",
    name: "名字",
    signIn: "登录",
    moderator: "审核员",
    administrator: "管理员",
    banned: "已封禁",
    underAge: "未满 18 岁",
    failed: "操作没有成功，请重试。",
    noOpener: "请通过产品中的登录按钮打开此页面。",
    badRequest: "此登录链接不完整，或不是为当前地址生成的。",
  },
  ar: {
    direction: "rtl",
    tape: "بيئة تجريبية",
    tapeDetail: "لا يُستخدم أي حساب حقيقي، ولا يصل أي شيء تفعله هنا إلى {provider}.",
    title: "اختر من تكون",
    lead: "تحلّ هذه الصفحة محل نافذة تسجيل الدخول إلى {provider}.",
    newPerson: "شخص جديد",
    newPersonLead: "يكفي الاسم وحده. والاسم نفسه يعود بك إلى الشخص نفسه.",
    name: "الاسم",
    signIn: "تسجيل الدخول",
    moderator: "مشرف",
    administrator: "مدير",
    banned: "محظور",
    underAge: "دون 18 عامًا",
    failed: "لم تنجح العملية. حاول مرة أخرى.",
    noOpener: "افتح هذه الصفحة من أحد أزرار تسجيل الدخول في المنتج.",
    badRequest: "رابط تسجيل الدخول هذا غير مكتمل أو أُنشئ لعنوان آخر.",
  },
  tr: {
    direction: "ltr",
    tape: "Deneme ortamı",
    tapeDetail: "Gerçek bir hesap kullanılmaz. Burada yaptığınız hiçbir şey {provider} tarafına ulaşmaz.",
    title: "Kim olduğunuzu seçin",
    lead: "Bu sayfa, {provider} oturum açma penceresinin yerini tutar.",
    newPerson: "Yeni biri",
    newPersonLead: "Bir ad yeterli. Aynı adla girerseniz aynı kişi olursunuz.",
    name: "Ad",
    signIn: "Oturum aç",
    moderator: "Moderatör",
    administrator: "Yönetici",
    banned: "Yasaklı",
    underAge: "18 yaşından küçük",
    failed: "Olmadı. Lütfen yeniden deneyin.",
    noOpener: "Bu sayfayı üründeki bir oturum açma düğmesiyle açın.",
    badRequest: "Bu oturum açma bağlantısı eksik ya da başka bir adres için oluşturulmuş.",
  },
  id: {
    direction: "ltr",
    tape: "Mode uji coba",
    tapeDetail: "Tidak ada akun sungguhan yang dipakai. Apa pun yang Anda lakukan di sini tidak sampai ke {provider}.",
    title: "Pilih Anda siapa",
    lead: "Halaman ini menggantikan jendela masuk {provider}.",
    newPerson: "Orang baru",
    newPersonLead: "Cukup sebuah nama. Nama yang sama berarti orang yang sama.",
    name: "Nama",
    signIn: "Masuk",
    moderator: "Moderator",
    administrator: "Administrator",
    banned: "Diblokir",
    underAge: "Di bawah 18 tahun",
    failed: "Tidak berhasil. Silakan coba lagi.",
    noOpener: "Buka halaman ini lewat tombol masuk di produk.",
    badRequest: "Tautan masuk ini tidak lengkap atau dibuat untuk alamat lain.",
  },
};

/** Picks the language of the page: the first that is wished for and exists, else English. */
export function chooserLanguage(wished: readonly string[]): string {
  for (const wish of wished) {
    const found = Object.keys(texts).find(
      (language) => language === wish || language.split("-")[0] === wish.split("-")[0]?.toLowerCase(),
    );
    if (found !== undefined) return found;
  }
  return "en";
}

function chooserTexts(language: string): ChooserTexts {
  const chosen = texts[language] ?? texts["en"];
  if (!chosen) throw new Error("the chooser has no English texts");
  return chosen;
}
