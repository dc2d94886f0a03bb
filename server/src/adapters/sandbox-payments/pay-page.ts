import { majorText } from "@fava/wire/money.ts";
import type { OrderSnapshot } from "#ports/payments.ts";
import { type PayTexts, payTexts } from "./pay-texts.ts";
import type { SandboxOrder } from "./sandbox-payments.ts";
import { testCardOutcomes, testCards } from "./test-cards.ts";

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
