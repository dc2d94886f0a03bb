import { countryByCode } from "@fava/wire/countries.ts";
import { countryName } from "#country-name.ts";
import { type ChooserTexts, chooserTexts } from "./chooser-texts.ts";
import { type SandboxPerson, type SandboxStanding, sandboxPeople } from "./people.ts";
import { type SandboxProviderName, sandboxProviders } from "./sandbox-identity.ts";

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
