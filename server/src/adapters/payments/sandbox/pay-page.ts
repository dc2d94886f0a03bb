import { shownDigits } from "@fava/wire/exact-price.ts";
import { majorText } from "@fava/wire/money.ts";
import { pageHtml } from "#adapters/sandbox-pages.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import type { OrderSnapshot } from "#ports/payments.ts";
import { type SandboxOrder, type TestCardOutcome, testCardOutcomes, testCards } from "./sandbox-payments.ts";

const outcomeNames: Readonly<Record<TestCardOutcome, string>> = {
  success: "Payment succeeds",
  decline: "Card is declined",
  challenge: "Bank asks to confirm",
  late: "Succeeds 5 seconds late",
  duplicate: "Reported three times",
  dispute: "Disputed, then won",
  silent: "Succeeds, never reported",
  wrong_amount: "Wrong amount reported",
};

const problem = [
  `<p class="problem" role="alert" data-invalid="This is not one of the test cards. It was not sent anywhere."`,
  ` data-incomplete="Fill in when the card expires and its security code. Any will do."`,
  ` data-failed="That did not work. Please try again."></p>`,
  `<noscript><p class="problem">This page needs JavaScript.</p></noscript>`,
].join("");

/** The design of this page differs from the product's, so that users cannot confuse them. */
export function payPage(order: SandboxOrder): string {
  return payHtml([
    `<main data-action="/sandbox/pay/${order.ref}">`,
    orderFacts(order.snapshot),
    `<form aria-labelledby="title" novalidate>`,
    `<h2 id="title">Pay with a test card</h2>`,
    problem,
    field("Card number", { name: "number", value: spaced(testCards.success), maxLength: 23 }),
    `<div class="two">${field("Expires", { name: "expiry", value: "12 / 30", maxLength: 7 })}`,
    `${field("Security code", { name: "code", value: "123", maxLength: 4 })}</div>`,
    `<fieldset><legend>What should happen</legend><div class="outcomes">${testCardOutcomes.map(choice).join("")}</div></fieldset>`,
    `<button class="pay" type="submit">Pay ${price(order.snapshot)} with test money</button>`,
    `<button class="leave" type="button" data-post="cancel">Leave without paying</button>`,
    `</form></main>`,
  ]);
}

export function challengePage(order: SandboxOrder): string {
  return payHtml([
    `<main class="narrow" data-action="/sandbox/pay/${order.ref}"><div class="card"><h1>Is this you?</h1>`,
    `<p>This page stands in for the one on which a bank asks whether you are paying ${price(order.snapshot)}.</p>`,
    problem,
    `<button class="pay" type="button" data-post="confirm">Yes, I am paying</button>`,
    `<button class="leave" type="button" data-post="refuse">No, stop the payment</button>`,
    `</div></main>`,
  ]);
}

/** `returnUrl` is null where unknown. */
export function overPage(returnUrl: string | null): string {
  return payHtml([
    `<main class="narrow"><div class="card"><h1>This page is no longer needed</h1>`,
    `<p>The order was paid, cancelled or has expired, or the server was restarted. No money has moved.</p>`,
    `<a class="pay" href="${escapeHtml(returnUrl ?? "/")}">Back to Fava</a></div></main>`,
  ]);
}

function payHtml(content: readonly string[]): string {
  return pageHtml({
    title: "Test page. Pay with a test card",
    tape: { mark: "Test page.", detail: "No money moves. Never type a real card here." },
    style: "/sandbox/pay/pay.css",
    script: "/sandbox/pay/pay.js",
    content,
  });
}

function orderFacts(order: OrderSnapshot): string {
  const row = (name: string, value: string) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`;
  return [
    `<section><p class="brand">sandbox-pay</p><h1 class="total">${price(order)}</h1>`,
    `<p class="beans">${new Intl.NumberFormat("en").format(order.beans)} beans, sold by Fava</p><dl>`,
    row("Order number", order.orderNo),
    row("Account number", order.userNo),
    row("Currency", order.currencyCode),
    `</dl></section>`,
  ].join("");
}

function field(label: string, input: { name: string; value: string; maxLength: number }): string {
  return [
    `<label class="field"><span>${label}</span>`,
    `<input name="${input.name}" value="${input.value}" maxlength="${input.maxLength}" inputmode="numeric" autocomplete="off"></label>`,
  ].join("");
}

function choice(outcome: TestCardOutcome): string {
  const checked = outcome === "success" ? " checked" : "";
  return `<label><input type="radio" name="outcome" value="${spaced(testCards[outcome])}"${checked}>${outcomeNames[outcome]}</label>`;
}

function price({ amountMinor, currencyCode }: OrderSnapshot): string {
  const amount = majorText(amountMinor, currencyCode) as `${number}`;
  const digits = shownDigits(amountMinor, currencyCode);
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return escapeHtml(
    new Intl.NumberFormat("en", { style: "currency", currency: currencyCode, ...shown }).format(amount),
  );
}

function spaced(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}
