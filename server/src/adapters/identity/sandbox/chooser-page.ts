import { countryByCode } from "@fava/wire/countries.ts";
import { pageHtml } from "#adapters/sandbox-pages.ts";
import { escapeHtml } from "#lib/escape-html.ts";
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

const standings: Readonly<Record<SandboxStanding, string | null>> = {
  ordinary: null,
  moderator: "Moderator",
  administrator: "Administrator",
  banned: "Banned",
  under_age: "Under 18",
};

/** The account chooser. Its design differs from the product's, so that users cannot confuse them. */
export function chooserPage({ provider, nonce }: { provider: SandboxProviderName; nonce: string }): string {
  return chooserHtml(provider, {
    script: "/sandbox/identity/chooser.js",
    content: [
      `<main data-provider="${provider}" data-login-type="${sandboxProviders[provider]}" data-nonce="${escapeHtml(nonce)}">`,
      `<h1>Choose who you are</h1>`,
      `<p class="lead">This page stands in for the sign-in window of ${brands[provider]}.</p>`,
      `<p class="problem" role="alert" data-failed="That did not work. Please try again."`,
      ` data-no-opener="Open this page with a sign-in button of the product."></p>`,
      `<ul class="accounts">${sandboxPeople.map(accountHtml).join("")}</ul>`,
      `<form class="new"><h2>Someone new</h2>`,
      `<p id="new-lead">A name is enough. The same name comes back as the same person.</p>`,
      `<label for="name">Name</label><div class="row">`,
      `<input id="name" name="name" maxlength="40" autocomplete="off" required aria-describedby="new-lead" dir="auto">`,
      `<button type="submit">Sign in</button></div></form></main>`,
    ],
  });
}

export function chooserProblemPage(provider: SandboxProviderName): string {
  return chooserHtml(provider, {
    content: [
      `<main><h1>Sandbox</h1>`,
      `<p class="lead">This sign-in link is incomplete or was made for another address.</p></main>`,
    ],
  });
}

function chooserHtml(provider: SandboxProviderName, page: { script?: string; content: readonly string[] }): string {
  return pageHtml({
    title: "Sandbox: Choose who you are",
    tape: {
      mark: "Sandbox",
      detail: `No real account is used. Nothing you do here reaches ${brands[provider]}.`,
    },
    style: "/sandbox/identity/chooser.css",
    ...page,
  });
}

function accountHtml({ key, name, countryCode, standing }: SandboxPerson): string {
  const special = standings[standing];
  return [
    `<li><button type="button" data-person="${key}">`,
    `<img src="/sandbox/identity/avatars/${key}.svg" alt="" width="56" height="56">`,
    `<span class="who"><b><bdi>${escapeHtml(name)}</bdi></b>`,
    `<span class="where">${escapeHtml(countryName(countryByCode(countryCode)?.id ?? 0, "en"))}</span></span>`,
    special === null ? "" : `<span class="special" data-standing="${standing}">${special}</span>`,
    `</button></li>`,
  ].join("");
}
