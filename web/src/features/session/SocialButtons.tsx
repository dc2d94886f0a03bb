import type { ReactNode } from "react";
import type { LoginType } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { ProviderIcon } from "#ui/ProviderIcon.tsx";
import { useSignIn } from "./sign-in.ts";
import styles from "./SocialButtons.module.css";

/** The home screen's ways to sign in, of the same weight. On phones only the marks are shown. */
export function SocialButtons(): ReactNode {
  const t = useT();
  const signIn = useSignIn();
  return offeredProviders().map(({ loginType, provider, name }) => (
    <button
      key={loginType}
      data-login-type={loginType}
      type="button"
      className={styles.button}
      aria-label={t("login.with", { name })}
      data-pending={signIn.pending === loginType || undefined}
      onClick={() => signIn.start(loginType)}
    >
      <ProviderIcon provider={provider} />
      <span>{name}</span>
    </button>
  ));
}

/** In the specification's order, none above another; brand names are the same in every language. */
const providerNames = [
  { loginType: 1, provider: "google", name: "Google" },
  { loginType: 2, provider: "facebook", name: "Facebook" },
  { loginType: 3, provider: "apple", name: "Apple" },
] as const satisfies readonly { loginType: LoginType; provider: string; name: string }[];

/** What this installation signs people in with; the server has written it into the page (`server/src/edge/http/web-app.ts`). */
export function offeredProviders(): readonly (typeof providerNames)[number][] {
  if (typeof document === "undefined") return providerNames;
  const told = document.querySelector('meta[name="login-types"]')?.getAttribute("content")?.split(" ") ?? [];
  const offered = providerNames.filter(({ loginType }) => told.includes(String(loginType)));
  // Vite's own server fills nothing in.
  return offered.length === 0 ? providerNames : offered;
}
