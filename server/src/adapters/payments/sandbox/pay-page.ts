import { majorText } from "@fava/wire/money.ts";
import type { OrderSnapshot } from "#ports/payments.ts";
import { type SandboxOrder, type TestCardOutcome, testCardOutcomes, testCards } from "./sandbox-payments.ts";

/** The card page of an order as an HTML document without inline script or style. */
export function payPage(order: SandboxOrder, language: string): string {
  const texts = payTexts(language);
  const pay = fill(escapeHtml(texts.pay), { price: priceHtml(order.snapshot, language) });
  return frame(texts, language, [
    `<main data-action="/sandbox/pay/${order.ref}">`,
    orderFacts(order.snapshot, texts, language),
    `<form aria-labelledby="title" novalidate>`,
    `<h2 id="title">${escapeHtml(texts.title)}</h2>`,
    problem(texts),
    field(texts.cardNumber, { name: "number", value: spaced(testCards.success), maxLength: 23 }),
    `<div class="two">${field(texts.expiry, { name: "expiry", value: "12 / 30", maxLength: 7 })}`,
    `${field(texts.securityCode, { name: "code", value: "123", maxLength: 4 })}</div>`,
    `<fieldset><legend>${escapeHtml(texts.outcomesTitle)}</legend><div class="outcomes">${outcomes(texts)}</div></fieldset>`,
    `<button class="pay" type="submit">${pay}</button>`,
    `<button class="leave" type="button" data-post="cancel">${escapeHtml(texts.leave)}</button>`,
    `</form></main>`,
  ]);
}

/** The page on which a bank asks whether it is you who pays. */
export function challengePage(order: SandboxOrder, language: string): string {
  const texts = payTexts(language);
  const lead = fill(escapeHtml(texts.challengeLead), { price: priceHtml(order.snapshot, language) });
  return frame(texts, language, [
    `<main class="narrow" data-action="/sandbox/pay/${order.ref}"><div class="card"><h1>${escapeHtml(texts.challengeTitle)}</h1><p>${lead}</p>`,
    problem(texts),
    `<button class="pay" type="button" data-post="confirm">${escapeHtml(texts.confirm)}</button>`,
    `<button class="leave" type="button" data-post="refuse">${escapeHtml(texts.refuse)}</button>`,
    `</div></main>`,
  ]);
}

/** Shown when the order is decided, expired or not known; `returnUrl` is null where nobody knows it. */
export function overPage(returnUrl: string | null, language: string): string {
  const texts = payTexts(language);
  return frame(texts, language, [
    `<main class="narrow"><div class="card"><h1>${escapeHtml(texts.overTitle)}</h1><p>${escapeHtml(texts.overLead)}</p>`,
    `<a class="pay" href="${escapeHtml(returnUrl ?? "/")}">${escapeHtml(texts.back)}</a></div></main>`,
  ]);
}

function frame(texts: PayTexts, language: string, content: readonly string[]): string {
  return [
    `<!doctype html><html lang="${language}" dir="${texts.direction}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(texts.tape)} ${escapeHtml(texts.title)}</title>`,
    `<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/sandbox/pay/pay.css">`,
    `<script src="/sandbox/pay/pay.js" defer></script></head><body>`,
    `<header class="tape"><p><strong>${escapeHtml(texts.tape)}</strong> ${escapeHtml(texts.tapeDetail)}</p></header>`,
    ...content,
    `</body></html>`,
  ].join("");
}

function orderFacts(order: OrderSnapshot, texts: PayTexts, language: string): string {
  const beans = bdi(new Intl.NumberFormat(language).format(order.beans));
  const row = (name: string, value: string) => `<div><dt>${escapeHtml(name)}</dt><dd>${bdi(value)}</dd></div>`;
  return [
    `<section><p class="brand">sandbox-pay</p><h1 class="total">${priceHtml(order, language)}</h1>`,
    `<p class="beans">${fill(escapeHtml(texts.beans), { beans })}</p><dl>`,
    row(texts.orderNumber, order.orderNo),
    row(texts.account, order.userNo),
    row(texts.currency, order.currencyCode),
    `</dl></section>`,
  ].join("");
}

function field(label: string, input: { name: string; value: string; maxLength: number }): string {
  return [
    `<label class="field"><span>${escapeHtml(label)}</span>`,
    `<input name="${input.name}" value="${input.value}" maxlength="${input.maxLength}" inputmode="numeric" autocomplete="off" dir="ltr"></label>`,
  ].join("");
}

function outcomes(texts: PayTexts): string {
  return testCardOutcomes
    .map((outcome) => {
      const checked = outcome === "success" ? " checked" : "";
      return `<label><input type="radio" name="outcome" value="${spaced(testCards[outcome])}"${checked}>${escapeHtml(texts.outcomes[outcome])}</label>`;
    })
    .join("");
}

function problem(texts: PayTexts): string {
  const { invalidCard, incomplete, failed } = texts;
  const data = `data-invalid="${escapeHtml(invalidCard)}" data-incomplete="${escapeHtml(incomplete)}" data-failed="${escapeHtml(failed)}"`;
  return `<p class="problem" role="alert" ${data}></p><noscript><p class="problem">${escapeHtml(texts.noScript)}</p></noscript>`;
}

/** An amount reads from left to right in every language. */
function priceHtml({ amountMinor, currencyCode }: OrderSnapshot, language: string): string {
  const amount = majorText(amountMinor, currencyCode) as `${number}`;
  const text = new Intl.NumberFormat(language, { style: "currency", currency: currencyCode }).format(amount);
  return `<bdi dir="ltr">${escapeHtml(text)}</bdi>`;
}

function fill(html: string, values: Readonly<Record<string, string>>): string {
  return html.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function bdi(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

function spaced(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Texts of the sandbox's card page. Its own hand on purpose: it must never be taken for the product. */
interface PayTexts {
  direction: "ltr" | "rtl";
  tape: string;
  tapeDetail: string;
  /** `{beans}` is a formatted number. */
  beans: string;
  orderNumber: string;
  account: string;
  currency: string;
  title: string;
  cardNumber: string;
  expiry: string;
  securityCode: string;
  outcomesTitle: string;
  outcomes: Readonly<Record<TestCardOutcome, string>>;
  /** `{price}` is a formatted amount. */
  pay: string;
  leave: string;
  invalidCard: string;
  incomplete: string;
  failed: string;
  challengeTitle: string;
  challengeLead: string;
  confirm: string;
  refuse: string;
  overTitle: string;
  overLead: string;
  back: string;
  noScript: string;
}

const texts: Readonly<Record<string, PayTexts>> = {
  en: {
    direction: "ltr",
    tape: "Test page.",
    tapeDetail: "No money moves. Never type a real card here.",
    beans: "{beans} beans, sold by Fava",
    orderNumber: "Order number",
    account: "Account number",
    currency: "Currency",
    title: "Pay with a test card",
    cardNumber: "Card number",
    expiry: "Expires",
    securityCode: "Security code",
    outcomesTitle: "What should happen",
    outcomes: {
      success: "Payment succeeds",
      decline: "Card is declined",
      challenge: "Bank asks to confirm",
      late: "Succeeds 5 seconds late",
      duplicate: "Reported three times",
      dispute: "Disputed, then won",
      silent: "Succeeds, never reported",
      wrong_amount: "Wrong amount reported",
    },
    pay: "Pay {price} with test money",
    leave: "Leave without paying",
    invalidCard: "This is not one of the test cards. It was not sent anywhere.",
    incomplete: "Fill in when the card expires and its security code. Any will do.",
    failed: "That did not work. Please try again.",
    challengeTitle: "Is this you?",
    challengeLead: "This page stands in for the one on which a bank asks whether you are paying {price}.",
    confirm: "Yes, I am paying",
    refuse: "No, stop the payment",
    overTitle: "This page is no longer needed",
    overLead: "The order was paid, cancelled or has expired, or the server was started anew. No money has moved.",
    back: "Back to Fava",
    noScript: "This page needs JavaScript.",
  },
  "zh-CN": {
    direction: "ltr",
    tape: "测试页面。",
    tapeDetail: "不会产生任何扣款。请勿在此输入真实卡号。",
    beans: "{beans} 颗豆子，由 Fava 出售",
    orderNumber: "订单号",
    account: "账号",
    currency: "币种",
    title: "使用测试卡付款",
    cardNumber: "卡号",
    expiry: "有效期",
    securityCode: "安全码",
    outcomesTitle: "想要的结果",
    outcomes: {
      success: "付款成功",
      decline: "银行卡被拒绝",
      challenge: "银行要求确认",
      late: "延迟 5 秒成功",
      duplicate: "通知发送三次",
      dispute: "发生争议，随后胜诉",
      silent: "成功但从不通知",
      wrong_amount: "通知的金额有误",
    },
    pay: "用测试资金支付 {price}",
    leave: "不付款，离开",
    invalidCard: "这不是测试卡之一，卡号没有发送到任何地方。",
    incomplete: "请填写有效期和安全码，任意内容即可。",
    failed: "操作没有成功，请重试。",
    challengeTitle: "是你本人在付款吗？",
    challengeLead: "此页面代替银行的确认页面，询问你是否正在支付 {price}。",
    confirm: "是的，是我在付款",
    refuse: "不是，停止付款",
    overTitle: "此页面已不再需要",
    overLead: "订单已付款、已取消或已过期，或者服务器已重新启动。没有产生任何扣款。",
    back: "返回 Fava",
    noScript: "此页面需要启用 JavaScript。",
  },
  ar: {
    direction: "rtl",
    tape: "صفحة اختبار.",
    tapeDetail: "لا تُنقل أي أموال. لا تكتب رقم بطاقة حقيقية هنا أبدًا.",
    beans: "عدد الحبوب: {beans}، والبائع Fava",
    orderNumber: "رقم الطلب",
    account: "رقم الحساب",
    currency: "العملة",
    title: "الدفع ببطاقة اختبار",
    cardNumber: "رقم البطاقة",
    expiry: "تنتهي في",
    securityCode: "رمز الأمان",
    outcomesTitle: "ما الذي ينبغي أن يحدث",
    outcomes: {
      success: "ينجح الدفع",
      decline: "تُرفض البطاقة",
      challenge: "يطلب البنك التأكيد",
      late: "ينجح متأخرًا 5 ثوانٍ",
      duplicate: "يُبلَّغ عنه ثلاث مرات",
      dispute: "اعتراض ثم كسبه",
      silent: "ينجح دون أي إبلاغ",
      wrong_amount: "يُبلَّغ بمبلغ خاطئ",
    },
    pay: "ادفع {price} بأموال اختبار",
    leave: "المغادرة دون دفع",
    invalidCard: "هذه ليست من بطاقات الاختبار، ولم تُرسل إلى أي مكان.",
    incomplete: "أدخل تاريخ انتهاء البطاقة ورمز الأمان. أي قيمة تكفي.",
    failed: "لم تنجح العملية. حاول مرة أخرى.",
    challengeTitle: "هل هذا أنت؟",
    challengeLead: "تحلّ هذه الصفحة محل صفحة البنك التي تسألك هل تدفع {price}.",
    confirm: "نعم، أنا من يدفع",
    refuse: "لا، أوقف الدفع",
    overTitle: "لم تعد هذه الصفحة لازمة",
    overLead: "دُفع الطلب أو أُلغي أو انتهت مدته، أو أُعيد تشغيل الخادم. لم تُنقل أي أموال.",
    back: "العودة إلى Fava",
    noScript: "تحتاج هذه الصفحة إلى JavaScript.",
  },
  tr: {
    direction: "ltr",
    tape: "Deneme sayfası.",
    tapeDetail: "Para hareketi olmaz. Buraya asla gerçek bir kart numarası yazmayın.",
    beans: "{beans} fasulye, satan: Fava",
    orderNumber: "Sipariş numarası",
    account: "Hesap numarası",
    currency: "Para birimi",
    title: "Deneme kartıyla öde",
    cardNumber: "Kart numarası",
    expiry: "Son kullanma",
    securityCode: "Güvenlik kodu",
    outcomesTitle: "Ne olsun",
    outcomes: {
      success: "Ödeme başarılı olur",
      decline: "Kart reddedilir",
      challenge: "Banka onay ister",
      late: "5 saniye geç başarılı olur",
      duplicate: "Üç kez bildirilir",
      dispute: "İtiraz edilir, kazanılır",
      silent: "Başarılı, hiç bildirilmez",
      wrong_amount: "Yanlış tutar bildirilir",
    },
    pay: "Deneme parasıyla {price} öde",
    leave: "Ödemeden ayrıl",
    invalidCard: "Bu, deneme kartlarından biri değil. Hiçbir yere gönderilmedi.",
    incomplete: "Son kullanma tarihini ve güvenlik kodunu doldurun. Herhangi bir değer olur.",
    failed: "Olmadı. Lütfen yeniden deneyin.",
    challengeTitle: "Bu siz misiniz?",
    challengeLead: "Bu sayfa, bir bankanın {price} ödeyip ödemediğinizi sorduğu sayfanın yerini tutar.",
    confirm: "Evet, ben ödüyorum",
    refuse: "Hayır, ödemeyi durdur",
    overTitle: "Bu sayfaya artık gerek yok",
    overLead: "Sipariş ödendi, iptal edildi, süresi doldu ya da sunucu yeniden başlatıldı. Para hareketi olmadı.",
    back: "Fava'ya dön",
    noScript: "Bu sayfa için JavaScript gerekir.",
  },
  id: {
    direction: "ltr",
    tape: "Halaman uji coba.",
    tapeDetail: "Tidak ada uang yang berpindah. Jangan pernah mengetik kartu asli di sini.",
    beans: "{beans} kacang, dijual oleh Fava",
    orderNumber: "Nomor pesanan",
    account: "Nomor akun",
    currency: "Mata uang",
    title: "Bayar dengan kartu uji",
    cardNumber: "Nomor kartu",
    expiry: "Berlaku hingga",
    securityCode: "Kode keamanan",
    outcomesTitle: "Yang harus terjadi",
    outcomes: {
      success: "Pembayaran berhasil",
      decline: "Kartu ditolak",
      challenge: "Bank meminta konfirmasi",
      late: "Berhasil, telat 5 detik",
      duplicate: "Dilaporkan tiga kali",
      dispute: "Sengketa, lalu menang",
      silent: "Berhasil, tak dilaporkan",
      wrong_amount: "Jumlah yang dilaporkan salah",
    },
    pay: "Bayar {price} dengan uang uji",
    leave: "Keluar tanpa membayar",
    invalidCard: "Ini bukan salah satu kartu uji. Nomornya tidak dikirim ke mana pun.",
    incomplete: "Isi masa berlaku kartu dan kode keamanannya. Boleh apa saja.",
    failed: "Tidak berhasil. Silakan coba lagi.",
    challengeTitle: "Apakah ini Anda?",
    challengeLead: "Halaman ini menggantikan halaman bank yang menanyakan apakah Anda membayar {price}.",
    confirm: "Ya, saya yang membayar",
    refuse: "Bukan, hentikan pembayaran",
    overTitle: "Halaman ini tidak diperlukan lagi",
    overLead:
      "Pesanan sudah dibayar, dibatalkan, atau kedaluwarsa, atau server baru dimulai ulang. Tidak ada uang yang berpindah.",
    back: "Kembali ke Fava",
    noScript: "Halaman ini memerlukan JavaScript.",
  },
};

/** Languages of the page, for a test that nothing is missing. */
export const payLanguages: readonly string[] = Object.keys(texts);

/** Picks the language of the page: the first that is wished for and exists, else English. */
export function payLanguage(wished: readonly string[]): string {
  for (const wish of wished) {
    const base = wish.split("-")[0]?.toLowerCase();
    const found = payLanguages.find((language) => language === wish || language.split("-")[0] === base);
    if (found !== undefined) return found;
  }
  return "en";
}

export function payTexts(language: string): PayTexts {
  const chosen = texts[language] ?? texts["en"];
  if (!chosen) throw new Error("the card page has no English texts");
  return chosen;
}
