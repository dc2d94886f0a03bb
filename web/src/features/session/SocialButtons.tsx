import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { ProviderIcon } from "#ui/ProviderIcon.tsx";
import { offeredProviders } from "./provider-names.ts";
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
