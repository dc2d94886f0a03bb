import type { ReactNode } from "react";
import type { LoginType } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { ProviderIcon } from "#ui/ProviderIcon.tsx";
import { useSignIn } from "./sign-in.ts";
import styles from "./SocialButtons.module.css";

/** The sign-in buttons of the home screen, with the same weight. On phones only the logos are shown. */
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

/** In the specification's order; brand names are the same in every language. */
const providerNames = [
  { loginType: 1, provider: "google", name: "Google" },
  { loginType: 2, provider: "facebook", name: "Facebook" },
  { loginType: 3, provider: "apple", name: "Apple" },
] as const satisfies readonly { loginType: LoginType; provider: string; name: string }[];

/** The providers of this installation; the server writes them into the page (`server/src/edge/http/web-app.ts`). */
export function offeredProviders(): readonly (typeof providerNames)[number][] {
  if (typeof document === "undefined") return providerNames;
  const told = document.querySelector('meta[name="login-types"]')?.getAttribute("content")?.split(" ") ?? [];
  const offered = providerNames.filter(({ loginType }) => told.includes(String(loginType)));
  // Vite's development server leaves the placeholder.
  return offered.length === 0 ? providerNames : offered;
}
